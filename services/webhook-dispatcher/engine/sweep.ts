import { setTimeout as wait } from "node:timers/promises";
import { encodeTime } from "ulid";
import type { EventLog } from "../../../mixins/log/log.ts";
import type { Store } from "../../../mixins/store/store.ts";
import type { StoredDelivery, StoredLane } from "../room.ts";

export interface Sweeping {
  lanes: Store<StoredLane>;
  deliveries: Store<StoredDelivery>;
  log: EventLog;
  wake(keyIds: string[]): void;
  signal: AbortSignal;
  onError(error: unknown): void;
}

const everyMs = 60_000;
const pageSize = 200;
const retentionMs = 72 * 3_600_000;

/**
 * At the start and once a minute: wakes the active lanes that are behind their logs, since hints may be lost, and
 * forgets deliveries past the retention. Ends with the signal.
 */
export async function sweep(sweeping: Sweeping): Promise<void> {
  const { signal, onError } = sweeping;
  while (!signal.aborted) {
    try {
      await wakeLate(sweeping);
      await forgetOld(sweeping, Date.now());
    } catch (error) {
      onError(error);
    }
    // Aborted while it waits: the loop ends.
    await wait(everyMs, undefined, { signal }).catch(() => undefined);
  }
}

async function wakeLate({ lanes, log, wake, signal }: Sweeping): Promise<void> {
  let after = "";
  while (!signal.aborted) {
    const query = { status: "ACTIVE", _id: { $gt: after } } as const;
    const page = await lanes.find({ query, sort: ["_id"], limit: pageSize });
    const late = await Promise.all(page.map(async lane => ((await isLate(lane, log)) ? lane._id : [])));
    wake(late.flat());
    const last = page.at(-1);
    if (!last || page.length < pageSize) return;
    after = last._id;
    await wait(1, undefined, { signal }).catch(() => undefined);
  }
}

async function isLate({ _id, position, retries }: StoredLane, log: EventLog): Promise<boolean> {
  if (retries.length > 0) return true;
  const { oldest, latest } = await log.bounds(_id);
  return latest > position && oldest <= latest;
}

/** Identities begin with the time. */
async function forgetOld({ deliveries }: Sweeping, now: number): Promise<void> {
  await deliveries.removeMany({ _id: { $lt: encodeTime(now - retentionMs, 10) } });
}
