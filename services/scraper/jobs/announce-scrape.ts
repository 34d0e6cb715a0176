import { describeScrape } from "./describe-scrape.ts";
import type { JobsRoom, StoredScrape } from "./room.ts";

/** Tells a scrape's webhook, if it wants to know. Telling it again is harmless: the notice has an identity. */
export async function announceScrape(
  jobs: JobsRoom,
  scrape: StoredScrape,
  event: "started" | "completed" | "failed",
): Promise<void> {
  const { _id, keyId, webhook, startedAt, endedAt } = scrape;
  if (!webhook?.events.includes(event)) return;
  await jobs.announce({
    id: `${_id}.${event}`,
    type: `scrape.${event}`,
    keyId,
    url: webhook.url,
    headers: webhook.headers ?? {},
    job: { ...(await describeScrape(jobs, scrape)) },
    timestamp: endedAt ?? startedAt ?? new Date(jobs.now()).toISOString(),
  });
}

/** Announces the end of a scrape that has ended, unless that is done. */
export async function announceEnd(jobs: JobsRoom, id: string): Promise<void> {
  const scrape = await jobs.scrapes.findById(id);
  if (scrape === null || scrape.status === "pending" || scrape.webhook === undefined) return;
  await announceScrape(jobs, scrape, scrape.status);
  await jobs.scrapes.update(id, { $unset: { webhook: true, checkAt: true } });
}
