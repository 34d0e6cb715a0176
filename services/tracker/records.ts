import type { DatedSource, Source } from "../contracts/source.ts";
import type { StoredSource, StoredSubscription } from "./room.ts";

/** The source as answers and events show it. */
export function publicSource({ _id, kind, externalId, username, name }: StoredSource): Source {
  return { id: _id, source: kind.toUpperCase(), externalId, username, name };
}

/** The source as one who tracks it finds it. */
export function datedSource(source: StoredSource, { createdAt }: StoredSubscription): DatedSource {
  return { ...publicSource(source), createdAt, updatedAt: source.updatedAt };
}
