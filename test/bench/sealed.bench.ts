import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openEmbeddedLog } from "../../mixins/event-log/embedded.log.ts";
import { hotMs, type NewEvent, type OpenLog } from "../../mixins/event-log/event-log.ts";
import { diskBlobs } from "../../mixins/store/blobs/disk.blobs.ts";
import { openDatabase } from "../../mixins/store/sqlite/database.ts";
import { removeFolder } from "../support/folders.ts";
import { type Bench, interleave, median, ratioOf, verdict } from "./compare.ts";

const [events, rounds, pageSize] = [10_000, 7, 100];
const words = "a page says what is new and what has changed since it was read for the last time ".repeat(8);

/** Reads 10,000 events of a key a page of 100 at a time: from sealed segments, and from the log itself. */
export const sealed: Bench = async () => {
  const folder = mkdtempSync(join(tmpdir(), "magpie-sealed-"));
  let now = Date.now() - 10 * hotMs;
  const path = join(folder, "magpie.db");
  const silent = () => undefined;
  const open = () => {
    const keeping = { blobs: diskBlobs(join(folder, "blobs")), retentionMs: 100 * hotMs };
    return openEmbeddedLog({ path, notify: silent, onEntries: silent, keeping, now: () => now });
  };
  const log = open();
  try {
    for (let n = 0; n < events; n += 500) await log.append(someEvents(n, "old"));
    await log.prune(new Date());
    now = Date.now();
    for (let n = 0; n < events; n += 500) await log.append(someEvents(n, "new"));
    // What a log has unpacked it keeps for a while, so each round begins with another one.
    const inFresh = async (keyId: string) => {
      const fresh = open();
      return await readAll(fresh, keyId).finally(() => fresh.close());
    };
    const { sealed, hot } = await interleave(rounds, {
      sealed: () => inFresh("old"),
      hot: () => inFresh("new"),
    });
    const bytes = Number(openDatabase(path).prepare("SELECT sum(bytes) AS n FROM log_segments").get()?.n);
    const raw = JSON.stringify(someEvents(0, "old")[0]?.data).length;
    const each = `${Math.round(bytes / events)} B an event of ${raw} B`;
    const text = `10,000 events, a page of 100 at a time: sealed ${Math.round(median(sealed))} ms (${each}), hot ${Math.round(median(hot))} ms`;
    return [verdict(text, ratioOf(sealed, hot), "<=", 3)];
  } finally {
    await log.close();
    await removeFolder(folder);
  }
};

async function readAll(log: OpenLog, keyId: string): Promise<number> {
  const began = performance.now();
  let position = 0;
  for (let more = true; more; ) {
    const page = await log.readWithin(keyId, position, { events: pageSize, bytes: 4_000_000 });
    position = page.events.at(-1)?.seq ?? position;
    more = page.more;
  }
  if (position !== events) throw new Error(`${position} events were read, not ${events}`);
  return performance.now() - began;
}

function someEvents(from: number, keyId: string): NewEvent[] {
  return Array.from({ length: 500 }, (_, at) => ({
    bodyId: `${keyId}-${from + at}`,
    type: "rss.item.created",
    timestamp: new Date().toISOString(),
    data: { source: null, item: { title: `Item ${from + at}`, content_text: shuffled(from + at) } },
    keyIds: [keyId],
  }));
}

/** Texts that differ, as those of a feed do. */
function shuffled(seed: number): string {
  const parts = words.split(" ");
  return parts.map((_, at) => parts[(at * 7919 + seed * 104_729) % parts.length]).join(" ");
}
