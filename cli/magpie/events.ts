import { Command } from "commander";
import { type Received, readEvents, readFiltered } from "./event-stream.ts";
import { collect, examples, type Given, number } from "./options.ts";
import { oneLine, printJson, printText } from "./screen.ts";
import { serverOf } from "./server.ts";

/** `magpie events`. */
export const events = new Command("events")
  .description("Print the key's events of the last 72 hours.")
  .option("--follow", "go on with those to come; without --after, only those")
  .option("--after <seq>", "begin after this event", number)
  .option(
    "--type <type>",
    "only events of this type, such as web.page.changed or rss.*; may be given again",
    collect,
  )
  .option("--source <id or kind>", "only events of this source; may be given again", collect)
  .option("--tag <word>", "only events of sources with this tag; may be given again", collect)
  .addHelpText(
    "after",
    examples(
      ["magpie events", "what there is"],
      ["magpie events --follow --json | jq .data", "what comes, a JSON object a line"],
      ["magpie events --follow --after 120", "what followed event 120, and what comes"],
      ["magpie events --follow --tag shop", "what comes from the sources with this tag"],
    ),
  )
  .action(async (_: unknown, command: Command) => {
    const options = command.optsWithGlobals() as Given & {
      follow?: boolean;
      after?: number;
      type?: string[];
      source?: string[];
      tag?: string[];
    };
    const { follow = false, after = follow ? undefined : 0, type, json, source = [], tag = [] } = options;
    const signal = untilInterrupted();
    const wanted = { after, untilNow: !follow, signal };
    const filters = [...source.map(each => ["source", each]), ...tag.map(each => ["tag", each])];
    const server = serverOf(options);
    for await (const received of filters.length > 0
      ? readFiltered(server, filters, wanted)
      : readEvents(server, wanted)) {
      if (!isOfTypes(received, type)) continue;
      if (json) printJson(received.event);
      else printText(lineOf(received));
    }
  });

/** Ends with the first Ctrl-C; a second one ends the process. */
export function untilInterrupted(): AbortSignal {
  const ended = new AbortController();
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => ended.abort());
  return ended.signal;
}

/** Whether an event is of one of these types; all are, where none is named. */
export function isOfTypes({ event }: Received, types: string[] | undefined): boolean {
  return (
    types?.some(
      type => type === event.type || (type.endsWith("*") && event.type.startsWith(type.slice(0, -1))),
    ) ?? true
  );
}

function lineOf({ event: { seq, timestamp, type, data } }: Received): string {
  const { name = "", username = "" } = data.source ?? {};
  return [String(seq), timestamp, type, oneLine(name || username)].join("  ").trimEnd();
}
