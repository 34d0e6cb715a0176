import type { ChildProcess } from "node:child_process";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { killed, order, startChild } from "../support/child-process.ts";
import { removeFolder } from "../support/folders.ts";
import { startReceiver } from "../support/receiver.ts";
import { until } from "../support/until.ts";
import type { Order } from "./webhook.process.ts";

const kills = 3;
const events = 400;
/** A window of attempts, and as many that were taken and are being written down. */
const underWay = 2 * 64;

test("kill -9 in the middle of deliveries loses nothing and repeats only what was under way", async () => {
  const dataDir = mkdtempSync(join(tmpdir(), "magpie-webhook-kill-"));
  const receiver = await startReceiver();
  receiver.behave({ status: 200, afterMs: 5 });
  let child = await start(dataDir);
  try {
    await order(child, { register: receiver.url } satisfies Order);
    for (let kill = 0; kill < kills; kill += 1) {
      await order(child, { append: batch(kill) } satisfies Order);
      const before = receiver.received.length;
      await until("some arrived", () => receiver.received.length > before + 50);
      await killed(child);
      child = await start(dataDir);
    }
    const ids = () => new Set(receiver.received.map(({ id }) => id));
    await until("all arrived", () => ids().size === kills * events);
    const duplicates = receiver.received.length - ids().size;
    expect(duplicates).toBeLessThanOrEqual(kills * underWay);
    const bodies = new Set(receiver.received.map(({ id, body }) => id + body));
    expect(bodies.size).toBe(ids().size);
    for (let source = 0; source < 40; source += 1)
      expectInOrder(firstArrivals(receiver.received, `s${source}`));
  } finally {
    await killed(child);
    await receiver.close();
    await removeFolder(dataDir);
  }
});

function batch(kill: number) {
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
  return startChild(join(import.meta.dirname, "webhook.process.ts"), [dataDir]);
}

function firstArrivals(
  received: { id: string; event: { seq: number; data: { source: { id: string } | null } } }[],
  source: string,
) {
  const seen = new Set<string>();
  return received
    .filter(({ event }) => event.data.source?.id === source)
    .filter(({ id }) => !seen.has(id) && seen.add(id))
    .map(({ event }) => event.seq);
}

function expectInOrder(seqs: number[]): void {
  expect(seqs).toEqual(seqs.toSorted((a, b) => a - b));
}
