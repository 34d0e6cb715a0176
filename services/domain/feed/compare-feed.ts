import type { FeedItem } from "./feed.ts";
import { type Fingerprint, fingerprints, type IdentityRule } from "./item-identity.ts";

type Seen = [id: string, link: string, content: string];

/** What is remembered of a feed's items. JSON, at most some 150 KB. */
export interface FeedMemory {
  rule: IdentityRule;
  /** Id, link and content of every item seen, those that left the feed included; the latest seen last. */
  seen: Seen[];
  /** Comparisons that found a change, so that a text which changes back is a revision of its own. */
  edits: number;
}

export interface ItemNews {
  kind: "created" | "updated";
  postId: string;
  revision: string;
  item: FeedItem;
}

/** Items of one document that are looked at: the newest. */
const maxItems = 1000;
/** Items that are remembered: tombstones come to an end, the items of the document never do. */
const minMemory = 300;
const maxMemory = 3000;

/**
 * Compares a feed's items with what is remembered. News come oldest first, at most `maxNews`; the rest stays unknown
 * and comes with the next comparison. Without a memory everything is old: the silent baseline. The same items twice
 * never make news.
 */
export function compareFeed(
  memory: FeedMemory | undefined,
  items: FeedItem[],
  maxNews = Number.POSITIVE_INFINITY,
): { news: ItemNews[]; memory: FeedMemory; complete: boolean } {
  const latest = oldestFirst(items).slice(-maxItems);
  const { rule, prints } = printed(memory, latest);
  const known = new Known(memory?.seen ?? []);
  const edits = (memory?.edits ?? 0) + 1;
  const news: ItemNews[] = [];
  let complete = true;
  for (const { item, print, before } of matches(latest, prints, rule, known)) {
    const found = before === undefined ? created(item, print) : updated(item, print, before, edits);
    if (found && memory !== undefined && news.length >= maxNews) {
      complete = false;
      continue;
    }
    if (found && memory !== undefined) news.push(found);
    known.remember(print, before);
  }
  const bound = Math.min(maxMemory, Math.max(minMemory, 3 * latest.length));
  const changed = news.some(({ kind }) => kind === "updated");
  return {
    news,
    memory: { rule, seen: known.latest(bound), edits: changed ? edits : (memory?.edits ?? 0) },
    complete,
  };
}

/** By date where all have one, else against the document's order, which is newest first by custom. */
function oldestFirst(items: FeedItem[]): FeedItem[] {
  const reversed = [...items].reverse();
  if (items.some(({ date_published }) => date_published === undefined)) return reversed;
  return reversed.sort((a, b) =>
    (a.date_published ?? "") < (b.date_published ?? "") ? -1 : a.date_published === b.date_published ? 0 : 1,
  );
}

interface Printed {
  rule: IdentityRule;
  prints: Fingerprint[];
}

function printed(memory: FeedMemory | undefined, items: FeedItem[]): Printed {
  const byGuid = memory?.rule === "link" ? [] : fingerprints(items, "guid");
  const isGuidGood = memory?.rule !== "link" && guidsTell(memory, byGuid);
  return isGuidGood
    ? { rule: "guid", prints: byGuid }
    : { rule: "link", prints: fingerprints(items, "link") };
}

/**
 * Guids are given up for good when one document uses a guid for different links, or when items that are known by link
 * and content come with guids never seen: there the guid is made anew for each fetch.
 */
function guidsTell(memory: FeedMemory | undefined, prints: Fingerprint[]): boolean {
  const linksOf = Map.groupBy(prints, ({ id }) => id);
  if ([...linksOf.values()].some(group => new Set(group.map(({ link }) => link)).size > 1)) return false;
  const known = new Known(memory?.seen ?? []);
  const renamed = prints.filter(print => !known.has(print.id) && known.sameElsewhere(print) !== undefined);
  return renamed.length === 0 || (renamed.length === 1 && prints.length > 1);
}

interface Match {
  item: FeedItem;
  print: Fingerprint;
  /** What is remembered of the item; undefined when it is new. */
  before: Seen | undefined;
}

/**
 * Every item with what is known of it; of several with one id the newest, since it is the one that counts. What is
 * remembered belongs to the item with its id; only else to one that resembles it, and never to two.
 */
function matches(items: FeedItem[], prints: Fingerprint[], rule: IdentityRule, known: Known): Match[] {
  const taken = new Map<string, { item: FeedItem; print: Fingerprint }>();
  prints.forEach((print, index) => {
    const item = items[index];
    taken.delete(print.id);
    if (item) taken.set(print.id, { item, print });
  });
  const claimed = new Set([...taken.keys()].filter(id => known.has(id)));
  return Array.from(taken.values(), ({ item, print }) => {
    const before = known.get(print.id) ?? known.resembling(print, rule).find(([id]) => !claimed.has(id));
    if (before) claimed.add(before[0]);
    return { item, print, before };
  });
}

function created(item: FeedItem, { id, content }: Fingerprint): ItemNews {
  return { kind: "created", postId: id, revision: content, item };
}

function updated(
  item: FeedItem,
  { content }: Fingerprint,
  [postId, , before]: Seen,
  edits: number,
): ItemNews | undefined {
  return before === content ? undefined : { kind: "updated", postId, revision: `${edits}.${content}`, item };
}

class Known {
  private readonly byId: Map<string, Seen>;
  private readonly byLink: Map<string, Seen>;

  constructor(seen: FeedMemory["seen"]) {
    this.byId = new Map(seen.map(entry => [entry[0], entry]));
    this.byLink = new Map(seen.filter(([, link]) => link !== "").map(entry => [entry[1], entry]));
  }

  has(id: string): boolean {
    return this.byId.has(id);
  }

  get(id: string): Seen | undefined {
    return this.byId.get(id);
  }

  /** What may be an item whose id is not known, the likeliest first. */
  resembling(print: Fingerprint, rule: IdentityRule): Seen[] {
    if (rule === "guid") return [this.sameElsewhere(print)].filter(entry => entry !== undefined);
    // What was seen before guids were given up is still known by them, as long as it says the same.
    const byGuid = this.byId.get(print.guid);
    const candidates = [this.byLink.get(print.link), byGuid?.[2] === print.content ? byGuid : undefined];
    return candidates.filter(entry => entry !== undefined);
  }

  sameElsewhere({ link, content }: Fingerprint): Seen | undefined {
    const entry = this.byLink.get(link);
    return entry?.[2] === content ? entry : undefined;
  }

  /** A link leads to one item: the latest that had it. */
  remember({ id, link, content }: Fingerprint, before: Seen | undefined): void {
    const entry: Seen = [before?.[0] ?? id, link, content];
    if (before && this.byLink.get(before[1])?.[0] === before[0]) this.byLink.delete(before[1]);
    const owner = this.byLink.get(link);
    if (owner) this.byId.set(owner[0], [owner[0], "", owner[2]]);
    this.byId.delete(entry[0]);
    this.byId.set(entry[0], entry);
    if (link !== "") this.byLink.set(link, entry);
  }

  latest(count: number): FeedMemory["seen"] {
    return [...this.byId.values()].slice(-count);
  }
}
