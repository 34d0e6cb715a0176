import type { EventLog } from "../../../mixins/event-log/event-log.ts";
import { isProbing, keyOf, type Lane, waitingIn } from "../../domain/delivery/lane.ts";
import type { Journal } from "../journal/journal.ts";
import type { Dispatcher } from "./dispatcher.ts";

/** The lanes in memory of one thread. */
export interface BusyLanes {
  dispatcher: Pick<Dispatcher, "busy" | "passedIn">;
  journal: Pick<Journal, "lane">;
  log: Pick<EventLog, "bounds">;
}

/**
 * Undelivered events in this thread's lanes, without those that were read and not wanted. Failing endpoints are left out,
 * since more nodes would not deliver their events sooner. A lane that is not in memory has none.
 */
export function laneLag(lanes: BusyLanes): Promise<number> {
  return sumOverLanes(lanes, (lane, latest, passed) =>
    isProbing(lane) ? 0 : Math.max(0, latest - lane.position - lane.settled.length - passed),
  );
}

/** Undelivered events in this thread's lanes, also those that wait for a retry; none of FAILED endpoints. */
export function eventsWaiting(lanes: BusyLanes): Promise<number> {
  return sumOverLanes(lanes, (lane, latest, passed) => Math.max(0, waitingIn(lane, latest) - passed));
}

async function sumOverLanes(
  { dispatcher, journal, log }: BusyLanes,
  count: (lane: Lane, latest: number, passed: number) => number,
): Promise<number> {
  const counts = await Promise.all(
    dispatcher.busy.map(async laneId => {
      const { latest } = await log.bounds(keyOf(laneId));
      const lane = journal.lane(laneId);
      return lane?.status === "ACTIVE" ? count(lane, latest, dispatcher.passedIn(laneId)) : 0;
    }),
  );
  return counts.reduce((sum, each) => sum + each, 0);
}
