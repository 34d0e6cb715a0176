/**
 * `npm run dev`: the whole program with its REPL, which starts again after each change.
 *
 * `npm run dev -- --service scraper`: the scraper in a process of its own, which starts again after each change, and all
 * other services in a second process, which keeps running. Servers that NATS_URL, REDIS_URL and MONGO_URL do not name are
 * started, and their data end with them.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { toConfig } from "../../mixins/config/config.ts";
import { readEnv } from "../../mixins/config/env.ts";
import { showProgress } from "../../mixins/runtime/show-progress.ts";
import { banner } from "../../services/api/banner.ts";
import { startArgs } from "../support/start-args.ts";
import { until } from "../support/until.ts";
import { watchedService } from "./options.ts";
import { secretsOf } from "./secrets.ts";
import { addresses, type Servers, startServers, stopServers } from "./servers.ts";
import { ServiceProcess } from "./service-process.ts";
import { serviceNames } from "./start-cluster.ts";

const startDeadlineMs = 120_000;
/** A process may take 25 s to end what it has in hand. */
const endMs = 28_000;
/** Log lines, and what Node says of the watched process; not the start banner of a node alone. */
const worthPrinting = /^(\{|\d\d:\d\d:\d\d |magpie cannot start|Restarting|Failed running|Completed running)/;

try {
  const service = watchedService(process.argv.slice(2), serviceNames());
  await (service === undefined ? watchAll() : watchOne(service));
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error));
  process.exit(1);
}

async function watchAll(): Promise<void> {
  const child = spawn(process.execPath, ["--watch", ...startArgs, "--repl"], { stdio: "inherit" });
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => child.kill(signal));
  const [code] = await once(child, "exit");
  process.exitCode = code ?? 0;
}

async function watchOne(service: string): Promise<void> {
  const env = readEnv();
  const folder = join(env.DATA_DIR ?? "./data", "dev");
  const stop = Promise.withResolvers<void>();
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => stop.resolve());
  const servers = await showProgress("Starting the servers", () => startServers(env, { detached: true }));
  const others = serviceNames().filter(name => name !== service);
  const start = (label: string, services: string[], nodeArgs: string[]) =>
    new ServiceProcess({
      service: services.join(","),
      nodeArgs,
      detached: true,
      env: { ...process.env, PORT: env.PORT ?? "3000", ...placeOf(servers, folder, label) },
      print: line => worthPrinting.test(line) && console.log(`${label} | ${line}`),
      died: how => console.error(`${label} ${how}`),
    });
  const processes = [start("others", others, []), start(service, [service], ["--watch"])];
  console.log(`${service} starts again after each change of its files; ${others.join(", ")} keep running.`);
  introduce(processes, folder).catch(error => console.error(String(error)));
  await stop.promise;
  const end = AbortSignal.timeout(endMs);
  await Promise.all(processes.map(each => each.stop(end)));
  await stopServers(servers);
  process.exit(0);
}

/** Where a process of this installation finds the servers, the secrets and a folder of its own. */
function placeOf(servers: Servers, folder: string, label: string): NodeJS.ProcessEnv {
  return { ...secretsOf(process.env, folder), ...addresses(servers), DATA_DIR: join(folder, label) };
}

async function introduce(processes: ServiceProcess[], folder: string): Promise<void> {
  const address = () => processes.find(each => each.address)?.address;
  await until("the gateway listens", () => address() !== undefined, startDeadlineMs);
  const { NATS_URL, REDIS_URL, MONGO_URL, ...others } = readEnv();
  const ready = await fetch(`${address()}/health/ready`, { signal: AbortSignal.timeout(15_000) });
  const config = toConfig({ ...others, DATA_DIR: folder });
  console.log(banner(config, address() ?? "", await ready.json()).join("\n"));
}
