/** Fills an embedded event log by its own appends and measures its steps. */
import { statSync } from "node:fs";
import { join } from "node:path";
import { openEmbeddedLog } from "../../mixins/event-log/embedded.log.ts";
import { hotMs, type OpenLog } from "../../mixins/event-log/event-log.ts";
import type { EventData } from "../../services/contracts/events.ts";
import { type Cost, timedSteps } from "./growth.ts";
import { measureStalls } from "./stalls.ts";

export interface LogQuestion {
  folder: string;
  references: number;
}

const keyIds = Array.from({ length: 10_000 }, (_, n) => `01J${String(n * 7919).padStart(23, "0")}`);
/** An append is that of a poll: some items of a source that so many keys track. */
const [eventsPerAppend, keysPerEvent] = [5, 20];
const perAppend = eventsPerAppend * keysPerEvent;
/** Appends of one moment share a sync. */
const together = 50;
const mostSteps = 300;

process.once("message", async ({ folder, references }: LogQuestion) => {
  process.send?.(await measure(folder, references));
});
process.once("disconnect", () => process.exit());
process.send?.("ready");

async function measure(folder: string, references: number): Promise<Cost[]> {
  const path = join(folder, "magpie.db");
  const [begin, end] = [Date.now() - hotMs, Date.now()];
  let now = begin;
  const log = openEmbeddedLog({ path, notify: () => undefined, onEntries: () => undefined, now: () => now });
  const appends = Math.ceil(references / perAppend);
  for (let n = 0; n < appends; n += together) {
    now = begin + Math.floor(((end - begin) * n) / appends);
    const some = Array.from({ length: Math.min(together, appends - n) }, (_, at) => append(log, n + at));
    await Promise.all(some);
  }
  const bytes = statSync(path).size / (appends * perAppend);
  now = end;
  const costs = [
    { name: "bytes on disk of a reference", value: bytes, unit: "B" },
    ...(await use(log, appends)),
  ];
  const stalls = measureStalls();
  costs.push(...(await expire(log, begin + (end - begin) / 100)));
  const { longestMs, longestCpuMs } = stalls();
  await log.close();
  return [
    ...costs,
    { name: "longest stall of an expiry", value: longestMs, unit: "ms" },
    { name: "longest stall of an expiry, CPU", value: longestCpuMs, unit: "ms" },
  ];
}

async function use(log: OpenLog, appends: number): Promise<Cost[]> {
  const steps = Math.min(mostSteps, appends);
  const pick = (n: number) => keyIds[(n * 104_729) % keyIds.length] ?? "";
  const { latest } = await log.bounds(pick(0));
  const since = new Date(Date.now() - hotMs / 2);
  return [
    ...(await timedSteps(`append of ${perAppend} references`, steps, n => append(log, appends + n))),
    ...(await timedSteps("50 events from the middle of a log", steps, n =>
      log.readWithin(pick(n), Math.floor(latest / 2), { events: 50, bytes: 1_000_000 }),
    )),
    ...(await timedSteps("position of a time", steps, n => log.positionAt(pick(n), since))),
    ...(await timedSteps("50 events of a lane that catches up", steps, n =>
      log.readWithin(pick(7), (n * 50) % Math.max(1, latest - 50), { events: 50, bytes: 1_000_000 }),
    )),
  ];
}

/** What was appended before a time; the costs are of a thousand references. */
async function expire(log: OpenLog, before: number): Promise<Cost[]> {
  const cpu = process.cpuUsage();
  const removed = await log.prune(new Date(before + hotMs));
  const { user, system } = process.cpuUsage(cpu);
  return [{ name: "expiry of 1,000 references, CPU", value: (user + system) / removed, unit: "ms" }];
}

function append(log: OpenLog, n: number): Promise<string[]> {
  const first = (n * 7919) % keyIds.length;
  const at = (step: number) => keyIds[(first + step * 499) % keyIds.length] ?? "";
  const keys = Array.from({ length: keysPerEvent }, (_, step) => at(step));
  const timestamp = new Date().toISOString();
  return log.append(
    Array.from({ length: eventsPerAppend }, (_, item) => ({
      bodyId: `source-${first}/${n}/${item}`,
      type: "rss.item.created" as const,
      timestamp,
      data: itemData(n, item),
      keyIds: keys,
    })),
  );
}

function itemData(n: number, item: number): EventData {
  const source = { id: `source-${n % 10_000}`, source: "RSS", externalId: `https://host-${n}.example/feed` };
  return {
    source: { ...source, username: `host-${n}.example`, name: `The feed of host ${n}` },
    item: { id: String(item), title: `Item ${item} of ${n}`, url: `https://host-${n}.example/${item}` },
  } as unknown as EventData;
}
