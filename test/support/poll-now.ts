import type { WatchTracker } from "../suites/watches.suite.ts";
import { until } from "./until.ts";

/** Makes these sources due, and waits until each was polled and has left its lease. */
export async function pollNow(tracker: WatchTracker, ...ids: string[]): Promise<void> {
  const began = Date.now();
  const { sources } = tracker.context;
  const query = { _id: { $in: ids } };
  await sources.updateMany(query, { $set: { dueAt: began - 1, polledAt: began - 60_000 } });
  tracker.pollScheduler.wake();
  await until("they were polled", async () => {
    const found = await sources.find({ query });
    const isPolled = found.map(
      ({ polledAt, dueAt, lease }) => (polledAt >= began || dueAt > began) && lease === undefined,
    );
    return isPolled.length === new Set(ids).size && !isPolled.includes(false);
  });
}
