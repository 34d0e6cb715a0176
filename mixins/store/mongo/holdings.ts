import type { Doc, Index } from "../store.ts";
import { collide } from "./duplicate.ts";
import type { Evaluation } from "./evaluate.ts";
import type { Write } from "./records.ts";
import type { Place } from "./stored.ts";
import type { Change } from "./view.ts";

/** A document that a transaction has to hold. */
export interface Holding {
  place: Place;
  id: string;
  /** Of one that was there. */
  version?: string;
  write: Write;
}

export function holdingsOf({ view, reads }: Evaluation<unknown>): Holding[] {
  const holdings = [...view.changes.values()].map(holdingOf);
  for (const [key, read] of view.used) {
    const known = "id" in read && !view.changes.has(key) && reads.docs.get(key);
    if (!known) continue;
    const write = { collection: read.place.stored.collectionName, id: read.id, kind: "read" } as const;
    holdings.push({ place: read.place, id: read.id, version: known.version, write });
  }
  return holdings;
}

function holdingOf({ place, id, before, after }: Change): Holding {
  if (before && after) refuseTaking(place.uniques, before.doc, after);
  const kind = after === null ? "remove" : before ? "change" : "insert";
  const write: Write = { collection: place.stored.collectionName, id, kind, ...(after && { doc: after }) };
  return { place, id, version: before?.version, write };
}

/** Only the server can tell whether a unique value is free, and a document that is there would show it at once. */
function refuseTaking(uniques: Index[], before: Doc, after: Doc): void {
  const taken = uniques.find(index => collide([index], after, after) && !collide([index], after, before));
  if (taken)
    throw new TypeError(`A transaction of several documents cannot change ${taken.fields.join(", ")} of one`);
}
