import { createRequire } from "node:module";
import { Command, CommanderError } from "commander";
import { backup, restore } from "./magpie/backup.ts";
import { completeWords, completion } from "./magpie/completion.ts";
import { batch, crawl } from "./magpie/crawl.ts";
import { doctor } from "./magpie/doctor.ts";
import { events } from "./magpie/events.ts";
import { exportEvents } from "./magpie/export.ts";
import { exitCodes, failureOf } from "./magpie/failure.ts";
import { feeds } from "./magpie/feeds.ts";
import { diff, rehearse, search, source, values, versions } from "./magpie/history.ts";
import { keys } from "./magpie/keys.ts";
import { listen } from "./magpie/listen.ts";
import { map } from "./magpie/map.ts";
import { monitor } from "./magpie/monitor.ts";
import { examples } from "./magpie/options.ts";
import { parse } from "./magpie/parse.ts";
import { scrape } from "./magpie/scrape.ts";
import { printError } from "./magpie/screen.ts";
import { serverOf } from "./magpie/server.ts";
import { site } from "./magpie/site.ts";
import { sources, track, untrack } from "./magpie/sources.ts";
import { webhooks } from "./magpie/webhooks.ts";

const ends = `
Exit codes:
  0  done
  1  the service refused, or the work failed; the message says why
  2  the command line or a setting is wrong
  3  the service does not answer or has no capacity: try again later
  4  the key is missing or refused

MAGPIE_URL names the service, MAGPIE_API_KEY and MAGPIE_ADMIN_KEY hold the keys. In the folder of a service
that runs on this machine (DATA_DIR, by default ./data), nothing has to be set.
`;

const { version } = createRequire(import.meta.url)("../package.json") as { version: string };

const serve = new Command("serve")
  .description("Start the service in this process. Its settings are environment variables.")
  .option("--repl", "with the console for administrators in the same terminal")
  .addHelpText("after", examples(["PORT=8080 magpie serve", "on another port"]))
  .action(async ({ repl }: { repl?: boolean }) => {
    const { startService } = await import("./magpie/service.ts");
    // The service continues when the reader of its log has gone.
    process.stdout.off("error", endWithReader);
    await startService(repl ? ["--repl"] : []);
  });

const repl = new Command("repl")
  .description("Open the console for administrators, beside the service that runs, or with one of its own.")
  .addHelpText("after", examples(["magpie repl --server https://magpie.example", "of another installation"]))
  .action(async (_: unknown, command: Command) => {
    const { openRepl } = await import("./magpie/service.ts");
    const { server } = command.optsWithGlobals() as { server?: string };
    await openRepl(server?.replace(/\/+$/, ""));
  });

const mcp = new Command("mcp")
  .description(
    "Offer the service as tools to a program with a language model (MCP), over standard input and output.",
  )
  .addHelpText("after", examples(["claude mcp add magpie -- magpie mcp", "for Claude Code"]))
  .action(async (_: unknown, command: Command) => {
    const { serveStdio } = await import("./mcp.ts");
    const { url, key } = serverOf(command.optsWithGlobals());
    await serveStdio({ url, apiKey: key });
  });

const telegramLogin = new Command("telegram:login")
  .description("Log the account of Telegram in, once; its session is kept for the service.")
  .addHelpText("after", examples(["magpie telegram:login", "asks for number, code and password"]))
  .action(async () => {
    const { logInToTelegram } = await import("./telegram-login.ts");
    await logInToTelegram();
  });

/** Creates the command `magpie` with all of its subcommands. */
export function createProgram(): Command {
  const program = new Command("magpie")
    .description("Reads, crawls and tracks the web, and tells your programs what is new.")
    .version(version)
    .option("--json", "JSON for programs: an object a line")
    .option("--server <url>", "the service to ask, instead of MAGPIE_URL")
    .configureHelp({ showGlobalOptions: true })
    .showHelpAfterError("(--help shows what there is)")
    .addHelpText(
      "after",
      examples(
        ["magpie serve", "start a service here; Ctrl-C ends it"],
        ["magpie scrape https://example.com/", "in another terminal, in the same folder"],
      ) + ends,
    );
  for (const command of [
    serve,
    scrape,
    parse,
    map,
    crawl,
    batch,
    track,
    untrack,
    sources,
    source,
    versions,
    diff,
    values,
    rehearse,
    search,
    site,
    monitor,
    events,
    exportEvents,
    webhooks,
    feeds,
    listen,
    keys,
    doctor,
    backup,
    restore,
  ])
    program.addCommand(command);
  program
    .addCommand(mcp)
    .addCommand(repl)
    .addCommand(telegramLogin)
    .addCommand(completion)
    .addCommand(completeWords, { hidden: true });
  const inner = [keys, sources, webhooks, feeds, site, monitor].flatMap(each => each.commands);
  for (const each of [program, ...program.commands, ...inner]) each.exitOverride();
  for (const each of [...program.commands, ...inner]) each.copyInheritedSettings(program);
  return program;
}

/** Ends the process when the reader of its output has closed the pipe, as `head` does in `magpie events | head`. */
function endWithReader(error: NodeJS.ErrnoException): void {
  if (error.code !== "EPIPE") throw error;
  process.exit(exitCodes.done);
}

/** Runs the command line of this process. */
export async function main(): Promise<void> {
  process.stdout.on("error", endWithReader);
  try {
    await createProgram().parseAsync();
  } catch (error) {
    process.exitCode = end(error);
  }
}

/** Prints an error unless Commander has printed it, and answers with the exit code. */
function end(error: unknown): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? exitCodes.done : exitCodes.usage;
  const { message, exitCode } = failureOf(error);
  printError(message);
  return exitCode;
}
