import { randomUUID } from "node:crypto";
import { globSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ServiceBroker, type ServiceSchema } from "moleculer";
import { type Config, toConfig } from "../../../mixins/config/config.ts";
import { readEnv } from "../../../mixins/config/env.ts";
import { brokerOptions } from "../../../moleculer.config.ts";
import type { Server } from "./client.ts";

const services = join(import.meta.dirname, "..", "..");

/** The whole service in this process: a free port, a folder and a key of its own, all gone with it. */
export async function openHouse(): Promise<Server & { close(): Promise<void> }> {
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
    for (const file of globSync("*/*.service.ts", { cwd: services }))
      broker.createService((await roomIn(join(services, file)))(config));
    await broker.start();
  } catch (error) {
    await close();
    throw error;
  }
  const gateway = broker.getLocalService("api") as unknown as { address: string };
  return { url: gateway.address, key, close };
}

type Room = (config: Config) => ServiceSchema;

/** Found by its file, as the runner finds it, since no room knows another. */
async function roomIn(file: string): Promise<Room> {
  const exported = Object.entries((await import(file)) as Record<string, unknown>);
  const [, room] = exported.find(([name]) => name.endsWith("Service")) ?? [];
  if (typeof room !== "function") throw new TypeError(`${file} exports no room`);
  return room as Room;
}
