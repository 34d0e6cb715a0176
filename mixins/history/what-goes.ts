import { setImmediate as yieldToLoop } from "node:timers/promises";
import { bytesOf, bytesOfCheck, bytesOfValue, type Held, mostRuns, nothing } from "./cost.ts";
import type { Keep, Version } from "./history.ts";

/** What retention looks at in a version. */
export interface Aged extends Pick<Version, "id" | "item" | "at" | "eventId" | "eventAt" | "previousId"> {
  /** All that goes with it. */
  bytes: number;
}

/** The versions of a source, as a driver has them. */
export interface AgedVersions {
  newestId(): Promise<string | null>;
  /** Oldest first, after an id. */
  after(id: string, limit: number): Promise<Aged[]>;
  /** The first version after an id, of each of these items. */
  firstAfter(id: string, items: Aged["item"][]): Promise<Map<Aged["item"], Aged>>;
  /** The versions with which events were compared that are not older than a time (ms). */
  comparedFrom(eventsFrom: number): Promise<Set<string>>;
  /** Removes versions; newest first, so that what is packed against a removed one goes with it. */
  remove(ids: string[]): Promise<void>;
}

/** All that is kept of a source, as a driver has it. */
export interface AgedSource extends AgedVersions {
  held(): Promise<Held>;
  /** Removes the words of the oldest versions, of so many bytes if there are as many; answers of how many. */
  removeWords(bytes: number): Promise<number>;
  /** Removes the runs that ended before a time (ms). */
  removeRuns(until: number): Promise<void>;
  removeOldest(kind: "checks" | "values", count: number): Promise<void>;
}

/** Removes what is beyond `keep`; answers how many versions went. Beyond the bytes, words and runs go first. */
export async function removeBeyond(source: AgedSource, keep: Keep): Promise<number> {
  await source.removeRuns(beginOf(keep));
  const held = await source.held();
  const { checks, values } = held;
  let excess = bytesOf(held) - keep.bytes;
  if (excess > 0) excess -= await source.removeWords(excess);
  await removeRunsBeyond(source, "values", values, excess / bytesOfValue);
  excess -= Math.min(values, Math.max(0, excess / bytesOfValue)) * bytesOfValue;
  await removeRunsBeyond(source, "checks", checks, excess / bytesOfCheck);
  return removeVersions(source, await source.held(), keep);
}

async function removeRunsBeyond(
  source: AgedSource,
  kind: "checks" | "values",
  count: number,
  excess: number,
): Promise<void> {
  const gone = Math.min(count, Math.ceil(Math.max(0, excess, count - mostRuns)));
  if (gone > 0) await source.removeOldest(kind, gone);
}

/** Removes the versions that a newer one had replaced by a time (ms), about `most` at most; answers how many. */
export function removeOver(versions: AgedVersions, until: number, most: number): Promise<number> {
  const keep = { before: 0, readsFrom: until, versions: 1, bytes: 1, eventsFrom: Infinity };
  return removeVersions(versions, nothing, keep, most);
}

/** Versions that are looked at together. */
const slice = 500;

/**
 * Reads the oldest ones only, up to the first that stays for its age and its place. Those of events that may exist stay, with
 * those with which they were compared; and the newest one does.
 */
async function removeVersions(
  versions: AgedVersions,
  held: Held,
  keep: Keep,
  most = Infinity,
): Promise<number> {
  const newestId = await versions.newestId();
  const older = { versions: 0, bytes: 0 };
  let removed = 0;
  for (let after = ""; ; await yieldToLoop()) {
    const rows = await versions.after(after, slice);
    const beyond: Candidate[] = [];
    for (const row of rows) {
      const isExcess =
        older.versions < held.versions - keep.versions || bytesOf(held) - older.bytes > keep.bytes;
      if (!isExcess && row.at > beginOf(keep)) break;
      older.versions += 1;
      older.bytes += row.bytes;
      beyond.push({ ...row, isExcess });
    }
    const gone = await whatGoes(versions, { rows, beyond, newestId }, keep);
    await versions.remove(gone.reverse());
    removed += gone.length;
    if (beyond.length < slice || removed >= most) return removed;
    after = rows.at(-1)?.id ?? "";
  }
}

/** What was over by then may go. */
function beginOf({ before, readsFrom = 0 }: Keep): number {
  return Math.max(before, readsFrom);
}

interface Candidate extends Aged {
  /** It goes for the number or the bytes, whatever its age. */
  isExcess: boolean;
}

async function whatGoes(
  versions: AgedVersions,
  { rows, beyond, newestId }: { rows: Aged[]; beyond: Candidate[]; newestId: string | null },
  { before, readsFrom = 0, eventsFrom }: Keep,
): Promise<string[]> {
  const next = successors(rows);
  const isCovered = rows.length < slice || (rows.at(-1)?.at ?? 0) > readsFrom;
  const isTold = ({ eventId, at, eventAt = at }: Aged) => eventId !== undefined && eventAt >= eventsFrom;
  // What an item says now stays, and there may be thousands of them: no question is asked about these.
  const isCurrent = ({ id, item, at, isExcess }: Candidate) =>
    isCovered && item !== undefined && !next.has(id) && !isExcess && at > before;
  const doubtful = beyond.filter(each => each.id !== newestId && !isTold(each) && !isCurrent(each));
  const alone = doubtful.filter(({ id }) => !next.has(id)).map(({ item }) => item);
  const later = alone.length > 0 ? await versions.firstAfter(rows.at(-1)?.id ?? "", alone) : new Map();
  let compared: Set<string> | undefined;
  const gone: string[] = [];
  for (const version of doubtful) {
    const following: Aged | undefined = next.get(version.id) ?? later.get(version.item);
    const replacedAt = following?.at ?? Infinity;
    // An item that has no newer version is over, by age, when it was last seen to change: feeds drop items.
    const overAt = following?.at ?? (version.item === undefined ? Infinity : version.at);
    if (!version.isExcess && overAt > before && replacedAt > readsFrom) continue;
    if (following && following.previousId === undefined && isTold(following)) continue;
    compared ??= await versions.comparedFrom(eventsFrom);
    if (!compared.has(version.id)) gone.push(version.id);
  }
  return gone;
}

/** The next version of the same item, by id, as far as it is among them. */
function successors(rows: readonly Aged[]): Map<string, Aged> {
  const next = new Map<string, Aged>();
  const last = new Map<string | undefined, string>();
  for (const row of rows) {
    const former = last.get(row.item);
    if (former !== undefined) next.set(former, row);
    last.set(row.item, row.id);
  }
  return next;
}
