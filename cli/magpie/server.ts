import { existsSync, readFileSync } from "node:fs";
import { type Config, configFromEnv } from "../../mixins/config/config.ts";
import { type Credentials, credentialsPath } from "../../mixins/config/credentials.ts";
import { readEnv, readSetting } from "../../mixins/config/env.ts";
import { readGatewayAddress } from "../../mixins/config/gateway-address.ts";
import { Magpie } from "../../sdk/typescript/src/index.ts";
import { CommandError, exitCodes } from "./failure.ts";

/** The address of a running service, and the key to send to it. */
export interface Server {
  url: string;
  key: string;
}

const defaultUrl = "http://127.0.0.1:3000";

type KeyKind = "key" | "admin";

/** Finds the service to ask: `--server`, MAGPIE_URL, or the one that works on the data folder of this machine. */
export function serverOf({ server }: { server?: string }, kind: KeyKind = "key"): Server {
  const config = configFromEnv();
  const named = server?.replace(/\/+$/, "") ?? readSetting("MAGPIE_URL", readEnv());
  if (named !== undefined && !/^https?:\/\//.test(named))
    throw new CommandError("--server takes an address that begins with https://.", exitCodes.usage);
  const url = named ?? readGatewayAddress(config) ?? defaultUrl;
  return { url, key: keyFor(config, kind, named === undefined) };
}

/** Finds the key to send. Keys of the data folder go only to the service that works on it. */
function keyFor(config: Config, kind: KeyKind, isOwn: boolean): string {
  const name = kind === "admin" ? "MAGPIE_ADMIN_KEY" : "MAGPIE_API_KEY";
  const given = readSetting(name, readEnv());
  const own = isOwn ? ownKeys(config) : {};
  const key = given ?? (kind === "admin" ? own.adminKey : own.bootstrapApiKey);
  if (key !== undefined) return key;
  const what = kind === "admin" ? "the admin key" : "an API key";
  throw new CommandError(`Set ${name} to ${what} of the service.`, exitCodes.refused);
}

function ownKeys(config: Config): Partial<Credentials> {
  const path = credentialsPath(config);
  const kept: Partial<Credentials> = existsSync(path) ? JSON.parse(readFileSync(path, "utf8")) : {};
  const { adminKey = kept.adminKey, bootstrapApiKey = kept.bootstrapApiKey } = config;
  return { adminKey, bootstrapApiKey };
}

/**
 * A command says at once that the service refuses or is away, so it does not wait for capacity. It repeats a request once
 * after a broken connection: Node ends a connection after five minutes without an answer, and a scrape may take ten.
 */
const impatient = { retries: 1, maxWaitMs: 0 };

/** Creates the client of the service that the options name. */
export function clientOf(options: { server?: string }): Magpie {
  return clientAt(serverOf(options));
}

/** Creates the client for the operations below `/internal`. */
export function adminClientOf(options: { server?: string }): Magpie {
  const { url, key } = serverOf(options, "admin");
  return new Magpie({ url, adminKey: key, ...impatient });
}

export function clientAt({ url, key }: Server): Magpie {
  return new Magpie({ url, apiKey: key, ...impatient });
}

/**
 * Creates a client that repeats a request for about a minute and a half: a job survives a restart of the service, and its
 * reader must, too.
 */
export function patientClientAt({ url, key }: Server): Magpie {
  return new Magpie({ url, apiKey: key, retries: 8 });
}
