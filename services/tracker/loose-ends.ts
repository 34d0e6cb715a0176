import { pagesOf } from "../../mixins/store/pages-of.ts";
import type { Address } from "./platforms.ts";
import { refusal } from "./refusal.ts";
import type { Steps, TrackerRoom } from "./room.ts";

/**
 * A source that its platform may be bringing us although nobody tracks it; `_id` is its address. Written before the
 * platform is asked to follow, and together with the end of a source; gone with the beginning of one, and when the
 * platform has let go. So at whatever step the process dies, nothing stays followed that nobody tracks.
 */
export interface StoredLooseEnd extends Address {
  _id: string;
}

const pageSize = 200;

export function addressOf({ kind, externalId }: Address): string {
  return `${kind} ${externalId}`;
}

/** As a step of a transaction in which the last key leaves a source. */
export function leaveLooseEnd({ looseEnds }: Steps, { kind, externalId }: Address): void {
  looseEnds.upsertById(addressOf({ kind, externalId }), { $set: { kind, externalId } });
}

/** As a step of a transaction after which the source is tracked. */
export function tieLooseEnd({ looseEnds }: Steps, source: Address): void {
  looseEnds.removeById(addressOf(source));
}

/** Has the platform let go of a source, unless somebody tracks it by now. Rejects when that has to be tried again. */
export function letGo(room: TrackerRoom, { kind, externalId }: Address): Promise<void> {
  const address = addressOf({ kind, externalId });
  return room.turns.take(address, async () => {
    if (!(await room.looseEnds.findById(address))) return;
    if (!(await room.sources.findOne({ kind, externalId }))) await tellToLetGo(room, { kind, externalId });
    await room.looseEnds.remove(address);
  });
}

/** What the platform does not know (any more), or has never allowed, it does not bring either. */
async function tellToLetGo(room: TrackerRoom, source: Address): Promise<void> {
  try {
    await room.letGo(source);
  } catch (error) {
    if (refusal(error) === null) throw error;
    room.onNotLetGo(source, error);
  }
}

/** Has the platforms let go of all that nobody tracks; a platform that fails is left alone until the next time. */
export async function letAllGo(room: TrackerRoom, signal: AbortSignal): Promise<void> {
  const failed = new Set<string>();
  for await (const some of pagesOf(room.looseEnds, { limit: pageSize, signal }))
    for (const end of some) {
      if (signal.aborted || failed.has(end.kind)) continue;
      await letGo(room, end).catch(error => {
        failed.add(end.kind);
        room.onNotLetGo(end, error);
      });
    }
}
