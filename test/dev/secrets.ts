import { toConfig } from "../../mixins/config/config.ts";
import { loadCredentials } from "../../mixins/config/credentials.ts";
import { readEnv } from "../../mixins/config/env.ts";
import { generateKey } from "../../services/domain/key/generate-key.ts";

export interface Secrets {
  ADMIN_KEY: string;
  MASTER_SECRET: string;
  BOOTSTRAP_API_KEY: string;
}

/** Those of the environment, else those that are kept in the folder, else new ones, which are kept there. */
export function secretsOf(env: NodeJS.ProcessEnv, folder: string): Secrets {
  const { ADMIN_KEY, MASTER_SECRET, BOOTSTRAP_API_KEY } = readEnv(env);
  const config = toConfig({
    ...(ADMIN_KEY && { ADMIN_KEY }),
    ...(MASTER_SECRET && { MASTER_SECRET }),
    ...(BOOTSTRAP_API_KEY && { BOOTSTRAP_API_KEY }),
    DATA_DIR: folder,
  });
  const { adminKey, masterSecret, bootstrapApiKey } = loadCredentials(config, generateKey);
  if (bootstrapApiKey === undefined) throw new TypeError("one installation makes all of its secrets");
  return { ADMIN_KEY: adminKey, MASTER_SECRET: masterSecret, BOOTSTRAP_API_KEY: bootstrapApiKey };
}
