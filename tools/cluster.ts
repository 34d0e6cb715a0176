/**
 * `npm run cluster -- [--nodes scraper=2,webhook-dispatcher=2] [--replica-set]`: every service in a process of its own over NATS, Redis and
 * MongoDB. Servers that NATS_URL, REDIS_URL and MONGO_URL do not name are started, and their data end with them.
 */
import { join } from "node:path";
import { toConfig } from "../mixins/config/config.ts";
import { readEnv } from "../mixins/config/env.ts";
import { showProgress } from "../mixins/runtime/show-progress.ts";
import { banner } from "../services/api/banner.ts";
import { type WantedCluster, wantedCluster } from "../test/dev/options.ts";
import type { ServiceNode } from "../test/dev/service-node.ts";
import { type Cluster, serviceNames, startCluster } from "../test/dev/start-cluster.ts";
import { whoIsWhere } from "../test/dev/who-is-where.ts";

const env = readEnv();
const folder = join(env.DATA_DIR ?? "./data", "cluster");
/** What a service prints beside its log is the start banner of a node alone. */
const logLine = /^(\{|\d\d:\d\d:\d\d |magpie cannot start)/;
const label = ({ service, number }: ServiceNode) => `${service}-${number}`;

let cluster: Cluster | undefined;
let ending: Promise<void> | undefined;
for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => void end());

try {
  const wanted = wantedCluster(process.argv.slice(2), serviceNames());
  cluster = await showProgress("Starting the servers, and a process for each node", () => start(wanted));
  await introduce(cluster);
} catch (error) {
  console.error(`The cluster cannot start: ${error instanceof Error ? error.message : String(error)}`);
  process.exit(1);
}

function start(wanted: WantedCluster): Promise<Cluster> {
  return startCluster({
    ...wanted,
    env: { PORT: env.PORT ?? "3000" },
    folder,
    detached: true,
    print: (node, line) => logLine.test(line) && console.log(`${label(node)} | ${line}`),
    // While it starts, the death of a node is the reason that it cannot start.
    died: (node, how) =>
      cluster && console.error(`${label(node)} (pid ${node.pid}) ${how}. The others go on without it.`),
  });
}

async function introduce(cluster: Cluster): Promise<void> {
  const ready = await fetch(`${cluster.url}/health/ready`, { signal: AbortSignal.timeout(15_000) });
  const { NATS_URL, REDIS_URL, MONGO_URL, ...others } = env;
  const config = toConfig({ ...others, DATA_DIR: folder });
  const kept = NATS_URL && REDIS_URL && MONGO_URL;
  console.log(whoIsWhere(cluster).join("\n"));
  if (!kept) console.log("What the servers keep that were started here is gone with them.");
  console.log(banner(config, cluster.url, await ready.json()).join("\n"));
}

/** While it still starts, leaving takes with it what it has started. */
async function end(): Promise<void> {
  ending ??= cluster?.stop();
  await ending;
  process.exit(0);
}
