import { randomBytes } from "node:crypto";
import {
  closeSync,
  existsSync,
  fsyncSync,
  linkSync,
  openSync,
  readFileSync,
  renameSync,
  unlinkSync,
  writeSync,
} from "node:fs";
import { dirname, join } from "node:path";
import type { Config } from "./config.ts";
import { ConfigError } from "./env.ts";
import { makeFolder } from "./make-folder.ts";

/** The secrets that an installation cannot run without. */
export interface Credentials {
  adminKey: string;
  masterSecret: string;
  /** In a cluster undefined unless given: it starts without a key. */
  bootstrapApiKey: string | undefined;
}

/** Where an embedded installation keeps what it generated. */
export function credentialsPath(config: Pick<Config, "dataDir">): string {
  return join(config.dataDir, "credentials.json");
}

/**
 * The secrets from the environment, else those kept in the data folder, else new ones, which are kept (mode 0600)
 * before they are used. Those of the environment are never written down. Of two processes that start on an empty
 * folder, both use the secrets of the first. The nodes of a cluster share no folder: each must be given those it uses.
 */
export function loadCredentials(
  config: Config,
  generateApiKey: (random: typeof randomBytes) => string,
): Credentials {
  if (config.cluster) return given(config);
  const path = credentialsPath(config);
  const kept = read(path);
  const complete = {
    adminKey: kept.adminKey ?? randomBytes(24).toString("base64url"),
    masterSecret: kept.masterSecret ?? randomBytes(32).toString("base64url"),
    bootstrapApiKey: kept.bootstrapApiKey ?? generateApiKey(randomBytes),
  };
  const missing = Object.keys(complete).some(name => !(name in kept) && !config[name as keyof Credentials]);
  if (missing && !keepOrTell(path, { ...kept, ...generated(complete, config) }, kept))
    return loadCredentials(config, generateApiKey);
  return {
    adminKey: config.adminKey ?? complete.adminKey,
    masterSecret: config.masterSecret ?? complete.masterSecret,
    bootstrapApiKey: config.bootstrapApiKey ?? complete.bootstrapApiKey,
  };
}

/** A node needs only the secrets that its services use. */
function given({ adminKey, masterSecret, bootstrapApiKey }: Config): Credentials {
  return {
    get adminKey() {
      return required("ADMIN_KEY", adminKey);
    },
    get masterSecret() {
      return required("MASTER_SECRET", masterSecret);
    },
    bootstrapApiKey,
  };
}

function required(name: string, value: string | undefined): string {
  if (value === undefined)
    throw new ConfigError(name, "required in a cluster, and the same on every node that runs this service");
  return value;
}

function read(path: string): Partial<Credentials> {
  if (!existsSync(path)) return {};
  try {
    return JSON.parse(readFileSync(path, "utf8"));
  } catch (cause) {
    throw new Error(
      `${path} cannot be read: restore it, since the stored API keys cannot be read without it`,
      {
        cause,
      },
    );
  }
}

function generated(credentials: Credentials, config: Config): Partial<Credentials> {
  return Object.fromEntries(
    Object.entries(credentials).filter(([name]) => !config[name as keyof Credentials]),
  );
}

/** False when another process has kept some in the meantime. */
function keepOrTell(path: string, credentials: Partial<Credentials>, before: Partial<Credentials>): boolean {
  try {
    makeFolder(dirname(path), 0o700);
    return keep(path, credentials, Object.keys(before).length > 0);
  } catch (cause) {
    throw new Error(`DATA_DIR: ${path} cannot be written (${(cause as Error).message})`, { cause });
  }
}

function keep(path: string, credentials: Partial<Credentials>, replaces: boolean): boolean {
  const draft = `${path}.${process.pid}`;
  const file = openSync(draft, "w", 0o600);
  writeSync(file, `${JSON.stringify(credentials, null, 2)}\n`);
  fsyncSync(file);
  closeSync(file);
  if (replaces) renameSync(draft, path);
  return replaces || publish(draft, path);
}

/** A link, unlike a renaming, replaces nothing. */
function publish(draft: string, path: string): boolean {
  try {
    linkSync(draft, path);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    return false;
  } finally {
    unlinkSync(draft);
  }
}
