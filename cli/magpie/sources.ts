import { readFile } from "node:fs/promises";
import { buffer } from "node:stream/consumers";
import { Argument, Command, Option } from "commander";
import { type components, dataOf, itemsOf, type OpmlImport } from "../../sdk/typescript/src/index.ts";
import { type SourceKind, sourceKinds } from "../../services/contracts/source.ts";
import { CommandError, exitCodes } from "./failure.ts";
import { collect, examples, type Given, jsonIn } from "./options.ts";
import { note, oneLine, printJson, printTable, printText, whileWaiting } from "./screen.ts";
import { clientOf } from "./server.ts";

type TrackRequest = components["schemas"]["TrackRequest"];

const kinds = [...sourceKinds];

/** Adds the options that say how a source is watched. */
export function watchOptions(command: Command): Command {
  return command
    .option("--tag <word>", "a word to sort it by; may be given again", collect)
    .option("--interval <time>", "how often to check: 15m, 2h, 1d")
    .option("--select <selector>", "only this part of the page, by CSS or XPath; may be given again", collect)
    .option("--remove <selector>", "without this part of the page; may be given again", collect)
    .option("--ignore <text>", "not lines with this text, or that match /this/; may be given again", collect)
    .option("--options <file>", "more options of POST /track, as JSON");
}

/** `magpie track <kind> <address>`. */
export const track = watchOptions(new Command("track"))
  .description("Track a feed, a page or an account: what is new becomes an event.")
  .addArgument(new Argument("<kind>", "of source").choices(kinds))
  .argument("<address>", "a URL, a user name, an invite")
  .option("--preview", "track nothing; show what would be watched, and whether that would make an event now")
  .addHelpText(
    "after",
    examples(
      ["magpie track rss https://example.com/feed.xml", "a feed"],
      ["magpie track web https://example.com/prices", "a page, whenever its content changes"],
      ["magpie track microblog corvid_lab", "an account"],
      [
        "magpie track web https://example.com/prices --select '#price' --tag shop",
        "a part of a page, with a tag",
      ],
      ["magpie track web https://example.com/prices --select '#price' --preview", "what that would see"],
    ),
  )
  .action(async (kind: SourceKind, address: string, _: unknown, command: Command) => {
    const options = command.optsWithGlobals() as Given & WatchGiven & { preview?: boolean };
    const body = { sid: address, ...(await watchOf(options)) };
    if (options.preview) return preview(options, kind, body);
    const params = { path: { source: kind } };
    const asked = clientOf(options).raw.POST("/track/{source}", { params, body });
    const answer = dataOf(await whileWaiting(`Checking ${address}`, asked));
    if (options.json) printJson("jobId" in answer ? answer : answer.data);
    else
      printText(
        "jobId" in answer ? `${answer.message} (${answer.jobId})` : `${answer.data.id}  ${answer.message}`,
      );
  });

async function preview(options: Given, kind: SourceKind, body: TrackRequest): Promise<void> {
  const params = { path: { source: kind } };
  const asked = clientOf(options).raw.POST("/track/{source}/preview", { params, body });
  const { data } = dataOf(await whileWaiting(`Checking ${body.sid}`, asked));
  if (options.json) return printJson(data);
  const { view, text, items } = data;
  for (const { title, url } of items ?? []) printText([oneLine(title ?? ""), url].filter(Boolean).join("  "));
  if (view?.fields) printJson(view.fields);
  else if (view || text) printText(view?.text ?? text ?? "");
  if (view?.past) note(view.past.why);
  if (view) note(`Would make an event now: ${view.would_fire ?? "not known"}. ${view.why}`);
}

/** The options that say how a source is watched. */
export interface WatchGiven {
  tag?: string[];
  interval?: string;
  select?: string[];
  remove?: string[];
  ignore?: string[];
  options?: string;
}

/** Turns the options of a source into a field of a request. The service checks them and names what is wrong. */
export async function watchOf({
  tag,
  interval,
  select,
  remove,
  ignore,
  options,
}: WatchGiven): Promise<Pick<TrackRequest, "options">> {
  const more = options === undefined ? {} : Object(await jsonIn(options));
  const named = { ...more, tags: tag ?? more.tags, interval: interval ?? more.interval };
  const all = {
    ...named,
    select: select ?? more.select,
    remove: remove ?? more.remove,
    ignore: ignore ?? more.ignore,
  };
  const given = Object.entries(all).filter(([, value]) => value !== undefined);
  return given.length === 0 ? {} : { options: Object.fromEntries(given) };
}

/** `magpie untrack <kind> <id>`. */
export const untrack = new Command("untrack")
  .description("Stop tracking a source.")
  .addArgument(new Argument("<kind>", "of source").choices(kinds))
  .argument(
    "<id>",
    "its id as `magpie sources` shows it, or what its platform calls it: a feed's or page's URL",
  )
  .addHelpText("after", examples(["magpie untrack rss https://example.com/feed.xml", "a feed"]))
  .action(async (kind: SourceKind, id: string, _: unknown, command: Command) => {
    const options = command.optsWithGlobals() as Given;
    const body = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(id) ? { iid: id } : { eid: id };
    const params = { path: { source: kind } };
    const answer = dataOf(await clientOf(options).raw.DELETE("/track/{source}", { params, body }));
    if (options.json) printJson(answer.data);
    else printText(answer.message);
  });

const exportCommand = new Command("export")
  .description("Print what the key tracks as OPML, which readers of feeds take.")
  .addHelpText("after", examples(["magpie sources export > sources.opml", "into a file"]))
  .action(async (_: unknown, command: Command) => {
    printText(await clientOf(command.optsWithGlobals()).exportSources());
  });

const importCommand = new Command("import")
  .description("Track what an OPML file names. Folders become tags.")
  .argument("<file>", "as a reader of feeds exports it; - for standard input")
  .option("--sync", "make the list equal to the file: feeds that it does not name are no longer tracked")
  .option("--dry-run", "only say what would happen")
  .addHelpText(
    "after",
    examples(
      ["magpie sources import feeds.opml", "what is new in it"],
      ["magpie sources import feeds.opml --sync --dry-run", "what would be added and removed"],
    ),
  )
  .action(async (file: string, _: unknown, command: Command) => {
    const options = command.optsWithGlobals() as Given & { sync?: boolean; dryRun?: boolean };
    const asked = clientOf(options).importSources(await opmlIn(file), options);
    const { message, ...done } = await whileWaiting(`Importing ${file}`, asked);
    for (const entry of done.entries)
      if (options.json) printJson(entry);
      else if (entry.outcome !== "kept") printText(entryLine(entry));
    note(
      done.batch_id !== null && done.pending > 0
        ? `${message} The rest continues in ${done.batch_id}.`
        : message,
    );
    if (done.failed > 0) process.exitCode = exitCodes.failed;
  });

async function opmlIn(file: string): Promise<Uint8Array> {
  try {
    return file === "-" ? await buffer(process.stdin) : await readFile(file);
  } catch (cause) {
    throw new CommandError(`${file} cannot be read (${(cause as Error).message}).`, exitCodes.usage);
  }
}

function entryLine({ line, outcome, title, sid, error }: OpmlImport["entries"][number]): string {
  const place = line === null ? "-" : String(line);
  return [place, outcome, oneLine(title), oneLine(sid ?? ""), oneLine(error?.message ?? "")]
    .join("  ")
    .trimEnd();
}

interface ListGiven {
  kind?: SourceKind;
  health?: "ok" | "failing" | "gone";
  query?: string;
  tag?: string;
}

/** `magpie sources`. */
export const sources = new Command("sources")
  .description("List the sources of the key and their health, the latest first.")
  .addOption(new Option("--kind <kind>", "only sources of this kind").choices(kinds))
  .addOption(
    new Option("--health <health>", "only those with this health").choices(["ok", "failing", "gone"]),
  )
  .option("--query <text>", "a part of the name or address")
  .option("--tag <word>", "only those with this tag")
  .addHelpText(
    "after",
    examples(
      ["magpie sources --health failing", "sources that fail, and why"],
      ["magpie sources --json > sources.jsonl", "all of them, a JSON object a line"],
    ),
  )
  .action(async (_: unknown, command: Command) => {
    const options = command.optsWithGlobals() as Given & ListGiven;
    const { kind: source, health, query, tag } = options;
    const { raw } = clientOf(options);
    const ask = (cursor: string | undefined) =>
      raw.GET("/track", { params: { query: { source, health, query, tag, cursor, limit: 200 } } });
    const rows: components["schemas"]["TrackedSource"][] = [];
    for await (const each of itemsOf(ask))
      if (options.json) printJson(each);
      else rows.push(each);
    if (options.json) return;
    if (rows.length === 0) return note("There are none.");
    printTable(rows, {
      id: source => source.id,
      kind: source => source.source.toLowerCase(),
      name: source => source.name ?? source.username,
      health: source => source.health,
      "last event": source => source.last_event_at,
      problem: source => source.problem,
    });
  })
  .addCommand(importCommand)
  .addCommand(exportCommand);
