import type { Platforms } from "../platforms.ts";
import type { TrackerRoom } from "../room.ts";
import { Scheduler } from "../scheduler.ts";
import { type LeasedJoin, leaseDueJoins, nextJoinAt } from "./lease-join.ts";
import { stepJoin } from "./step-join.ts";

/** Requests that are looked after at a time. */
const concurrency = 16;

/** Takes the steps of requests to be let in when they are due. `onStep` is told of each that was taken. */
export function joining(
  room: TrackerRoom,
  platforms: Platforms,
  onStep: () => void,
  onError: (error: unknown) => void,
): Scheduler<LeasedJoin> {
  return new Scheduler(
    {
      take: max => leaseDueJoins(room, max),
      nextAt: () => nextJoinAt(room),
      run: async join => {
        await stepJoin(room, join, platforms);
        onStep();
      },
      onError,
      now: room.now,
    },
    concurrency,
  );
}
