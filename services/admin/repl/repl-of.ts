import type { BrokerOptions, Middleware, ServiceBroker } from "moleculer";
import type { Config } from "../../../mixins/config/config.ts";
import { backfill } from "./backfill.ts";
import type { Command, Drawing, Line, Tools } from "./command.ts";
import { dispatch } from "./dispatch.ts";
import { findGateway } from "./find-gateway.ts";
import { installation } from "./installation.ts";
import { jobs, keys, lanes, sources } from "./lists.ts";

const commands = [backfill, dispatch, keys, sources, lanes, jobs];

export interface Repl {
  options: NonNullable<BrokerOptions["replOptions"]>;
  /** Lets commands under way end before the broker stops, as where their lines came from a file. */
  middleware: Middleware;
}

/**
 * The REPL of a broker, with the commands of this room. They ask the installation at `server`, else that of the cluster
 * or the data folder, over its admin endpoints: so they are the same in its own process, beside it, and away from it.
 */
export function replOf(config: Config, server?: string): Repl {
  let last: Promise<void> = Promise.resolve();
  /** One after another, since lines of a file come all at once. */
  const inTurn = (work: () => Promise<void>) => {
    last = last.then(work);
    return last;
  };
  const customCommands = commands.map(({ run, ...command }) => ({
    ...command,
    action: (broker: ServiceBroker, { options, ...args }: Typed, drawing: Drawing) => {
      const ask = installation(config, () => findGateway(broker, config, server));
      return inTurn(() => tell(run, { args, options }, { ...drawing, ask, screen: process.stdout }));
    },
  }));
  return {
    // Moleculer's types say that a command is given a list of words.
    options: { delimiter: "magpie $", customCommands: customCommands as never },
    middleware: { name: "WaitForCommands", stopping: () => last },
  };
}

/** How moleculer-repl hands a line over. */
type Typed = Record<string, string | undefined> & { options: Line["options"] };

/** What is refused is told in a sentence; the REPL itself would print a stack. */
async function tell(run: Command["run"], line: Line, tools: Tools): Promise<void> {
  try {
    await run(line, tools);
  } catch (error) {
    tools.screen.write(`${error instanceof Error ? error.message : String(error)}\n`);
  }
}
