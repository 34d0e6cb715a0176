import { readFile } from "node:fs/promises";
import { buffer } from "node:stream/consumers";
import { Argument, Command, Option } from "commander";
import type { OpmlImport } from "../../services/contracts/opml.contract.ts";
import type { Preview } from "../../services/contracts/preview.contract.ts";
import { sourceKinds } from "../../services/contracts/source.ts";
import type { TrackedSource } from "../../services/contracts/source-lists.contract.ts";
import type { Tracked, TrackQueued } from "../../services/contracts/tracker.contract.ts";
import { collect, examples, type Given, jsonIn } from "./options.ts";
import { note, oneLine, printJson, printTable, printText, whileWaiting } from "./screen.ts";
import { ask, askText, CommandError, exitCodes, serverOf } from "./server.ts";

const kinds = [...sourceKinds];

/** `magpie track <kind> <address>`. */
export const track = new Command("track")
  .description("Track a feed, a page or an account: what is new becomes an event.")
  .addArgument(new Argument("<kind>", "of source").choices(kinds))
  .argument("<address>", "a URL, a user name, an invite")
  .option("--tag <word>", "a word to sort it by; may be given again", collect)
  .option("--interval <time>", "how often to look: 15m, 2h, 1d")
  .option("--select <selector>", "only this part of the page, by CSS or XPath; may be given again", collect)
  .option("--remove <selector>", "without this part of the page; may be given again", collect)
  .option("--ignore <text>", "not lines with this text, or that match /this/; may be given again", collect)
  .option("--options <file>", "more options of POST /track, as JSON")
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
  .action(async (kind: string, address: string, _: unknown, command: Command) => {
    const options = command.optsWithGlobals() as Given & WatchGiven & { preview?: boolean };
    const body = { sid: address, ...(await watchOf(options)) };
    if (options.preview) return preview(options, kind, body);
    const asked = ask<Tracked | TrackQueued>(serverOf(options), "POST", `/track/${kind}`, body);
    const answer = await whileWaiting(`Looking at ${address}`, asked);
    if (options.json) printJson("jobId" in answer ? answer : answer.data);
    else
      printText(
        "jobId" in answer ? `${answer.message} (${answer.jobId})` : `${answer.data.id}  ${answer.message}`,
      );
  });

async function preview(options: Given, kind: string, body: { sid: string }): Promise<void> {
  const asked = ask<{ data: Preview }>(serverOf(options), "POST", `/track/${kind}/preview`, body);
  const { data } = await whileWaiting(`Looking at ${body.sid}`, asked);
  if (options.json) return printJson(data);
  const { view, text, items } = data;
  for (const { title, url } of items ?? []) printText([oneLine(title ?? ""), url].filter(Boolean).join("  "));
  if (view?.fields) printJson(view.fields);
  else if (view || text) printText(view?.text ?? text ?? "");
  if (view) note(`Would make an event now: ${view.would_fire ?? "not known"}. ${view.why}`);
}

interface WatchGiven {
  tag?: string[];
  interval?: string;
  select?: string[];
  remove?: string[];
  ignore?: string[];
  options?: string;
}

/** The options of a source; the service checks them, and names what is wrong. */
async function watchOf({ tag, interval, select, remove, ignore, options }: WatchGiven): Promise<object> {
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
  .action(async (kind: string, id: string, _: unknown, command: Command) => {
    const options = command.optsWithGlobals() as Given;
    const named = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(id) ? { iid: id } : { eid: id };
    const answer = await ask<Tracked>(serverOf(options), "DELETE", `/track/${kind}`, named);
    if (options.json) printJson(answer.data);
    else printText(answer.message);
  });

const exportCommand = new Command("export")
  .description("Print what the key tracks as OPML, which readers of feeds take.")
  .addHelpText("after", examples(["magpie sources export > sources.opml", "into a file"]))
  .action(async (_: unknown, command: Command) => {
    printText(await askText(serverOf(command.optsWithGlobals()), "GET", "/track/opml"));
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
    const query = new URLSearchParams({
      mode: options.sync ? "sync" : "add",
      dry_run: String(options.dryRun ?? false),
    });
    const body = { type: "text/x-opml", text: await opmlIn(file) };
    const asked = askText(serverOf(options), "POST", `/track/opml?${query}`, body);
    const { data, message } = JSON.parse(await whileWaiting(`Importing ${file}`, asked)) as {
      data: OpmlImport;
      message: string;
    };
    for (const entry of data.entries)
      if (options.json) printJson(entry);
      else if (entry.outcome !== "kept") printText(entryLine(entry));
    note(
      data.batch_id !== null && data.pending > 0
        ? `${message} The rest continues in ${data.batch_id}.`
        : message,
    );
    if (data.failed > 0) process.exitCode = exitCodes.failed;
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

/** `magpie sources`. */
export const sources = new Command("sources")
  .description("List what the key tracks, the latest first, and how its polling goes.")
  .addOption(new Option("--kind <kind>", "only sources of this kind").choices(kinds))
  .addOption(
    new Option("--health <health>", "only those with this health").choices(["ok", "failing", "gone"]),
  )
  .option("--query <text>", "a part of the name or address")
  .option("--tag <word>", "only those with this tag")
  .addHelpText(
    "after",
    examples(
      ["magpie sources --health failing", "what cannot be read, and why"],
      ["magpie sources --json > sources.jsonl", "all of them, a JSON object a line"],
    ),
  )
  .action(async (_: unknown, command: Command) => {
    const options = command.optsWithGlobals() as Given & {
      kind?: string;
      health?: string;
      query?: string;
      tag?: string;
    };
    const { kind, health, query, tag } = options;
    const given = {
      ...(kind && { source: kind }),
      ...(health && { health }),
      ...(query && { query }),
      ...(tag && { tag }),
    };
    const rows: TrackedSource[] = [];
    for await (const source of listed(options, given))
      if (options.json) printJson(source);
      else rows.push(source);
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

async function* listed(options: Given, given: Record<string, string>): AsyncGenerator<TrackedSource> {
  const server = serverOf(options);
  for (let cursor: string | null = ""; cursor !== null; ) {
    const query: URLSearchParams = new URLSearchParams({ ...given, limit: "200", ...(cursor && { cursor }) });
    const page: { data: TrackedSource[]; next_cursor: string | null } = await ask(
      server,
      "GET",
      `/track?${query}`,
    );
    yield* page.data;
    cursor = page.next_cursor;
  }
}
