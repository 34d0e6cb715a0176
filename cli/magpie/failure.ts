import { ConfigError } from "../../mixins/config/env.ts";
import { MagpieConnectionError, MagpieError } from "../../sdk/typescript/src/index.ts";

/** The exit codes of the command, for scripts. */
export const exitCodes = {
  done: 0,
  /** The service refused the request, or the work ended without success. */
  failed: 1,
  /** The command line or a setting is wrong. */
  usage: 2,
  /** The service does not answer or has no capacity: a later try may succeed. */
  unreachable: 3,
  /** The key is missing or refused. */
  refused: 4,
} as const;

/** An error of the command itself: its message is for people, and the process ends with its exit code. */
export class CommandError extends Error {
  readonly exitCode: number;

  constructor(message: string, exitCode: number, options?: ErrorOptions) {
    super(message, options);
    this.exitCode = exitCode;
  }
}

/** Turns an error into the sentence that the command prints and the exit code that it ends with. */
export function failureOf(error: unknown): { message: string; exitCode: number } {
  if (error instanceof MagpieError) return refusal(error);
  const message = error instanceof Error ? error.message : String(error);
  if (error instanceof MagpieConnectionError) return { message, exitCode: exitCodes.unreachable };
  if (error instanceof ConfigError) return { message, exitCode: exitCodes.usage };
  return { message, exitCode: error instanceof CommandError ? error.exitCode : exitCodes.failed };
}

/** Repeats the service's own sentence, with the fields that it refused. */
function refusal({ status, message, details }: MagpieError): { message: string; exitCode: number } {
  const fields = details.map(({ field }) => field).join(", ");
  return {
    message: `${status}: ${message}${fields && ` (${fields})`}`,
    exitCode: [401, 403].includes(status)
      ? exitCodes.refused
      : [429, 503, 504].includes(status)
        ? exitCodes.unreachable
        : exitCodes.failed,
  };
}
