import type { Service } from "moleculer";
import { type LeasedSource, leaseDue, nextDueAt } from "./lease.ts";
import { poll } from "./poll.ts";
import type { TrackerRoom } from "./room.ts";
import { Scheduler } from "./scheduler.ts";

/** Polls at a time. They wait for others, and for their turn at a host, more than they work. */
const concurrency = 256;

/** Polls the sources that are due. */
export function polling(room: TrackerRoom, logger: Service["logger"]): Scheduler<LeasedSource> {
  return new Scheduler(
    {
      take: max => leaseDue(room, max),
      nextAt: () => nextDueAt(room),
      run: async source => {
        const startedAt = performance.now();
        const came = await poll(room, source);
        const outcome = typeof came === "string" ? came : "put off";
        const durationMs = Math.round(performance.now() - startedAt);
        logger.debug("source.polled", { source: source._id, kind: source.kind, outcome, durationMs });
      },
      onError: error => logger.error("polling.broken", { error }),
      now: room.now,
    },
    concurrency,
  );
}
