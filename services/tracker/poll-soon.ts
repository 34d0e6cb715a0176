import type { SourceKind } from "../contracts/source.ts";
import { atOnce, type TrackerRoom } from "./room.ts";
import { isSocial, shortestMs } from "./social.ts";

/** Makes a source due as soon as its shortest interval allows; tells whether anyone tracks it. */
export async function pollSoon(
  room: TrackerRoom,
  { kind, externalId }: { kind: SourceKind; externalId: string },
): Promise<{ isTracked: boolean }> {
  const known = await room.sources.findOne({ kind, externalId });
  if (!known) return { isTracked: false };
  return atOnce(room, ({ sources }) => {
    const source = sources.findById(known._id);
    if (!source) return { isTracked: false };
    const soon = Math.max(room.now(), source.polledAt + shortestMs(room, kind));
    // The poll under way may have read the source before it changed.
    if (source.lease !== undefined) sources.updateById(source._id, { $set: { again: true } });
    // A hint about a page may be a stranger's; that a connection to a platform stands again is our own knowledge.
    else if ((source.failures === 0 || isSocial(kind)) && soon < source.dueAt)
      sources.updateById(source._id, { $set: { dueAt: soon } });
    return { isTracked: true };
  });
}
