import { setTimeout as wait } from "node:timers/promises";
import type { JobsRoom, StoredScrape } from "./room.ts";
import { unlessLate } from "./unless-late.ts";

const lookMs = 250;

/** Waits for the end of somebody's scrape; gives it as it is when that has come or the time is over. */
export async function awaitEnd(jobs: JobsRoom, id: string, timeoutMs: number): Promise<StoredScrape | null> {
  const deadline = performance.now() + timeoutMs;
  for (;;) {
    const scrape = await jobs.scrapes.findById(id);
    const leftMs = deadline - performance.now();
    if (scrape?.status !== "pending" || leftMs <= 0) return scrape;
    const recorded = jobs.runs.get(id)?.recorded;
    if (recorded) await unlessLate(leftMs, recorded);
    else await wait(Math.min(leftMs, lookMs));
  }
}
