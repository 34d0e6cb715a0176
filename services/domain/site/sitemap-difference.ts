/** What the sitemaps say of a page. */
export interface SitemapEntry {
  key: string;
  url: string;
  /** When it changed last (ms); null where they say nothing. */
  lastmod: number | null;
}

/** What is known of a page. */
export interface KnownEntry {
  key: string;
  listed?: { lastmod: number | null };
  state: string;
}

/** A change of what the sitemaps say of a known page. */
export interface EntryMark {
  key: string;
  /** What they say now; null where they say nothing any more. */
  listed: { lastmod: number | null } | null;
  /** The page may have changed, come back, or gone. */
  isDue: boolean;
}

export interface SitemapDifference {
  /** Pages that are not known. */
  fresh: SitemapEntry[];
  marks: EntryMark[];
}

/** Sorts entries by their keys; of two with one key the one with the later time is kept. */
export function sortedEntries(entries: readonly SitemapEntry[]): SitemapEntry[] {
  const byKey = new Map<string, SitemapEntry>();
  for (const entry of entries) {
    const known = byKey.get(entry.key);
    if (known === undefined || (entry.lastmod ?? 0) > (known.lastmod ?? 0)) byKey.set(entry.key, entry);
  }
  return [...byKey.values()].sort((a, b) => compare(a.key, b.key));
}

function compare(one: string, other: string): number {
  if (one === other) return 0;
  return one < other ? -1 : 1;
}

/** What is made of a reading of all sitemaps that began `at` (ms). */
export interface Believed {
  at: number;
  /** All of them were read: a page that none of them lists has left them. */
  isComplete: boolean;
  /** A page is visited because its time is newer. */
  isTrusted: boolean;
  /** A page is visited because its time is the day that has not ended. */
  isDaily: boolean;
}

/** Pages, or a part of all, that may say the present day without that all of them are visited in each round. */
const [mostDaily, dailyPart] = [20, 0.02];

/** Whether few enough entries say no more than the present day: a page may change once more on it. */
export function isDaily(entries: readonly SitemapEntry[], at: number): boolean {
  const today = entries.filter(({ lastmod }) => isToday(lastmod, at)).length;
  return today <= Math.max(mostDaily, dailyPart * entries.length);
}

/**
 * Compares sorted entries with a slice of the known pages, in the order of keys: those entries that are up to the last page of
 * the slice, and all of them where the slice is the `last` one. `next`: the entry at which the next slice begins.
 */
export function differenceIn(
  entries: readonly SitemapEntry[],
  from: number,
  pages: readonly KnownEntry[],
  believed: Believed & { isLast: boolean },
): SitemapDifference & { next: number } {
  const { isLast, isComplete } = believed;
  const fresh: SitemapEntry[] = [];
  const marks: EntryMark[] = [];
  let next = from;
  for (const page of pages) {
    for (; isBefore(entries[next], page.key); next += 1) fresh.push(entries[next] as SitemapEntry);
    const entry = entries[next]?.key === page.key ? entries[next] : undefined;
    if (entry) next += 1;
    const mark = entry ? markOf(page, entry, believed) : isComplete ? leftMark(page) : undefined;
    if (mark) marks.push(mark);
  }
  if (!isLast) return { fresh, marks, next };
  return { fresh: [...fresh, ...entries.slice(next)], marks, next: entries.length };
}

function isBefore(entry: SitemapEntry | undefined, key: string): boolean {
  return entry !== undefined && entry.key < key;
}

const dayMs = 24 * 60 * 60 * 1000;

/** The page is due where its time is newer, where it is listed again, and while its time is a day that has not ended. */
function markOf(
  { key, listed, state }: KnownEntry,
  { lastmod }: SitemapEntry,
  believed: Believed,
): EntryMark | undefined {
  const isNews = listed === undefined || listed.lastmod !== lastmod;
  const isNewer = lastmod !== null && listed !== undefined && lastmod > (listed.lastmod ?? 0);
  const isBack = isNews && state !== "there" && state !== "new" && state !== "alias";
  const isOfToday = believed.isDaily && isToday(lastmod, believed.at);
  const isDue = isBack || (believed.isTrusted && (isNewer || isOfToday));
  return isNews || isDue ? { key, listed: { lastmod }, isDue } : undefined;
}

function isToday(lastmod: number | null, at: number): boolean {
  return lastmod !== null && lastmod % dayMs === 0 && at - lastmod < dayMs && at > lastmod;
}

/** A page that has left the sitemaps may be gone. */
function leftMark({ key, listed, state }: KnownEntry): EntryMark | undefined {
  if (listed === undefined) return undefined;
  return { key, listed: null, isDue: state === "there" || state === "missing" };
}
