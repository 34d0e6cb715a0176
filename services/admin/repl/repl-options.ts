import type { BrokerOptions, Middleware, ServiceBroker } from "moleculer";
import type { Config } from "../../../mixins/config/config.ts";
import * as acts from "./act-commands.ts";
import { adminClient, findGateway } from "./admin-client.ts";
import type { Command, Drawing, Line, Tools } from "./command.ts";
import { backfill, dispatch } from "./ingest-commands.ts";
import { jobs, keys, lanes, sources } from "./list-commands.ts";

const commands = [backfill, dispatch, keys, sources, lanes, jobs, ...Object.values(acts)];

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
    middleware: { name: "Console", created: completeOptions, stopping: () => last },
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

/** The options of a command that begin as the last word of a line does; undefined where the line is no such command. */
export function optionsFor(line: string): [hits: string[], word: string] | undefined {
  const [name, ...rest] = line.trimStart().split(/\s+/);
  const word = rest.at(-1);
  const found = commands.find(({ command }) => command.split(" ")[0] === name);
  if (!found || word === undefined || !(word === "" || word.startsWith("-"))) return undefined;
  const names = (found.options ?? []).map(({ option }) => option.split(" ")[0] ?? "");
  const left = names.filter(each => !rest.slice(0, -1).includes(each));
  return [left.filter(each => each.startsWith(word)).map(each => `${each} `), word];
}

type Completer = (line: string, done: (error: null, found: [string[], string]) => void) => void;

/** The console of moleculer-repl completes the names of commands alone. */
function completeOptions(broker: ServiceBroker): void {
  const open = broker.repl.bind(broker) as () => { completer?: Completer } | undefined;
  broker.repl = (() => {
    const console = open();
    const others = console?.completer;
    if (console && others)
      console.completer = (line, done) => {
        const options = optionsFor(line);
        if (options) done(null, options);
        else others.call(console, line, done);
      };
    return console;
  }) as typeof broker.repl;
}
