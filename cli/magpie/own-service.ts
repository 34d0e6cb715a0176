import { randomUUID } from "node:crypto";
import { globSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ServiceBroker, type ServiceSchema } from "moleculer";
import { type Config, toConfig } from "../../mixins/config/config.ts";
import { readEnv } from "../../mixins/config/env.ts";
import { brokerOptions } from "../../moleculer.config.ts";
import type { Server } from "./server.ts";

const services = join(import.meta.dirname, "../../services");

/** Starts all services in this process, on a free port, with a temporary folder and key. `close` removes the folder. */
export async function openOwnService(): Promise<Server & { close(): Promise<void> }> {
  const dataDir = await mkdtemp(join(tmpdir(), "magpie-crawl-"));
  const key = `crawl-${randomUUID()}`;
  const own = { HOST: "127.0.0.1", PORT: "0", DATA_DIR: dataDir, BOOTSTRAP_API_KEY: key };
  const config = toConfig({ LOG_LEVEL: "error", ...readEnv(), ...own });
  const broker = new ServiceBroker({ ...brokerOptions(config), skipProcessEventRegistration: true });
  const close = async () => {
    await broker.stop();
    await rm(dataDir, { recursive: true, force: true });
  };
  try {
    for (const file of globSync("*/*.service.{ts,js}", { cwd: services }))
      broker.createService((await serviceIn(join(services, file)))(config));
    await broker.start();
  } catch (error) {
    await close();
    throw error;
  }
  const gateway = broker.getLocalService("api") as unknown as { address: string };
  return { url: gateway.address, key, close };
}

type CreateService = (config: Config) => ServiceSchema;

/** Finds a service by its file name, as Moleculer's runner does. */
async function serviceIn(file: string): Promise<CreateService> {
  const exported = Object.entries((await import(file)) as Record<string, unknown>);
  const [, create] = exported.find(([name]) => name.endsWith("Service")) ?? [];
  if (typeof create !== "function") throw new TypeError(`${file} exports no service`);
  return create as CreateService;
}
