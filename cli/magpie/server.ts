import { existsSync, readFileSync } from "node:fs";
import { request } from "undici";
import { type Config, configFromEnv } from "../../mixins/config/config.ts";
import { type Credentials, credentialsPath } from "../../mixins/config/credentials.ts";
import { readEnv, readSetting } from "../../mixins/config/env.ts";
import { readGatewayAddress } from "../../mixins/config/gateway-address.ts";

/** A running service, and the key to send. */
export interface Server {
  url: string;
  key: string;
  /** By default `x-api-key`. */
  keyHeader?: string;
}

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

const defaultUrl = "http://127.0.0.1:3000";

/** The service to ask: `--server`, MAGPIE_URL, or the one that works on the data folder of this machine. */
export function serverOf({ server }: { server?: string }, who: "key" | "admin" = "key"): Server {
  const config = configFromEnv();
  const named = server?.replace(/\/+$/, "") ?? readSetting("MAGPIE_URL", readEnv());
  if (named !== undefined && !/^https?:\/\//.test(named))
    throw new CommandError("--server takes an address that begins with https://.", exitCodes.usage);
  const url = named ?? readGatewayAddress(config) ?? defaultUrl;
  const key = keyFor(config, who, named === undefined);
  return { url, key, keyHeader: who === "admin" ? "x-admin-key" : "x-api-key" };
}

/** The keys of the data folder are for the service that works on it, and for no other. */
function keyFor(config: Config, who: "key" | "admin", isOwn: boolean): string {
  const name = who === "admin" ? "MAGPIE_ADMIN_KEY" : "MAGPIE_API_KEY";
  const given = readSetting(name, readEnv());
  const own = isOwn ? ownKeys(config) : {};
  const key = given ?? (who === "admin" ? own.adminKey : own.bootstrapApiKey);
  if (key !== undefined) return key;
  const what = who === "admin" ? "the admin key" : "an API key";
  throw new CommandError(`Set ${name} to ${what} of the service.`, exitCodes.refused);
}

function ownKeys(config: Config): Partial<Credentials> {
  const path = credentialsPath(config);
  const kept: Partial<Credentials> = existsSync(path) ? JSON.parse(readFileSync(path, "utf8")) : {};
  const { adminKey = kept.adminKey, bootstrapApiKey = kept.bootstrapApiKey } = config;
  return { adminKey, bootstrapApiKey };
}

type Method = "GET" | "POST" | "PATCH" | "DELETE";

const timeoutMs = 60_000;

/** Sends a request to the service. Rejects with the service's own message when it refuses. */
export async function ask<Body>(
  server: Server,
  method: Method,
  path: string,
  body?: unknown,
  waitMs = timeoutMs,
): Promise<Body> {
  const sent = body === undefined ? undefined : { type: "application/json", text: JSON.stringify(body) };
  const text = await askText(server, method, path, sent, waitMs);
  return (text === "" ? undefined : JSON.parse(text)) as Body;
}

/** The same for bodies and answers that are no JSON. */
export async function askText(
  { url, key, keyHeader = "x-api-key" }: Server,
  method: Method,
  path: string,
  body?: { type: string; text: string | Uint8Array },
  waitMs = timeoutMs,
  ended?: AbortSignal,
): Promise<string> {
  const { statusCode, body: answer } = await request(url + path, {
    method,
    signal: AbortSignal.any([AbortSignal.timeout(waitMs), ...(ended ? [ended] : [])]),
    headersTimeout: waitMs,
    headers: { [keyHeader]: key, ...(body && { "content-type": body.type }) },
    ...(body && { body: body.text }),
  }).catch(cause => {
    throw unreachable(url, cause);
  });
  const text = await answer.text();
  if (statusCode >= 300) throw refusal(statusCode, text);
  return text;
}

export function unreachable(url: string, cause: unknown): CommandError {
  const { code, message } = cause as Error & { code?: string };
  const reason = message || code || "no answer";
  return new CommandError(`${url} cannot be reached (${reason}).`, exitCodes.unreachable, { cause });
}

/** The service's refusal in its own words. */
export function refusal(status: number, text: string): CommandError {
  const code =
    status === 401 || status === 403
      ? exitCodes.refused
      : [429, 503, 504].includes(status)
        ? exitCodes.unreachable
        : exitCodes.failed;
  return new CommandError(`${status}: ${messageIn(text)}`, code);
}

function messageIn(text: string): string {
  try {
    const { message, details } = JSON.parse(text) as { message: string; details?: { field: string }[] };
    const fields = (details ?? []).map(({ field }) => field).join(", ");
    return fields === "" ? message : `${message} (${fields})`;
  } catch {
    return text.slice(0, 200);
  }
}
