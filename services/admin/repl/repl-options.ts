import type { BrokerOptions, Middleware, ServiceBroker } from "moleculer";
import type { Config } from "../../../mixins/config/config.ts";
import { adminClient, findGateway } from "./admin-client.ts";
import type { Command, Drawing, Line, Tools } from "./command.ts";
import { backfill, dispatch } from "./ingest-commands.ts";
import { jobs, keys, lanes, sources } from "./list-commands.ts";

const commands = [backfill, dispatch, keys, sources, lanes, jobs];

export interface Repl {
  options: NonNullable<BrokerOptions["replOptions"]>;
  /** Lets running commands end before the broker stops. This matters when the lines come from a file. */
  middleware: Middleware;
}

/**
 * The REPL of a broker with Magpie's commands. They call the admin endpoints of the installation at `server`, in the
 * cluster or at the data folder. So they work the same inside its process, beside it and from another machine.
 */
export function replOptions(config: Config, server?: string): Repl {
  let last: Promise<void> = Promise.resolve();
  /** Commands run one after another, since the lines of a file arrive at once. */
  const inTurn = (work: () => Promise<void>) => {
    last = last.then(work);
    return last;
  };
  const customCommands = commands.map(({ run, ...command }) => ({
    ...command,
    action: (broker: ServiceBroker, { options, ...args }: Typed, drawing: Drawing) => {
      const ask = adminClient(config, () => findGateway(broker, config, server));
      return inTurn(() => runCommand(run, { args, options }, { ...drawing, ask, screen: process.stdout }));
    },
  }));
  return {
    // Moleculer's types say that a command receives a list of words.
    options: { delimiter: "magpie $", customCommands: customCommands as never },
    middleware: { name: "WaitForCommands", stopping: () => last },
  };
}

/** A line as moleculer-repl passes it. */
type Typed = Record<string, string | undefined> & { options: Line["options"] };

/** Prints an error as its message; the REPL itself would print a stack. */
async function runCommand(run: Command["run"], line: Line, tools: Tools): Promise<void> {
  try {
    await run(line, tools);
  } catch (error) {
    tools.screen.write(`${error instanceof Error ? error.message : String(error)}\n`);
  }
}
