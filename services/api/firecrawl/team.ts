import type { Caller } from "../../contracts/caller.ts";
import { listOwnCrawls, listOwnScrapes } from "../../contracts/job-lists.contract.ts";
import { type Asked, answerWith, ask } from "./ask.ts";

const dayMs = 86_400_000;

/** `GET /team/queue-status`: pages of crawls and batches, and scrapes. */
export const queueStatus = answerWith({}, async asked => {
  const [{ active, waiting }, last] = await Promise.all([workOf(asked), lastSuccess(asked)]);
  return {
    success: true,
    jobsInQueue: active + waiting,
    activeJobsInQueue: active,
    waitingJobsInQueue: waiting,
    maxConcurrency: asked.caller.limits.concurrentScrapes,
    mostRecentSuccess: last,
  };
});

/** Answers `GET /concurrency-check`. */
export const concurrencyCheck = answerWith({}, async asked => {
  const { active } = await workOf(asked);
  return { success: true, data: { concurrency: active, maxConcurrency: limitOf(asked.caller) } };
});

function limitOf({ limits }: Caller): number {
  return limits.concurrentScrapes;
}

/** What the key has under way and waiting. */
async function workOf(asked: Asked): Promise<{ active: number; waiting: number }> {
  const [scrapes, crawls] = await Promise.all([
    ask(asked, listOwnScrapes, { status: "pending", limit: 200 }),
    ask(asked, listOwnCrawls, { status: "crawling", limit: 200 }),
  ]);
  const sum = (of: "running" | "queued") =>
    crawls.data.reduce((total, { progress }) => total + progress[of], 0);
  const started = scrapes.data.filter(({ started_at }) => started_at !== null).length;
  return { active: started + sum("running"), waiting: scrapes.data.length - started + sum("queued") };
}

async function lastSuccess(asked: Asked): Promise<string | null> {
  const { data } = await ask(asked, listOwnScrapes, { status: "completed", limit: 1 });
  const at = data[0]?.ended_at ?? null;
  return at !== null && Date.now() - Date.parse(at) < dayMs ? at : null;
}
