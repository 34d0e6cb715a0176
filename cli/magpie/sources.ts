import { readFile } from "node:fs/promises";
import { buffer } from "node:stream/consumers";
import { Argument, Command, Option } from "commander";
import { type components, dataOf, itemsOf, type OpmlImport } from "../../sdk/typescript/src/index.ts";
import { type SourceKind, sourceKinds } from "../../services/contracts/source.ts";
import { addressOf } from "./address.ts";
import { CommandError, exitCodes } from "./failure.ts";
import { examples, type Given } from "./options.ts";
import { note, oneLine, printJson, printTable, printText, whileWaiting } from "./screen.ts";
import { clientOf } from "./server.ts";
import { type SiteGiven, siteOptions, type WatchGiven, watchOf, watchOptions } from "./watch-options.ts";

type TrackRequest = components["schemas"]["TrackRequest"];

const kinds = [...sourceKinds];

/** `magpie track <kind> <address>`. */
export const track = siteOptions(watchOptions(new Command("track")))
  .description("Track a feed, a page, a whole site, a search or an account: what is new becomes an event.")
  .addArgument(new Argument("<kind>", "of source").choices(kinds))
  .argument("<address>", "a URL, words to search for, a user name, an invite")
  .option("--preview", "track nothing; show what would be watched, and whether that would make an event now")
  .addHelpText(
    "after",
    examples(
      ["magpie track rss https://example.com/feed.xml", "a feed"],
      ["magpie track web https://example.com/prices", "a page, whenever its content changes"],
      ["magpie track site https://example.com/docs/ --limit 500", "new, changed, gone and moved pages"],
      ["magpie track search 'nest boxes' --domain example.com", "each new result of a search"],
      ["magpie track microblog corvid_lab", "an account"],
      ["magpie track web example.com/prices --options watch.json", "with all that the API takes"],
      [
        "magpie track web https://example.com/prices --select '#price' --tag shop",
        "a part of a page, with a tag",
      ],
      ["magpie track web https://example.com/prices --select '#price' --preview", "what that would see"],
      [
        "magpie track site https://example.com/docs/ --goal 'Changes of the API; no typos'",
        "a language model says which changes concern it",
      ],
    ),
  )
  .action(async (kind: SourceKind, address: string, _: unknown, command: Command) => {
    const options = command.optsWithGlobals() as Given & WatchGiven & SiteGiven & { preview?: boolean };
    const body = { sid: sidOf(kind, address), ...(await watchOf(options)) };
    if (options.preview) return preview(options, kind, body);
    const params = { path: { source: kind } };
    const asked = clientOf(options).raw.POST("/track/{source}", { params, body });
    const answer = dataOf(await whileWaiting(`Checking ${body.sid}`, asked));
    if (options.json) printJson("jobId" in answer ? answer : answer.data);
    else
      printText(
        "jobId" in answer ? `${answer.message} (${answer.jobId})` : `${answer.data.id}  ${answer.message}`,
      );
  });

/** Accounts and words of a search may look like hosts. */
function sidOf(kind: SourceKind, given: string): string {
  return kind === "web" || kind === "rss" || kind === "site" ? addressOf(given) : given;
}

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
  if (view) note(`Would make an event now: ${answers.get(view.would_fire)}. ${view.why}`);
}

const answers = new Map<boolean | null, string>([
  [true, "yes"],
  [false, "no"],
  [null, "not known"],
]);

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
    const body = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(id)
      ? { iid: id }
      : { eid: sidOf(kind, id) };
    const params = { path: { source: kind } };
    const answer = dataOf(await clientOf(options).raw.DELETE("/track/{source}", { params, body }));
    if (options.json) printJson(answer.data);
    else printText(answer.message);
  });

const exportCommand = new Command("export")
  .description("Print what the key tracks as OPML, which readers of feeds take.")
  .addHelpText("after", examples(["magpie sources export > sources.opml", "into a file"]))
  .action(async (_: unknown, command: Command) => {
    printText(await clientOf(command.optsWithGlobals()).sources.exportOpml());
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
    const asked = clientOf(options).sources.importOpml(await opmlIn(file), options);
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
