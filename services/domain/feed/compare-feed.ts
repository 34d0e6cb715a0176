import { itemJudge } from "../watch/item-judge.ts";
import type { View } from "../watch/view.ts";
import type { FeedItem } from "./feed.ts";
import {
  type FeedMemory,
  type Fingerprint,
  fingerprintsOf,
  type IdentityRule,
  identityRules,
  KnownItems,
  type SeenItem,
} from "./feed-memory.ts";
import { toText } from "./feed-text.ts";

export interface ItemNews {
  kind: "created" | "updated";
  postId: string;
  revision: string;
  item: FeedItem;
}

/** What a comparison has found of a document, in any order. */
interface Compared {
  known: readonly FeedItem[];
  fresh: readonly FeedItem[];
}

export interface CompareOptions {
  /** The most news that one comparison returns. */
  maxNews?: number;
  /** No item of the document has an id of its own. */
  guidless?: boolean;
  /** Without a memory: how many of the newest items are answered as the baseline. */
  maxBaseline?: number;
}

/** The news that count for a view. */
export function countingNews(news: ItemNews[], view: View): ItemNews[] {
  const counts = itemJudge(view);
  return news.filter(({ kind, item }) => {
    const { title = null, summary = "", content_text, content_html, language } = item;
    const text = [summary, content_text ?? toText(content_html) ?? ""].join("\n");
    return counts({ title, text, ...(language !== undefined && { language }), isUpdate: kind === "updated" });
  });
}

/**
 * Compares all items of a feed with the memory of earlier comparisons. Returns news oldest first, at most `maxNews`; the
 * rest stays unknown and follows in the next comparison. Without a memory every item is old: the silent baseline. The
 * same items twice never make news. `known` are the items that were remembered, `fresh` the others.
 */
export function compareFeed(
  memory: FeedMemory | undefined,
  items: FeedItem[],
  { maxNews = Number.POSITIVE_INFINITY, guidless = false, maxBaseline = 0 }: CompareOptions = {},
): Compared & { news: ItemNews[]; baseline: ItemNews[]; memory: FeedMemory; complete: boolean } {
  const ordered = oldestFirst(items);
  const known = new KnownItems(memory);
  const printed = fingerprintItems(memory, known, ordered, guidless);
  const edits = (memory?.edits ?? 0) + 1;
  const news: ItemNews[] = [];
  const baseline: ItemNews[] = [];
  let [remembered, complete] = [0, true];
  const matched = matches(ordered, printed, known);
  for (const { item, print, before } of matched) {
    const found = before === undefined ? created(item, print) : updated(item, print, before, edits);
    if (found && memory !== undefined && news.length >= maxNews) {
      complete = false;
      continue;
    }
    if (found) (memory === undefined ? baseline : news).push(found);
    known.remember(print, before);
    remembered++;
  }
  const changed = news.some(({ kind }) => kind === "updated");
  return {
    news,
    baseline: maxBaseline > 0 ? baseline.slice(-maxBaseline) : [],
    memory: known.pack(remembered, { rule: printed.rule, edits: changed ? edits : (memory?.edits ?? 0) }),
    complete,
    known: matched.flatMap(({ item, before }) => (before ? item : [])),
    fresh: matched.flatMap(({ item, before }) => (before ? [] : item)),
  };
}

/** Sorts by date where all items have one; else the reverse of the document's order, which by custom is newest first. */
export function oldestFirst(items: FeedItem[]): FeedItem[] {
  const reversed = [...items].reverse();
  if (items.some(({ date_published }) => date_published === undefined)) return reversed;
  return reversed.sort((a, b) =>
    (a.date_published ?? "") < (b.date_published ?? "") ? -1 : a.date_published === b.date_published ? 0 : 1,
  );
}

interface FingerprintedItems {
  rule: IdentityRule;
  fingerprints: Fingerprint[];
  /** Fingerprints under the previous rule, where the rule has changed. */
  oldFingerprints?: Fingerprint[];
}

/** Applies the first rule, from the previous one on, that distinguishes the items of this document. */
function fingerprintItems(
  memory: FeedMemory | undefined,
  known: KnownItems,
  items: FeedItem[],
  guidless: boolean,
): FingerprintedItems {
  const printsBy = fingerprintsOf(items);
  const held = memory?.rule ?? "guid";
  const first = guidless && items.length > 0 && held === "guid" ? "dated" : held;
  const usable = identityRules.slice(identityRules.indexOf(first));
  const distinguishes = (rule: IdentityRule) =>
    rule === "guid" ? guidsAreStable(known, printsBy(rule)) : areDistinct(printsBy(rule));
  const rule = usable.find(distinguishes) ?? "text";
  return { rule, fingerprints: printsBy(rule), ...(rule !== held && { oldFingerprints: printsBy(held) }) };
}

/**
 * Guids are abandoned for good when a document uses one guid for different links or titles, or for all of its items, or
 * when items that are known by link and content have new guids: such feeds generate guids for each fetch.
 */
function guidsAreStable(known: KnownItems, prints: Fingerprint[]): boolean {
  const groups = [...Map.groupBy(prints, ({ id }) => id).values()].filter(group => group.length > 1);
  const differ = (group: Fingerprint[], name: "link" | "title" | "content") =>
    new Set(group.map(print => print[name])).size > 1;
  if (groups.some(group => differ(group, "link") || differ(group, "title"))) return false;
  if (groups.some(group => group.length === prints.length && differ(group, "content"))) return false;
  const renamed = prints.filter(print => !known.has(print.id) && known.sameAtLink(print) !== undefined);
  return renamed.length === 0 || (renamed.length === 1 && prints.length > 1);
}

function areDistinct(prints: Fingerprint[]): boolean {
  const contents = new Map<string, string>();
  return prints.every(({ id, content }) => {
    const other = contents.get(id);
    contents.set(id, content);
    return other === undefined || other === content;
  });
}

interface Match {
  item: FeedItem;
  print: Fingerprint;
  /** The remembered item; undefined when the item is new. */
  before: SeenItem | undefined;
}

/**
 * Matches every item with its remembered one; of several items with one id, the newest counts. A remembered item matches
 * the item with its id, or else one that resembles it, and never two.
 */
function matches(
  items: FeedItem[],
  { rule, fingerprints, oldFingerprints = [] }: FingerprintedItems,
  known: KnownItems,
): Match[] {
  const taken = new Map<string, Match>();
  const byOldId = Map.groupBy(oldFingerprints, ({ id }) => id);
  fingerprints.forEach((print, index) => {
    const item = items[index];
    const oldId = oldFingerprints[index]?.id ?? "";
    // An id under the previous rule counts where only one item has it, or where the content is the same.
    const old = known.get(oldId);
    const isOwn = byOldId.get(oldId)?.length === 1 || old?.content === print.content;
    taken.delete(print.id);
    if (item) taken.set(print.id, { item, print, before: isOwn ? old : undefined });
  });
  const claimed = new Set([...taken.keys()].filter(id => known.has(id)));
  return Array.from(taken.values(), ({ item, print, before: old }) => {
    const others = [old, ...known.resembling(print, rule)].filter(entry => entry !== undefined);
    const before = known.get(print.id) ?? others.find(({ id }) => !claimed.has(id));
    if (before) claimed.add(before.id);
    return { item, print, before };
  });
}

function created(item: FeedItem, { id, content }: Fingerprint): ItemNews {
  return { kind: "created", postId: id, revision: content, item };
}

function updated(
  item: FeedItem,
  { id, content }: Fingerprint,
  before: SeenItem,
  edits: number,
): ItemNews | undefined {
  if (before.content === undefined || before.content === content) return undefined;
  return { kind: "updated", postId: id, revision: `${edits}.${content}`, item };
}

/** With fewer new items their order says little. */
const fewest = 3;

/**
 * Whether items may have come and gone since the last document, which had `current` of them: none of those is left, or only
 * pinned ones, which stay while the others pass below them.
 */
export function hasGap(document: readonly FeedItem[], compared: Compared, current: number): boolean {
  const { known } = compared;
  if (current === 0) return false;
  return known.length === 0 || (known.length < current && arePinned(document, compared));
}

/**
 * Whether all known items are older than each new one, and yet above one, in a document that has its new items by date,
 * newest first. A document in another order, or without dates, does not say which items are pinned.
 */
function arePinned(document: readonly FeedItem[], { known, fresh }: Compared): boolean {
  if (fresh.length < Math.max(fewest, known.length)) return false;
  const places = new Map(document.map((item, place) => [item, place]));
  const placeOf = (item: FeedItem) => places.get(item) ?? 0;
  const ordered = fresh.toSorted((a, b) => placeOf(a) - placeOf(b));
  const [first, last] = [ordered[0], ordered.at(-1)];
  if (!first || !last || !isNewestFirst(ordered) || !isOlder(last, first)) return false;
  return known.every(item => isOlder(item, last) && placeOf(item) < placeOf(last));
}

function isNewestFirst(items: readonly FeedItem[]): boolean {
  return items.every((item, at) => {
    const next = items[at + 1];
    return item.date_published !== undefined && (next === undefined || !isOlder(item, next));
  });
}

function isOlder({ date_published: date }: FeedItem, { date_published: other }: FeedItem): boolean {
  return date !== undefined && other !== undefined && date < other;
}
