import { createHash } from "node:crypto";

const prefix = "chg_";

/** The source in the history that holds what a key's scrapes with this tag have read. Its items are addresses. */
export function changesSource(keyId: string, tag = ""): string {
  const hash = createHash("sha256").update(tag).digest("hex").slice(0, 16);
  return `${changesSourcesOf(keyId)}${hash}`;
}

/** What the ids of all such sources of a key begin with. */
export function changesSourcesOf(keyId: string): string {
  return `${prefix}${keyId}_`;
}

/** Whose scrapes a source holds; undefined for a source of another kind. */
export function keyOfChanges(sourceId: string): string | undefined {
  return sourceId.startsWith(prefix) ? sourceId.slice(prefix.length, sourceId.lastIndexOf("_")) : undefined;
}
