import type { Keep, Version } from "./history.ts";

/** What retention looks at in a version. */
export type Aged = Pick<Version, "id" | "item" | "at" | "eventId" | "eventAt" | "previousId" | "bytes">;

/**
 * The ids of the versions that retention removes, of all versions of a source, newest first: those beyond `keep`, but for
 * the versions of events that may exist and those with which they were compared.
 */
export function whatGoes(versions: readonly Aged[], keep: Keep): string[] {
  const beyond = new Set(beyondKeep(versions, keep));
  if (beyond.size === 0) return [];
  const before = predecessors(versions);
  const byId = new Map(versions.map(version => [version.id, version]));
  for (const version of versions) {
    const { eventId, at, eventAt = at, previousId } = version;
    if (eventId === undefined || eventAt < keep.eventsFrom) continue;
    beyond.delete(version);
    beyond.delete((previousId === undefined ? before.get(version) : byId.get(previousId)) as Aged);
  }
  return [...beyond].map(({ id }) => id);
}

/** The ids of the versions that were over by a time, of all versions of a source, newest first. The newest one stays. */
export function whatIsOver(versions: readonly Aged[], until: number): string[] {
  const keep = { before: until, versions: Infinity, bytes: Infinity };
  return beyondKeep(versions, keep).map(({ id }) => id);
}

/**
 * A version lasts until the next one of its item; an item that has no newer one is over when it was last seen to change.
 * The newest version is never beyond.
 */
function beyondKeep(versions: readonly Aged[], keep: Omit<Keep, "eventsFrom">): Aged[] {
  const next = new Map<string | undefined, number>();
  let bytes = 0;
  return versions.filter(({ item, at, bytes: own = 0 }, n) => {
    const overAt = next.get(item) ?? (item === undefined ? Infinity : at);
    next.set(item, at);
    bytes += own;
    return n > 0 && (overAt <= keep.before || n >= keep.versions || bytes > keep.bytes);
  });
}

/** The version before each one, of the same item. */
function predecessors(versions: readonly Aged[]): Map<Aged, Aged> {
  const before = new Map<Aged, Aged>();
  const newer = new Map<string | undefined, Aged>();
  for (const version of versions) {
    const next = newer.get(version.item);
    if (next) before.set(next, version);
    newer.set(version.item, version);
  }
  return before;
}
