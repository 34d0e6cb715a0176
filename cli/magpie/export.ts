import { Command } from "commander";
import type { Event } from "../../sdk/typescript/src/index.ts";
import { readEvents } from "./event-stream.ts";
import { isOfTypes, untilInterrupted } from "./events.ts";
import { CommandError, exitCodes } from "./failure.ts";
import { collect, examples, type Given } from "./options.ts";
import { note, printJson } from "./screen.ts";
import { clientOf } from "./server.ts";

interface ExportGiven extends Given {
  since?: string;
  until?: string;
  type?: string[];
  source?: string[];
  tag?: string[];
}

/** `magpie export`. */
export const exportEvents = new Command("export")
  .description("Print the key's events of a time as NDJSON: one JSON object a line, in the order of `seq`.")
  .option("--since <time>", "from this time on, such as 2026-03-01 or 2026-03-01T08:00:00Z", moment)
  .option("--until <time>", "only events before this time; by default before now", moment)
  .option("--type <type>", "only events of this type, such as rss.*; may be given again", collect)
  .option("--source <id or kind>", "only events of this source; may be given again", collect)
  .option("--tag <word>", "only events of sources with this tag; may be given again", collect)
  .addHelpText(
    "after",
    examples(
      ["magpie export > events.ndjson", "all that are kept"],
      ["magpie export --since 2026-03-01 --until 2026-03-02 | gzip > day.ndjson.gz", "those of a day (UTC)"],
    ),
  )
  .action(async (_: unknown, command: Command) => {
    const options = command.optsWithGlobals() as ExportGiven;
    const { since, until = new Date().toISOString(), type, source: sources, tag: tags } = options;
    const wanted = { since, until, sources, tags, signal: untilInterrupted() };
    let count = 0;
    let last: Event | undefined;
    for await (const event of readEvents(clientOf(options), wanted)) {
      last = event;
      if (!isOfTypes(event, type)) continue;
      printJson(event);
      count += 1;
    }
    if (wanted.signal.aborted)
      throw new CommandError(`Interrupted after event ${last?.seq ?? 0}.`, exitCodes.failed);
    note(`${count} events.`);
  });

/** A time as the service takes it. A date is its beginning, in UTC. */
function moment(given: string): string {
  const time = new Date(given);
  if (!/^\d{4}-\d\d-\d\d/.test(given) || Number.isNaN(time.getTime()))
    throw new CommandError(
      `${given} is no time such as 2026-03-01 or 2026-03-01T08:00:00Z.`,
      exitCodes.usage,
    );
  return time.toISOString();
}
