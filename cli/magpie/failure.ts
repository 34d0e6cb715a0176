import { ConfigError } from "../../mixins/config/env.ts";
import { MagpieConnectionError, MagpieError } from "../../sdk/typescript/src/index.ts";

/** What a process that ended says to a script. */
export const exitCodes = {
  done: 0,
  /** The service answered that it cannot; or the work ended without success. */
  failed: 1,
  /** The command line, or a setting. */
  usage: 2,
  /** The service does not answer, or has no room: worth another try. */
  unreachable: 3,
  /** The key is missing or refused. */
  refused: 4,
} as const;

/** An error that has a message for its reader, and the exit code of the process. */
export class CommandError extends Error {
  readonly exitCode: number;

  constructor(message: string, exitCode: number, options?: ErrorOptions) {
    super(message, options);
    this.exitCode = exitCode;
  }
}

/** The sentence and the exit code that a command ends with after an error. */
export function failureOf(error: unknown): { message: string; exitCode: number } {
  if (error instanceof MagpieError) return refusal(error);
  const message = error instanceof Error ? error.message : String(error);
  if (error instanceof MagpieConnectionError) return { message, exitCode: exitCodes.unreachable };
  if (error instanceof ConfigError) return { message, exitCode: exitCodes.usage };
  return { message, exitCode: error instanceof CommandError ? error.exitCode : exitCodes.failed };
}

/** The service's refusal in its own words, with the fields that it names. */
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
