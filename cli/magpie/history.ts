import { Command, Option } from "commander";
import type { Check, SourceDetail, VersionDiff } from "../../sdk/typescript/src/index.ts";
import { markedLine } from "../../services/domain/history/marked-line.ts";
import { CommandError, exitCodes } from "./failure.ts";
import { first } from "./first.ts";
import { examples, type Given, number } from "./options.ts";
import { note, oneLine, printJson, printLine, printTable, printText, whileWaiting } from "./screen.ts";
import { clientOf } from "./server.ts";
import { type WatchGiven, watchOf, watchOptions } from "./watch-options.ts";

const outcomes = ["same", "changed", "held", "muted", "failed"] as const;
const sourceHelp = "its id, as `magpie sources` shows it";

/** `magpie source <id>`. */
export const source = new Command("source")
  .description("Show how the checks of a source went: why it made an event, or why it made none.")
  .argument("<id>", sourceHelp)
  .addOption(new Option("--outcome <outcome>", "only checks with this outcome").choices(outcomes))
  .option("--limit <count>", "rows of checks", number, 10)
  .addHelpText("after", examples(["magpie source 9b2f… --outcome held", "checks whose change did not count"]))
  .action(async (id: string, _: unknown, command: Command) => {
    const options = command.optsWithGlobals() as Given & { outcome?: Check["outcome"]; limit: number };
    const { outcome, limit } = options;
    const asked = clientOf(options).source(id);
    const [details, checks] = await Promise.all([
      asked.details(),
      first(limit, asked.checks({ ...(outcome && { outcome }) })),
    ]);
    if (options.json) return printJson({ ...details, checks });
    for (const line of detailLines(details)) printText(line);
    if (checks.length === 0) return note("No check so far.");
    printText("");
    printTable(checks, {
      at: check => check.at,
      checks: check => check.checks,
      outcome: check => check.outcome,
      reason: check => check.reason,
      version: check => check.version,
    });
  });

function detailLines({ name, externalId, ...details }: SourceDetail): string[] {
  const { health, problem, due_at, options, versions, bytes, events, values, muted = [] } = details;
  const said = Object.entries(values).map(([field, value]) => `${field}: ${oneLine(String(value))}`);
  return [
    `${oneLine(name)}  ${oneLine(externalId)}`,
    `${health}${problem ? `: ${oneLine(problem)}` : ""}; ${options?.paused ? "paused" : `next check ${due_at}`}`,
    `${versions} versions, ${events} with an event, ${Math.ceil(bytes / 1024)} KB`,
    ...said,
    ...muted.map(({ text, ignore }) => `muted: ${oneLine(text)}  (for good: --ignore '${oneLine(ignore)}')`),
  ];
}

interface VersionsGiven extends Given {
  at?: string;
  item?: string;
  all?: boolean;
  limit: number;
  show?: boolean;
}

/** `magpie versions <id>`. */
export const versions = new Command("versions")
  .description("List what a source said, the latest first, or show what it said at a time.")
  .argument("<id>", sourceHelp)
  .option("--at <time>", "what it said then: 2026-03-14, or a time with its zone; prints its text")
  .option("--item <item>", "of a feed: only this item")
  .option("--all", "also the versions in which nothing counted")
  .option("--show", "print the text of the latest one")
  .option("--limit <count>", "versions", number, 20)
  .addHelpText(
    "after",
    examples(
      ["magpie versions 9b2f…", "the list"],
      ["magpie versions 9b2f… --at 2026-03-14", "what the page said in March"],
    ),
  )
  .action(async (id: string, _: unknown, command: Command) => {
    const options = command.optsWithGlobals() as VersionsGiven;
    const { at, item, all, limit } = options;
    const asked = clientOf(options).source(id);
    const filter = { ...(at && { at }), ...(item && { item }), ...(all && { all }) };
    const isShown = at !== undefined || options.show === true;
    const found = await first(isShown ? 1 : limit, asked.versions(filter));
    const [latest] = found;
    if (isShown && !latest) throw new CommandError("Nothing is kept of that time.", exitCodes.failed);
    if (isShown && latest) {
      const version = await asked.version(latest.id);
      if (options.json) return printJson(version);
      note(`${version.id}  ${oneLine(version.title)}, first seen at ${version.at}`);
      return printText(version.text);
    }
    if (options.json) return found.forEach(printJson);
    if (found.length === 0) return note("There are none.");
    printTable(found, {
      id: version => version.id,
      at: version => version.at,
      outcome: version => version.outcome,
      lines: version => `+${version.added} -${version.removed}`,
      title: version => version.item ?? version.title,
    });
  });

/** `magpie diff <id> [from] [to]`. */
export const diff = new Command("diff")
  .description("Show how two versions of a source differ: by default the latest and the one before it.")
  .argument("<id>", sourceHelp)
  .argument("[from]", "a version, as `magpie versions` shows it")
  .argument("[to]", "a later one; by default the latest")
  .option("--unified", "as a unified diff, for `patch` and other programs")
  .addHelpText("after", examples(["magpie diff 9b2f…", "what changed last"]))
  .action(
    async (id: string, from: string | undefined, to: string | undefined, _: unknown, command: Command) => {
      const options = command.optsWithGlobals() as Given & { unified?: boolean };
      const asked = clientOf(options).source(id);
      const pair = { ...(from && { from }), ...(to && { to }) };
      if (options.unified) return printText(await asked.unifiedDiff(pair));
      const found = await asked.diff(pair);
      if (options.json) return printJson(found);
      for (const line of found.lines) printDiffLine(line);
      for (const line of found.moved) note(oneLine(line));
      if (found.lines.length === 0) note("They are the same.");
    },
  );

const colours = { added: "green", removed: "red" } as const;

function printDiffLine(line: VersionDiff["lines"][number]): void {
  const { kind } = line;
  printLine(markedLine(line), kind === "added" || kind === "removed" ? colours[kind] : undefined);
}

interface ValuesGiven extends Given {
  field?: string;
  from?: string;
  to?: string;
  every?: string;
}

/** `magpie values <id>`. */
export const values = new Command("values")
  .description("List the number and the fields of a source over time, the oldest first.")
  .argument("<id>", sourceHelp)
  .option("--field <field>", "only this one; `value` is the number of `when.value`")
  .option("--from <time>", "from then on: 2026-03-01, or a time with its zone")
  .option("--to <time>", "until then")
  .option("--every <span>", "one for each hour, day or week: 1h, 1d, 1w")
  .addHelpText("after", examples(["magpie values 9b2f… --every 1d", "a price, day by day"]))
  .action(async (id: string, _: unknown, command: Command) => {
    const options = command.optsWithGlobals() as ValuesGiven;
    const { field, from, to, every } = options;
    const filter = {
      ...(field && { field }),
      ...(from && { from }),
      ...(to && { to }),
      ...(every && { every }),
    };
    const points = await clientOf(options).source(id).values(filter);
    if (options.json) return points.forEach(printJson);
    if (points.length === 0) return note("There are none.");
    printTable(points, { at: each => each.at, field: each => each.field, value: each => each.value });
  });

/** `magpie rehearse <id>`. */
export const rehearse = watchOptions(new Command("rehearse"))
  .description("Try options on the past of a source: which checks would have made an event. Changes nothing.")
  .argument("<id>", sourceHelp)
  .option("--days <count>", "how far back", number, 30)
  .addHelpText(
    "after",
    examples(["magpie rehearse 9b2f… --ignore 'Booked'", "would it have been silent without these lines?"]),
  )
  .action(async (id: string, _: unknown, command: Command) => {
    const options = command.optsWithGlobals() as Given & WatchGiven & { days: number };
    const wanted = { ...(await watchOf(options)), days: options.days };
    const asked = clientOf(options).source(id).rehearse(wanted);
    const rehearsal = await whileWaiting("Trying it on the past", asked);
    if (options.json) return printJson(rehearsal);
    if (rehearsal.events.length > 0)
      printTable(rehearsal.events, {
        at: event => event.at,
        reason: event => event.reason,
        added: event => event.change?.added[0],
      });
    note(rehearsal.why);
  });

/** `magpie search <words…>`. */
export const search = new Command("search")
  .description("Search what the sources of the key said, the latest first.")
  .argument(
    "<words...>",
    'words that must all be there, "a phrase", prefix*, -without, source:, tag:, after:, before:',
  )
  .option("--limit <count>", "passages", number, 20)
  .addHelpText("after", examples(["magpie search 'back in stock' after:2026-03-01 tag:shop", "since March"]))
  .action(async (words: string[], _: unknown, command: Command) => {
    const options = command.optsWithGlobals() as Given & { limit: number };
    // A shell has taken the quotation marks of a phrase away.
    const query = words.map(word => (/\s/.test(word) && !word.includes('"') ? `"${word}"` : word)).join(" ");
    const found = await first(options.limit, clientOf(options).search(query));
    if (options.json) return found.forEach(printJson);
    if (found.length === 0) return note("Nothing is found.");
    for (const { at, source: of, title, passage } of found) {
      printLine(`${at}  ${oneLine(of.name)}  ${oneLine(title)}`);
      printLine(`  ${oneLine(passage)}`);
    }
  });
