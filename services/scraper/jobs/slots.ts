import { Later } from "../../../mixins/queue/queue.ts";
import { type Caller, defaultLimits } from "../../contracts/caller.ts";
import { fail } from "../../contracts/errors.ts";
import type { ScraperContext } from "../context.ts";
import type { StoredScrape } from "../scrapes.store.ts";

/** Returns the slot. */
type Release = () => void;

/** All waiting jobs of a key together ask for a slot this often, whatever their number. */
const askEveryMs = 100;
const shortestMs = 250;
const longestMs = 30_000;

/**
 * Takes one of the key's slots for work that starts now. The slot is returned when the work ends, not when its request
 * is answered. `holder` names the work on every node: work repeated after the death of a node counts once. Throws 429
 * `rate_limited`.
 */
export async function takeSlot(
  { limiter }: Pick<ScraperContext, "limiter">,
  { keyId, limits: { concurrentScrapes: max } }: Caller,
  holder: string,
): Promise<Release> {
  const release = await limiter.acquire(slotsOf(keyId), max, holder);
  if (!release)
    throw fail("rate_limited", `This key may run ${max} of these requests at a time.`, { retry_after: 1 });
  return release;
}

/**
 * Takes a slot for a job of the queue, and one of the workers of this node that its key may hold. Throws `Later` when
 * there is none: the job leaves its worker to jobs of other keys.
 */
export async function takeSlotForJob(context: ScraperContext, scrape: StoredScrape): Promise<Release> {
  const { _id, keyId, slots = defaultLimits.concurrentScrapes } = scrape;
  const leave = await context.workerSlot(keyId);
  const release = leave && (await context.limiter.acquire(slotsOf(keyId), slots, _id));
  if (release)
    return () => {
      release();
      leave();
    };
  leave?.();
  const waiting = await context.scrapes.count({ keyId, status: "pending" });
  throw new Later(Math.min(Math.max(waiting * askEveryMs, shortestMs), longestMs));
}

function slotsOf(keyId: string): string {
  return `concurrentScrapes:${keyId}`;
}
