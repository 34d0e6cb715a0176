import type { ChildProcess } from "node:child_process";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";
import { killed, order, startChild } from "../../support/child-process.ts";
import { removeFolder } from "../../support/folders.ts";
import { filesBelow, linesBelow } from "../../support/ndjson.ts";
import { until } from "../../support/until.ts";
import type { Order } from "../webhook.process.ts";

const kills = 8;
const events = 150;

test("kill -9 at files that were just written leaves each event on disk once, in order", async () => {
  const dataDir = mkdtempSync(join(tmpdir(), "magpie-folder-kill-"));
  const folder = join(dataDir, "destinations");
  let child = await start(dataDir);
  const files = () => filesBelow(folder);
  try {
    const batch = { max_events: 20, max_wait_ms: 10 };
    await order(child, { create: { destination: { type: "folder" }, batch } } satisfies Order);
    for (let kill = 0; kill < kills; kill += 1) {
      const before = files().length;
      await order(child, { append: eventsOf(kill) } satisfies Order);
      // The outcome of this one is not stored yet, more often than not; its repetition may hold more events.
      while (files().length === before) await nextTurn();
      await killed(child);
      child = await start(dataDir);
    }
    const seqs = () => linesBelow(folder).map(({ seq }) => seq);
    await until("all are there", () => new Set(seqs()).size === kills * events);
    expect(seqs()).toEqual(Array.from({ length: kills * events }, (_, n) => n + 1));
  } finally {
    await killed(child);
    await removeFolder(dataDir);
  }
});

function eventsOf(kill: number) {
  return Array.from({ length: events }, (_, n) => ({
    bodyId: `${kill}-${n}`,
    type: "rss.item.created" as const,
    timestamp: new Date().toISOString(),
    data: { source: sourceOf(`s${n % 40}`), item: { id: `${kill}-${n}` } },
  }));
}

function sourceOf(id: string) {
  return { id, source: "RSS", externalId: `https://${id}.test/feed`, username: id, name: id };
}

function start(dataDir: string): Promise<ChildProcess> {
  return startChild(join(import.meta.dirname, "../webhook.process.ts"), [dataDir]);
}
