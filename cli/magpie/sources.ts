import { Argument, Command, Option } from "commander";
import { sourceKinds } from "../../services/contracts/source.ts";
import type { TrackedSource } from "../../services/contracts/source-lists.contract.ts";
import type { Tracked, TrackQueued } from "../../services/contracts/tracker.contract.ts";
import { examples, type Given } from "./options.ts";
import { note, printJson, printTable, printText, whileWaiting } from "./screen.ts";
import { ask, serverOf } from "./server.ts";

const kinds = [...sourceKinds];

/** `magpie track <kind> <address>`. */
export const track = new Command("track")
  .description("Track a feed, a page or an account: what is new becomes an event.")
  .addArgument(new Argument("<kind>", "of source").choices(kinds))
  .argument("<address>", "a URL, a user name, an invite")
  .addHelpText(
    "after",
    examples(
      ["magpie track rss https://example.com/feed.xml", "a feed"],
      ["magpie track web https://example.com/prices", "a page, whenever its content changes"],
      ["magpie track microblog corvid_lab", "an account"],
    ),
  )
  .action(async (kind: string, address: string, _: unknown, command: Command) => {
    const options = command.optsWithGlobals() as Given;
    const asked = ask<Tracked | TrackQueued>(serverOf(options), "POST", `/track/${kind}`, { sid: address });
    const answer = await whileWaiting(`Looking at ${address}`, asked);
    if (options.json) printJson("jobId" in answer ? answer : answer.data);
    else
      printText(
        "jobId" in answer ? `${answer.message} (${answer.jobId})` : `${answer.data.id}  ${answer.message}`,
      );
  });

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

/** `magpie sources`. */
export const sources = new Command("sources")
  .description("List what the key tracks, the latest first, and how its polling goes.")
  .addOption(new Option("--kind <kind>", "only sources of this kind").choices(kinds))
  .addOption(
    new Option("--health <health>", "only those with this health").choices(["ok", "failing", "gone"]),
  )
  .option("--query <text>", "a part of the name or address")
  .addHelpText(
    "after",
    examples(
      ["magpie sources --health failing", "what cannot be read, and why"],
      ["magpie sources --json > sources.jsonl", "all of them, a JSON object a line"],
    ),
  )
  .action(async (_: unknown, command: Command) => {
    const options = command.optsWithGlobals() as Given & { kind?: string; health?: string; query?: string };
    const { kind, health, query } = options;
    const given = { ...(kind && { source: kind }), ...(health && { health }), ...(query && { query }) };
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
  });

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
