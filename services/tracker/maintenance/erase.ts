import type { EventLog } from "../../../mixins/event-log/event-log.ts";
import { countsOf, type ErasureCounts, type ErasureOf } from "../../contracts/erasure.contract.ts";
import type { TrackerContext } from "../context.ts";
import { forgetKey } from "../tracking/untrack.ts";
import { eraseSource } from "./erase-source.ts";

/** Ends, or counts, what is kept of a source, or all that keys track, with its past, their events, monitors, batches and requests to join. */
export async function eraseTracked(
  context: TrackerContext,
  log: Pick<EventLog, "bounds" | "erase">,
  of: ErasureOf,
): Promise<ErasureCounts> {
  const { keyIds, source, dry } = of;
  if (source) return await eraseSource(context, log, source, of);
  if (!dry) for (const keyId of keyIds) await forgetKey(context, keyId);
  const query = { keyId: { $in: keyIds } };
  const { subscriptions, tallies, jobs, batches, entries, monitors, members, checks, pages } = context;
  return await countsOf({
    subscriptions: subscriptions.count(query),
    tallies: tallies.count({ _id: { $in: keyIds } }),
    "join requests": jobs.count(query),
    batches: batches.count(query),
    "entries of batches": entries.count(query),
    monitors: monitors.count(query),
    "members of monitors": members.count(query),
    "checks of monitors": checks.count(query),
    "pages of checks": pages.count(query),
    events: countEvents(log, keyIds),
  });
}

async function countEvents(log: Pick<EventLog, "bounds">, keyIds: string[]): Promise<number> {
  let events = 0;
  for (const keyId of keyIds) {
    const { oldest, latest } = await log.bounds(keyId);
    if (latest > 0) events += latest - oldest + 1;
  }
  return events;
}
