import { setImmediate as yieldToLoop } from "node:timers/promises";
import { encodeTime } from "ulid";
import { closeDatabase, type Database, openDatabase } from "../store/sqlite/database.ts";
import { addVersions } from "./add-versions.ts";
import type { Chain } from "./content-table.ts";
import { type Base, type Packed, pack, unpack } from "./contents.ts";
import { bytesOf, nothing } from "./cost.ts";
import { erase, type Inside, inSlices, prune } from "./embedded-removal.ts";
import {
  after,
  isOutdone,
  type Kept,
  knownAs,
  type NewVersion,
  type OpenHistory,
  type Span,
  type Version,
} from "./history.ts";
import { RunTables } from "./run-tables.ts";
import { SqliteWords } from "./sqlite-words.ts";
import { VersionTables } from "./version-tables.ts";
import { indexedOf } from "./word-index.ts";

/** The history in the database file of the embedded mode, which it shares with the store. */
export function openEmbeddedHistory(
  path: string,
  onUnreadable: (hash: string, error: unknown) => void = () => undefined,
): OpenHistory {
  const database = openDatabase(path);
  const versions = new VersionTables(database);
  const runs = new RunTables(database);
  const words = new SqliteWords(database);
  const inside: Inside = { database, versions, runs, words, onUnreadable };
  return {
    add: added => add(inside, added),
    restate: (sourceId, id, said) => kept(database, () => versions.restate(sourceId, id, said)),
    versions: async (sourceId, wanted) => versions.list(sourceId, wanted),
    version: async (sourceId, id) => versions.one(sourceId, id),
    versionAt: async (sourceId, at, item) => versionAt(versions, sourceId, at, item),
    content: hash => contentOf(inside, hash),
    adopt: (from, to, span) => adopt(inside, from, to, span),
    addChecks: added =>
      kept(database, () => {
        for (const run of added) runs.addCheck(versions.madeSource(run.sourceId), run);
      }),
    checks: async (sourceId, { before = Number.MAX_SAFE_INTEGER, limit }) => {
      const source = versions.sourceOf(sourceId);
      return source === null ? [] : runs.checks(source, sourceId, before, limit);
    },
    addValues: added =>
      kept(database, () => {
        for (const run of added) runs.addValue(versions.madeSource(run.sourceId), run);
      }),
    values: async (sourceId, wanted) => {
      const source = versions.sourceOf(sourceId);
      return source === null ? [] : runs.values(source, sourceId, wanted);
    },
    bytesOf: async sourceIds =>
      new Map([...versions.heldOf(sourceIds)].map(([id, held]) => [id, bytesOf(held)])),
    size: async sourceId => {
      const held = versions.heldOf([sourceId]).get(sourceId) ?? nothing;
      return { versions: held.versions, bytes: bytesOf(held) };
    },
    prune: (sourceId, keep) => prune(inside, sourceId, keep),
    erase: (sourceId, until) => erase(inside, sourceId, until),
    search: (query, scopes, page) => words.find(query, scopes, page),
    addEvents: events => words.putNew(events),
    pruneEvents: before => inSlices(limit => words.removeEvents(before, limit)),
    sourceIds: async (after, limit) => versions.sourceIds(after, limit),
    // Contents go with their last version, in one transaction.
    sweep: async () => 0,
    close: async () => {
      await words.done();
      closeDatabase(path);
    },
  };
}

async function kept<Result>(database: Database, work: () => Result): Promise<Result> {
  const result = database.transaction(work);
  await database.kept();
  return result;
}

async function add(inside: Inside, added: NewVersion[]): Promise<Kept[]> {
  const known = await addVersions(added, version => addOne(inside, version));
  await inside.database.kept();
  return known;
}

/** Compresses outside of the transaction, and again where what it built on has gone meanwhile. */
async function addOne(inside: Inside, given: NewVersion): Promise<Kept> {
  const { database, versions, words } = inside;
  for (;;) {
    const { sourceId, item = "" } = given;
    const isRepeat = versions.one(sourceId, given.id) !== null;
    const version = isRepeat ? given : after(versions.newest(sourceId, item)?.version ?? null, given);
    const prepared = await prepare(inside, version);
    const written = database.transaction(() => {
      const known = write(versions, version, prepared);
      if (known?.id === version.id) words.putNow([indexedOf(version)]);
      return known;
    });
    if (written) return written;
  }
}

interface Prepared {
  packed: Packed;
  /** The number of the content that it was packed against. */
  base: number | null;
}

/** Null for a content that is stored already. */
async function prepare(inside: Inside, { hash, content, ...version }: NewVersion): Promise<Prepared | null> {
  const { versions } = inside;
  if (versions.contents.numberOf(hash) !== null) return null;
  const former = versions.newest(version.sourceId, version.item ?? "");
  const chain = former && versions.contents.chainOf(former.content);
  const readable = chain && (await unpacked(inside, former.version.hash, chain));
  const base: Base | null = readable && {
    hash: former.version.hash,
    content: readable,
    depth: chain.depth,
    chainBytes: chain.chainBytes,
  };
  const packed = await pack(content, base);
  return { packed, base: packed.base === undefined ? null : (chain?.n ?? null) };
}

/** Null when it has to be prepared again. */
function write(versions: VersionTables, version: NewVersion, prepared: Prepared | null): Kept | null {
  const { sourceId, item = "", hash, title } = version;
  const former = versions.newest(sourceId, item)?.version;
  if (former?.hash === hash)
    return isOutdone(former, version)
      ? versions.restate(sourceId, former.id, version, title)
      : knownAs(former);
  const content = versions.contents.numberOf(hash) ?? addContent(versions, hash, prepared);
  if (content === null) return null;
  versions.put(version, content);
  return knownAs(version);
}

function addContent({ contents }: VersionTables, hash: string, prepared: Prepared | null): number | null {
  if (!prepared) return null;
  const { packed, base } = prepared;
  // Others may have removed it, or packed it anew.
  const link = base === null ? null : contents.chainOf(base);
  if (base !== null && (!link || link.depth + 1 !== packed.depth)) return null;
  return contents.add(hash, packed, base);
}

function versionAt(versions: VersionTables, sourceId: string, at: number, item?: string): Version | null {
  const [found] = versions.list(sourceId, {
    before: firstIdAfter(at),
    ...(item !== undefined && { item }),
    limit: 1,
  });
  return found ?? null;
}

/** Sorts after every id of a version of this time, and before those of later ones. */
function firstIdAfter(at: number): string {
  return encodeTime(Math.max(0, Math.floor(at) + 1), 10);
}

async function contentOf(inside: Inside, hash: string): Promise<Buffer | null> {
  const { contents } = inside.versions;
  const n = contents.numberOf(hash);
  const chain = n === null ? null : contents.chainOf(n);
  return chain && unpacked(inside, hash, chain);
}

/** Null for what is damaged: it stops nothing else. */
function unpacked({ onUnreadable }: Inside, hash: string, { data }: Chain): Promise<Buffer | null> {
  return unpack(data).catch(error => {
    onUnreadable(hash, error);
    return null;
  });
}

/** Versions that one transaction copies: it blocks the process for some milliseconds. */
const adoptedAtOnce = 10;

/** Slice by slice; a repeat copies what a crash has left out, with its words. */
async function adopt(
  { database, versions, runs, words }: Inside,
  from: string,
  to: string,
  { since, notBefore = 0, until }: Span,
): Promise<void> {
  const begin = versionAt(versions, from, since);
  const first = begin && begin.at >= notBefore ? begin.id : firstIdAfter(since - 1);
  for (let at: string | undefined = first; at !== undefined; await yieldToLoop())
    at = database.transaction(() => {
      const source = versions.sourceOf(from);
      if (source === null) return undefined;
      const range = { first: at as string, end: firstIdAfter(until - 1), limit: adoptedAtOnce };
      const { ids, next } = versions.adopt(source, versions.madeSource(to), range);
      words.copyNow(from, to, ids);
      return next;
    });
  await kept(database, () => {
    const source = versions.sourceOf(from);
    if (source !== null) runs.adopt(source, versions.madeSource(to), since, until);
  });
}
