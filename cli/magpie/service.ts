import { extname, join } from "node:path";
import { Runner, ServiceBroker } from "moleculer";
import { type Config, configFromEnv } from "../../mixins/config/config.ts";
import { brokerOptions } from "../../moleculer.config.ts";
import { isRunning } from "../../services/admin/repl/admin-client.ts";

const root = join(import.meta.dirname, "../..");
/** `.js` in the packed program, `.ts` in the repository. */
const extension = extname(import.meta.filename);

/** The arguments that `npm start` gives to Moleculer's runner, as absolute paths. */
const runnerArgs = [
  ...["-c", join(root, `moleculer.config${extension}`)],
  ...["-m", `**/*.service${extension}`, join(root, "services")],
];

/** Starts the service in this process. A signal ends it. */
export async function startService(flags: string[] = []): Promise<void> {
  await new Runner().start([...process.argv.slice(0, 2), ...flags, ...runnerArgs]);
}

/**
 * Opens a console for administrators. It attaches to the cluster, to the installation at `server`, or to the one that works
 * on the data folder. If there is none, it starts one in this process.
 */
export async function openRepl(server?: string): Promise<void> {
  const config = configFromEnv();
  if (server !== undefined || config.cluster || isRunning(config)) await attach(config, server);
  else await startService(["--repl"]);
}

/** Starts a broker without services, which only runs the console. */
async function attach(config: Config, server?: string): Promise<void> {
  const quiet = { ...config, log: { ...config.log, level: "warn" } };
  const broker = new ServiceBroker(brokerOptions(quiet, server));
  await broker.start();
  const place = config.cluster ? `in the cluster ${config.cluster.namespace}` : `at ${config.dataDir}`;
  const named = server === undefined ? place : `at ${server}`;
  process.stdout.write(`Beside the Magpie ${named}. \`help\` lists the commands.\n`);
  broker.repl();
}
