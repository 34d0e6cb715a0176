import { Command, InvalidArgumentError, Option } from "commander";
import type { Monitor, MonitorCheck, MonitorPage, MonitorRequest } from "../../sdk/typescript/src/index.ts";
import { checkStates } from "../../services/contracts/monitors.contract.ts";
import { CommandError, exitCodes } from "./failure.ts";
import { first } from "./first.ts";
import { collect, examples, fieldsIn, type Given, number } from "./options.ts";
import { note, oneLine, printJson, printLine, printTable, printText, whileWaiting } from "./screen.ts";
import { clientOf } from "./server.ts";

const idHelp = "of the monitor, as `magpie monitor list` shows it";

interface NewGiven extends Given {
  at: string;
  zone?: string;
  page?: string[];
  site?: string[];
  search?: string[];
  goal?: string;
  keep?: number;
  paused?: boolean;
  options?: string;
}

const create = new Command("create")
  .description("Make a monitor: pages, sites and searches that are checked together. Its id is printed.")
  .argument("<name>", "a name of your own")
  .requiredOption(
    "--at <when>",
    "in words, as 'daily at 9:00' or 'every 30 minutes'; or five fields of cron",
    when,
  )
  .option("--zone <time zone>", "of these times, by default UTC: Europe/Vienna")
  .option("--page <url>", "a page; may be given again", collect)
  .option("--site <url>", "a site; may be given again", collect)
  .option("--search <words>", "a search of the web; may be given again", collect)
  .option("--goal <words>", "what you want to know; a language model judges each change by it")
  .option("--keep <days>", "how long its checks are kept, by default 30", number)
  .option("--paused", "it is checked only by `magpie monitor run`")
  .option("--options <file>", "more fields of POST /monitors, as JSON")
  .addHelpText(
    "after",
    examples(
      [
        "magpie monitor create Prices --at 'daily at 9:00' --page https://a.example/prices --page https://b.example/prices",
        "two pages",
      ],
      [
        "magpie monitor create Docs --at '0 9 * * mon-fri' --zone Europe/Vienna --site https://example.com/docs/",
        "a site, on weekdays",
      ],
    ),
  )
  .action(async (name: string, _: unknown, command: Command) => {
    const options = command.optsWithGlobals() as NewGiven;
    const made = await clientOf(options).monitors.create(await requestOf(name, options));
    if (options.json) return printJson(made);
    note(`Checked next at ${made.next_check_at ?? "no time: it is paused"}. Tag of its sources: ${made.tag}`);
    printText(made.id);
  });

function when(text: string): string {
  if (text.trim() === "") throw new InvalidArgumentError("It takes a time.");
  return text.trim();
}

async function requestOf(name: string, given: NewGiven): Promise<MonitorRequest> {
  const { at, zone, page, site, search, goal, keep, paused, options } = given;
  const more = await fieldsIn("--options", options);
  const targets = [
    ...(page ? [{ source: "web" as const, sids: page }] : []),
    ...(site ? [{ source: "site" as const, sids: site }] : []),
    ...(search ? [{ source: "search" as const, sids: search }] : []),
  ];
  if (targets.length === 0 && !more.targets)
    throw new CommandError("Say what is checked: --page, --site or --search.", exitCodes.usage);
  return {
    ...more,
    name,
    schedule: { ...(isCron(at) ? { cron: at } : { text: at }), ...(zone && { time_zone: zone }) },
    ...(targets.length > 0 && { targets }),
    ...(goal && { goal }),
    ...(keep !== undefined && { retention_days: keep }),
    ...(paused && { paused }),
  };
}

/** Five fields, the first of which is no word. */
export function isCron(text: string): boolean {
  return /^[\d*]\S*(\s+\S+){4}$/.test(text);
}

const list = new Command("list")
  .description("List the monitors of the key, the latest first.")
  .addHelpText("after", examples(["magpie monitor list --json", "a JSON object a line"]))
  .action(async (_: unknown, command: Command) => {
    const options = command.optsWithGlobals() as Given;
    const rows: Monitor[] = [];
    for await (const each of clientOf(options).monitors.list())
      if (options.json) printJson(each);
      else rows.push(each);
    if (options.json) return;
    if (rows.length === 0) return note("There are none.");
    printTable(rows, {
      id: ({ id }) => id,
      name: ({ name }) => name,
      when: ({ schedule }) => schedule.text ?? schedule.cron,
      next: ({ next_check_at, paused }) => (paused ? "paused" : next_check_at),
      last: ({ last_check }) => last_check?.status,
      found: ({ last_check }) => last_check && found(last_check),
    });
  });

const foundNames = ["changed", "new", "removed", "moved", "failed"] as const;

/** `2 changed, 1 new`, or that all is the same. */
function found({ counts }: Pick<MonitorCheck, "counts">): string {
  const some = foundNames.filter(name => counts[name] > 0).map(name => `${counts[name]} ${name}`);
  return some.join(", ") || `${counts.same} same`;
}

const show = new Command("show")
  .description("Show a monitor, or what one of its checks found.")
  .argument("<id>", idHelp)
  .argument("[check]", "one of its checks; `last` for the latest that has ended")
  .option("--limit <count>", "pages of the check", number, 100)
  .addHelpText("after", examples(["magpie monitor show mon_01… last", "what the latest check found"]))
  .action(async (id: string, check: string | undefined, _: unknown, command: Command) => {
    const options = command.optsWithGlobals() as Given & { limit: number };
    const monitor = clientOf(options).monitor(id);
    const details = await monitor.details();
    if (check === undefined) return options.json ? printJson(details) : printDetails(details);
    const wanted = check === "last" ? details.last_check?.id : check;
    if (wanted === undefined) throw new CommandError("No check has ended so far.", exitCodes.failed);
    printPages(options, await first(options.limit, monitor.pages(wanted)));
  });

function printDetails({
  name,
  schedule,
  targets,
  goal,
  next_check_at,
  last_check,
  tag,
  paused,
}: Monitor): void {
  printLine(`${oneLine(name)}  ${schedule.text ?? schedule.cron} (${schedule.time_zone})`);
  for (const { source, sids } of targets) for (const sid of sids) printLine(`  ${source}  ${oneLine(sid)}`);
  if (goal !== null) printLine(`goal: ${oneLine(goal)}`);
  printLine(paused ? "paused" : `next check: ${next_check_at}`);
  if (last_check) printLine(`last check: ${last_check.id}  ${last_check.status}, ${found(last_check)}`);
  printLine(`tag of its sources: ${tag}`);
}

function printPages({ json }: Given, pages: MonitorPage[]): void {
  if (json) pages.forEach(printJson);
  else if (pages.length === 0) note("There are none.");
  else printPageTable(pages);
}

function printPageTable(pages: MonitorPage[]): void {
  printTable(pages, {
    status: page => page.status,
    meaningful: page => page.judgement?.meaningful,
    title: page => page.title,
    url: page => page.url,
    why: page => page.error ?? page.judgement?.summary,
  });
}

const run = new Command("run")
  .description("Check a monitor now, and wait for what it finds.")
  .argument("<id>", idHelp)
  .option("--no-wait", "only begin the check, and print its id")
  .addHelpText("after", examples(["magpie monitor run mon_01…", "exit code 1 if no page could be read"]))
  .action(async (id: string, _: unknown, command: Command) => {
    const options = command.optsWithGlobals() as Given & { wait: boolean };
    const monitor = clientOf(options).monitor(id);
    const begun = await monitor.run();
    if (!options.wait) return options.json ? printJson(begun) : printText(begun.id);
    const check = await whileWaiting("Checking", monitor.finishedCheck(begun.id));
    if (options.json) printJson(check);
    else printText(`${check.id}  ${check.status}, ${found(check)}`);
    if (check.status === "failed") process.exitCode = exitCodes.failed;
  });

const checks = new Command("checks")
  .description("List the checks of a monitor, the latest first.")
  .argument("<id>", idHelp)
  .addOption(new Option("--status <status>", "only checks with this state").choices(checkStates))
  .option("--limit <count>", "checks", number, 20)
  .addHelpText("after", examples(["magpie monitor checks mon_01… --status failed", "those that failed"]))
  .action(async (id: string, _: unknown, command: Command) => {
    const options = command.optsWithGlobals() as Given & { status?: MonitorCheck["status"]; limit: number };
    const { status, limit } = options;
    const rows = await first(
      limit,
      clientOf(options)
        .monitor(id)
        .checks({ ...(status && { status }) }),
    );
    if (options.json) return rows.forEach(printJson);
    if (rows.length === 0) return note("There are none.");
    printTable(rows, {
      id: check => check.id,
      started: check => check.started_at,
      status: check => check.status,
      pages: check => check.counts.pages,
      found,
      error: check => check.error,
    });
  });

/** Makes a command that pauses a monitor, or ends that. */
function pausing(name: string, paused: boolean, description: string, meaning: string): Command {
  return new Command(name)
    .description(description)
    .argument("<id>", idHelp)
    .addHelpText("after", examples([`magpie monitor ${name} mon_01…`, meaning]))
    .action(async (id: string, _: unknown, command: Command) => {
      const options = command.optsWithGlobals() as Given;
      const changed = await clientOf(options).monitor(id).change({ paused });
      if (options.json) printJson(changed);
      else note(paused ? "It is paused." : `Checked next at ${changed.next_check_at}.`);
    });
}

const remove = new Command("delete")
  .description("Delete a monitor with its checks and its sources.")
  .argument("<id>", idHelp)
  .addHelpText("after", examples(["magpie monitor delete mon_01…", "for good"]))
  .action(async (id: string, _: unknown, command: Command) => {
    const options = command.optsWithGlobals() as Given;
    await clientOf(options).monitor(id).delete();
    if (options.json) printJson({ id, deleted: true });
    else note(`Monitor ${id} is deleted.`);
  });

/** `magpie monitor …`. */
export const monitor = new Command("monitor")
  .description("Manage monitors: pages, sites and searches that are checked together, by a schedule.")
  .addCommand(create)
  .addCommand(list)
  .addCommand(show)
  .addCommand(run)
  .addCommand(checks)
  .addCommand(pausing("pause", true, "Stop the checks of a monitor for now.", "until `continue`"))
  .addCommand(pausing("continue", false, "Continue the checks of a monitor.", "by its schedule"))
  .addCommand(remove);
