import { Command } from "commander";
import type { Event } from "../../sdk/typescript/src/index.ts";
import { newsOf } from "../../services/domain/delivery/formats/news.ts";
import { readEvents } from "./event-stream.ts";
import { collect, examples, type Given, number } from "./options.ts";
import { fitted, oneLine, printJson, printLine } from "./screen.ts";
import { clientOf } from "./server.ts";

/** `magpie events`. */
export const events = new Command("events")
  .description("Print the key's events, of the last 72 hours or as long as the operator keeps them.")
  .option("--follow", "continue with new events; without --after, only new ones")
  .option("--after <seq>", "begin after this event", number)
  .option(
    "--type <type>",
    "only events of this type, such as web.page.changed or rss.*; may be given again",
    collect,
  )
  .option("--source <id or kind>", "only events of this source; may be given again", collect)
  .option("--tag <word>", "only events of sources with this tag; may be given again", collect)
  .option("--meaningful", "without changes that the judge of a source has dismissed")
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
      meaningful?: boolean;
    };
    const {
      follow = false,
      after = follow ? undefined : 0,
      type,
      json,
      source: sources,
      tag: tags,
      meaningful,
    } = options;
    const wanted = { after, follow, sources, tags, meaningful, signal: untilInterrupted() };
    for await (const event of readEvents(clientOf(options), wanted)) {
      if (!isOfTypes(event, type)) continue;
      if (json) printJson(event);
      else printLine(fitted(lineOf(event), process.stdout.columns));
    }
  });

/** Ends with the first Ctrl-C; a second one ends the process. */
export function untilInterrupted(): AbortSignal {
  const ended = new AbortController();
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => ended.abort());
  return ended.signal;
}

/** Whether an event is of one of these types. Without types every event is. `rss.*` fits all that begin with `rss.`. */
export function isOfTypes(event: Event, types: string[] | undefined): boolean {
  return (
    types?.some(
      type => type === event.type || (type.endsWith("*") && event.type.startsWith(type.slice(0, -1))),
    ) ?? true
  );
}

/** Number, time, type, source, and what the event says: its title, then its first words. */
export function lineOf(event: Event): string {
  const { title, text, source } = newsOf(JSON.stringify(event));
  const name = oneLine(source.name || source.username);
  const said = oneLine(text.startsWith(title) ? text : [title, text].filter(Boolean).join(": "));
  const { seq, timestamp, type } = event;
  return [String(seq), timestamp, type, said === name ? "" : name, said].filter(Boolean).join("  ");
}
