import { isDeepStrictEqual } from "node:util";
import { Validators } from "moleculer";
import type { OpmlEntry, OpmlOutcome } from "../../contracts/opml.contract.ts";
import { type SourceKind, sourceKinds } from "../../contracts/source.ts";
import { type WatchOptions, watchOptions } from "../../contracts/watch.contract.ts";
import { mostTags } from "../../domain/opml/opml.ts";
import type { OpmlReading, OpmlEntry as Read } from "../../domain/opml/read-opml.ts";
import type { BatchItem } from "../batches/batches.store.ts";
import { publicSource, type StoredSubscription } from "../sources.store.ts";
import { type HeldSource, ListIndex } from "./key-list.ts";

/** What becomes of an outline, or of a source that a document does not name. */
export interface Planned {
  shown: OpmlEntry;
  /** What the batch does for it. */
  item?: BatchItem;
  /** What changes without a batch. */
  change?: { id: string; set: Pick<StoredSubscription, "tags" | "listed"> };
}

interface Plan {
  mode: "add" | "sync";
  held: HeldSource[];
}

/** What an import of a document would do to the list of a key. */
export function planImport(reading: OpmlReading & { ok: true }, { mode, held }: Plan): Planned[] {
  const index = new ListIndex(held);
  const named = new Set<HeldSource>();
  const entries = reading.entries.map(entry => {
    const refused = refusalOf(entry);
    if (refused) return { shown: failed(entry, refused) };
    const known = index.find(entry.source as SourceKind, entry.sid);
    if (known) named.add(known);
    return known ? kept(entry, known, mode) : added(entry);
  });
  const failures = reading.failures.map(({ line, title, reason }) => ({
    shown: { ...nothing, line, title, error: { code: "validation_failed", message: reason } },
  }));
  const gone = mode === "sync" ? held.filter(each => !named.has(each) && isListed(each, reading.isOwn)) : [];
  const inOrder = [...entries, ...failures].sort((a, b) => Number(a.shown.line) - Number(b.shown.line));
  return [...inOrder, ...gone.map(removed)];
}

/**
 * Whether a document of this program would name the source: all have feeds, and only Magpie's own have pages, sites and
 * searches. Accounts, servers and channels are never left because of a document.
 */
function isListed({ source: { kind } }: HeldSource, isOwn: boolean): boolean {
  return kind === "rss" || (isOwn && (kind === "web" || kind === "site" || kind === "search"));
}

const nothing = { outcome: "failed" as OpmlOutcome, source: null, sid: null, tags: [] };

function failed(entry: Read, message: string): OpmlEntry {
  const source = isKind(entry.source) ? entry.source : null;
  return { ...shownOf(entry, "failed"), source, error: { code: "validation_failed", message } };
}

function shownOf({ line, source, sid, tags, listed }: Read, outcome: OpmlOutcome): OpmlEntry {
  return { line, outcome, title: listed.title ?? sid, source: source as SourceKind, sid, tags };
}

function added(entry: Read): Planned {
  const { line, source, sid, tags, listed, options = {} } = entry;
  const kind = source as SourceKind;
  const item = {
    source: kind,
    sid,
    options: { ...(options as WatchOptions), tags },
    listed: { ...listed, source: kind, sid },
    line,
  };
  return { shown: shownOf(entry, "added"), item };
}

function kept(entry: Read, { subscription, source, externalId }: HeldSource, mode: Plan["mode"]): Planned {
  const before = subscription.tags ?? [];
  const tags = mode === "sync" ? entry.tags : [...new Set([...before, ...entry.tags])].slice(0, mostTags);
  const shown = { ...shownOf({ ...entry, tags }, "kept"), data: publicSource(source) };
  const listed = { ...entry.listed, source: entry.source as SourceKind, sid: entry.sid };
  const options = entry.options as WatchOptions | undefined;
  if (mode === "sync" && options && Object.keys(options).length > 0) {
    const item = {
      source: source.kind,
      sid: externalId,
      options: { ...options, tags },
      listed,
      line: entry.line,
    };
    return { shown, item };
  }
  const isSame = sameTags(before, tags) && isDeepStrictEqual(subscription.listed, listed);
  return isSame ? { shown } : { shown, change: { id: subscription._id, set: { tags, listed } } };
}

function sameTags(before: string[], after: string[]): boolean {
  return isDeepStrictEqual([...before].sort(), [...after].sort());
}

function removed({ subscription, source, externalId }: HeldSource): Planned {
  const { _id, kind, name } = source;
  const title = subscription.listed?.title ?? name;
  const shown = { line: null, outcome: "removed" as const, title, source: kind, sid: externalId };
  return {
    shown: { ...shown, tags: subscription.tags ?? [], data: publicSource(source) },
    item: { source: kind, sid: externalId, leaves: _id },
  };
}

function isKind(text: string): text is SourceKind {
  return (sourceKinds as readonly string[]).includes(text);
}

const check = new Validators.Fastest().compile({
  $$strict: true,
  options: { ...watchOptions, optional: true },
});

/** What a reason shows of an outline, which may be of any length. */
const [longestShown, mostMessages, longestMessage] = [64, 3, 300];

/** Why an outline cannot be asked for; undefined when it can. */
function refusalOf({ source, sid, options }: Read): string | undefined {
  if (!isKind(source)) return `There is no kind of source named \`${source.slice(0, longestShown)}\`.`;
  if (sid.length > 2048) return "`sid` has at most 2,048 characters.";
  const found = check({ options }) as true | { field: string; message: string }[];
  if (found === true) return undefined;
  const messages = found.slice(0, mostMessages).map(({ message }) => message.slice(0, longestMessage));
  return `Its options are not valid: ${messages.join(" ")}`;
}
