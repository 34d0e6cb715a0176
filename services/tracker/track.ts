import type { Caller } from "../contracts/caller.ts";
import type { Source, SourceKind } from "../contracts/source.ts";
import { beginTracking, joinKnown } from "./begin-tracking.ts";
import { askToJoin } from "./joins/ask-to-join.ts";
import type { Platforms } from "./platforms.ts";
import { publicSource } from "./records.ts";
import type { TrackerRoom } from "./room.ts";
import { isSocial } from "./social.ts";
import type { Tracking } from "./subscribe.ts";

/** What became of a wish to track: it is so, or somebody has to let us in first. */
export type Outcome = { data: Source; message: string; isNew: boolean } | { jobId: string; message: string };

interface Wanted {
  source: SourceKind;
  sid: string;
}

/** Begins to track for a key, from now on. */
export async function track(
  room: TrackerRoom,
  caller: Caller,
  wanted: Wanted,
  platforms: Platforms,
): Promise<Outcome> {
  const { source: kind, sid } = wanted;
  const tracker = { ...caller, askedAs: kind };
  // A handle may look like another source's id, so that only what is an address by itself is known without asking.
  const known = isSocial(kind) ? null : await joinKnown(room, tracker, kind, sid);
  if (known) return answer(known);
  if (kind === "messenger") {
    const admission = await platforms.admission({ kind, sid });
    if (admission.state === "approval_needed")
      return askToJoin(room, caller, { kind, sid, invite: admission.invite });
  }
  return answer(await beginTracking(room, tracker, await platforms.resolve({ kind, sid }), platforms));
}

function answer({ source, isNew }: Tracking) {
  const message = isNew ? "The source is tracked." : "The source was tracked already.";
  return { data: publicSource(source), message, isNew };
}
