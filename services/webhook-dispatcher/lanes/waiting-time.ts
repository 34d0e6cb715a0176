import type { EventLog } from "../../../mixins/event-log/event-log.ts";
import { keyOf, type Lane } from "../../domain/delivery/lane.ts";

/** Events wait for an endpoint for this time, from a replay on where one has asked for them, however long the log keeps them. */
const longestWaitMs = 72 * 3_600_000;
const checkedEveryMs = 60_000;

/** Finds what of a lane has waited too long, with few questions to the log. */
export class WaitingTime {
  #checkedAt = 0;

  /** The last position that has waited too long; 0 for none. `oldest` is the ISO time of the first event that may be sent. */
  async endsAt(
    { log }: { log: Pick<EventLog, "positionAt"> },
    laneId: string,
    { position, retries, replayedAt = 0 }: Lane,
    oldest: string | undefined,
  ): Promise<number> {
    const now = Date.now();
    const horizon = now - longestWaitMs;
    const mayBeOld = retries.length > 0 || (oldest !== undefined && Date.parse(oldest) < horizon);
    if (!mayBeOld || replayedAt > horizon || now - this.#checkedAt < checkedEveryMs) return 0;
    const to = await log.positionAt(keyOf(laneId), new Date(horizon));
    if (to > position || retries.some(({ seq }) => seq <= to)) return to;
    this.#checkedAt = now;
    return 0;
  }
}
