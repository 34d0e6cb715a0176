import { existsSync, readFileSync } from "node:fs";
import { type Config, configFromEnv } from "../../mixins/config/config.ts";
import { type Credentials, credentialsPath } from "../../mixins/config/credentials.ts";
import { readEnv, readSetting } from "../../mixins/config/env.ts";
import { readGatewayAddress } from "../../mixins/config/gateway-address.ts";
import { Magpie } from "../../sdk/typescript/src/index.ts";
import { CommandError, exitCodes } from "./failure.ts";

/** A running service, and the key to send. */
export interface Server {
  url: string;
  key: string;
}

const defaultUrl = "http://127.0.0.1:3000";

type KeyKind = "key" | "admin";

/** The service to ask: `--server`, MAGPIE_URL, or the one that works on the data folder of this machine. */
export function serverOf({ server }: { server?: string }, kind: KeyKind = "key"): Server {
  const config = configFromEnv();
  const named = server?.replace(/\/+$/, "") ?? readSetting("MAGPIE_URL", readEnv());
  if (named !== undefined && !/^https?:\/\//.test(named))
    throw new CommandError("--server takes an address that begins with https://.", exitCodes.usage);
  const url = named ?? readGatewayAddress(config) ?? defaultUrl;
  return { url, key: keyFor(config, kind, named === undefined) };
}

/** The keys of the data folder are for the service that works on it, and for no other. */
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
 * How often a request is sent again: a command says at once that the service refuses or is away. A connection that breaks
 * is tried once more, since Node ends one after five minutes without an answer, and a scrape may take ten.
 */
const impatient = { retries: 1, maxWaitMs: 0 };

/** The client of the service for a command. */
export function clientOf(options: { server?: string }): Magpie {
  return clientAt(serverOf(options));
}

/** The client for the operations below `/internal`. */
export function adminClientOf(options: { server?: string }): Magpie {
  const { url, key } = serverOf(options, "admin");
  return new Magpie({ url, adminKey: key, ...impatient });
}

export function clientAt({ url, key }: Server): Magpie {
  return new Magpie({ url, apiKey: key, ...impatient });
}

/** A job survives a restart of the service, and so does its reader: it asks again for about a minute and a half. */
export function patientClientAt({ url, key }: Server): Magpie {
  return new Magpie({ url, apiKey: key, retries: 8 });
}
