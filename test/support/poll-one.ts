import type { TrackerContext } from "../../services/tracker/context.ts";
import type { LeasedSource } from "../../services/tracker/polling/due-sources.ts";
import { type PollOutcome, pollTogether } from "../../services/tracker/polling/poll.ts";

/** Polls one leased source. */
export async function pollOne(context: TrackerContext, source: LeasedSource): Promise<PollOutcome> {
  const polled = await pollTogether(context, [source]);
  return polled.find(each => each.source._id === source._id)?.result ?? "lost";
}
