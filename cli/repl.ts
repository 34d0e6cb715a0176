import { parseArgs } from "node:util";
import { Runner, ServiceBroker } from "moleculer";
import { type Config, configFromEnv } from "../mixins/config/config.ts";
import { refuseToStart } from "../mixins/runtime/start-errors.middleware.ts";
import { brokerOptions } from "../moleculer.config.ts";
import { isRunning } from "./repl/admin-client.ts";

const runner = ["--repl", "-c", "moleculer.config.ts", "-m", "**/*.service.ts", "services"];

/**
 * `npm run repl`: a console for administrators. It attaches to the cluster, to the installation at `--server`, or to the
 * one that works on the data folder. If there is none, it starts one in this process.
 */
async function main(): Promise<void> {
  const { values } = parseArgs({ options: { server: { type: "string" } } });
  const config = configFromEnv();
  const server = values.server?.replace(/\/+$/, "");
  if (server !== undefined || config.cluster || isRunning(config)) await attach(config, server);
  else await new Runner().start([...process.argv.slice(0, 2), ...runner]);
}

/** A broker without services; it only runs the console. */
async function attach(config: Config, server?: string): Promise<void> {
  const quiet = { ...config, log: { ...config.log, level: "warn" } };
  const broker = new ServiceBroker(brokerOptions(quiet, server));
  await broker.start();
  const place = config.cluster ? `in the cluster ${config.cluster.namespace}` : `at ${config.dataDir}`;
  const named = server === undefined ? place : `at ${server}`;
  process.stdout.write(`Beside the Magpie ${named}. \`help\` lists the commands.\n`);
  broker.repl();
}

main().catch(refuseToStart);
