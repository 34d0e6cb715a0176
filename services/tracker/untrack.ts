import type { Caller } from "../contracts/caller.ts";
import { fail, invalid } from "../contracts/errors.ts";
import type { Source, SourceKind } from "../contracts/source.ts";
import { kindsOf } from "./kinds-of.ts";
import { publicSource } from "./records.ts";
import { atOnce, type Steps, type StoredSource, type TrackerRoom } from "./room.ts";
import { unsubscribe } from "./unsubscribe.ts";

export interface Untracked {
  source: SourceKind;
  eid?: string;
  iid?: string;
}

/** Ends tracking for a key, by exactly one of the source's ids. */
export async function untrack(
  room: TrackerRoom,
  { keyId }: Caller,
  { source: kind, eid, iid }: Untracked,
): Promise<{ data: Source; message: string }> {
  if ((eid === undefined) === (iid === undefined))
    throw invalid("eid", "exactlyOne", "Give exactly one of eid and iid.");
  const { source, gone } = await atOnce(room, steps => {
    const found = iid === undefined ? byAddress(steps, kind, eid ?? "") : byId(steps, kind, iid);
    const query = { keyId, sourceId: found?._id ?? "" };
    const [subscription] = steps.subscriptions.find({ query, limit: 1 });
    return {
      source: subscription && found,
      gone: subscription ? unsubscribe(steps, subscription) : null,
    };
  });
  if (gone) room.onLooseEnd(gone);
  if (!source) throw fail("not_found", "This API key tracks no such source.");
  return { data: publicSource(source), message: "The source is no longer tracked." };
}

function byAddress({ sources }: Steps, kind: SourceKind, externalId: string): StoredSource | undefined {
  return kindsOf(kind).flatMap(each => sources.find({ query: { kind: each, externalId }, limit: 1 }))[0];
}

function byId({ sources }: Steps, kind: SourceKind, id: string): StoredSource | undefined {
  const source = sources.findById(id);
  return source && kindsOf(kind).includes(source.kind) ? source : undefined;
}
