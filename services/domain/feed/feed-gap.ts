import type { FeedItem } from "./feed.ts";

/** What a comparison has found of a document, in any order. */
export interface Compared {
  known: readonly FeedItem[];
  fresh: readonly FeedItem[];
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
