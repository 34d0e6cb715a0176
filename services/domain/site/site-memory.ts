/**
 * What is remembered of a site between two steps, beside its pages: which lines are the site's, which pages were looked at
 * lately, how far its sitemaps are to be trusted, and the counters of the round. JSON of at most some 400 KB.
 */
export interface SiteMemory {
  /** Rounds so far, the present one included. */
  round: number;
  /** When it began, in milliseconds since the epoch. */
  roundAt: number;
  /** The next one is wanted by then (ms): a page is missing, and may be at another address. */
  wantedAt?: number;
  /** When the first visits of all pages had ended: from then on what differs is told. Absent until then. */
  baselineAt?: number;
  /** Keys of pages that are visited in each round, whatever their own pace. */
  sample: string[];
  /** The pages looked at lately, each once, the latest last. */
  looked: Look[];
  /** Lines that came or went of late, by their sign and hash, the latest last. */
  lines: Record<string, SeenLine>;
  /** Places that showed something else of late, by their names, the latest last. */
  places: Record<string, SeenPlace>;
  /** Addresses to which pages led of late in place of themselves, and these pages: hashes of keys. */
  targets: Record<string, string[]>;
  /** The host refuses requests for a limit: since when, how often, and until when nothing is asked for (ms). */
  pause?: { since: number; times: number; until: number };
  /** Keys of the first pages whose visits failed since one has succeeded, whether the entry page is one, and the last reason. */
  failing?: { pages: string[]; isEntry: boolean; reason: string };
  lastmod: LastmodTrust;
  counts: RoundCounts;
}

/** What a visit found, in short. */
export type LookedAt = "same" | "changed" | "missing" | "failed";

/** A page, by the hash of its key; when its visit began (ms); what it found; and where it is, of a changed one. */
export type Look = [page: string, at: number, found: LookedAt, url: string];

/** A line that came or went. */
export interface SeenLine {
  /** Pages on which it did since it was told last, by the hashes of their keys: the first ones. */
  pages: string[];
  /** When the visits began that saw it first and last (ms). */
  first: number;
  last: number;
  /** When it was told as the site's (ms), and on how many pages of the sample it was. */
  told?: number;
  sampled?: number;
}

/** What came to a place on a page: a hash, "" for nothing; when; and at how many visits it was still the same. */
export type Sighting = [page: string, text: string, at: number, stayed: number];

/** A place that showed something else on several pages. */
export interface SeenPlace {
  seen: Sighting[];
  /** Pages on which it did so once more when they were visited again. */
  again: string[];
  /** When it was told that what it shows came, went or changed on many pages (ms). */
  told?: number;
  /** Since when it is muted (ms). */
  muted?: number;
  /** The last rounds in which it showed something else on many pages alike, and the last one in which any page did. */
  changes: number[];
  round: number;
}

/** Whether `lastmod` of the sitemaps says when pages change. */
export interface LastmodTrust {
  /** The sitemaps say times of most pages. */
  isPlausible: boolean;
  /** Changes of late that it said, changes that it did not say, and said ones that were none. */
  said: number;
  unsaid: number;
  vain: number;
}

/** What a round has found so far. */
export interface RoundCounts {
  visited: number;
  unchanged: number;
  added: number;
  changed: number;
  removed: number;
  moved: number;
  failed: number;
}

const noCounts: RoundCounts = {
  visited: 0,
  unchanged: 0,
  added: 0,
  changed: 0,
  removed: 0,
  moved: 0,
  failed: 0,
};

/** Pages of the fixed sample. */
export const sampleSize = 8;

const [maxLooked, maxLines, maxPlaces] = [256, 2500, 400];
/** Lines and places that were seen no more for so long are forgotten. */
const keptMs = 60 * 24 * 60 * 60 * 1000;

/** A site that was never read. */
export function firstSiteMemory(at: number): SiteMemory {
  return {
    ...{ round: 0, roundAt: at, sample: [], looked: [], lines: {}, places: {}, targets: {} },
    lastmod: { isPlausible: false, said: 0, unsaid: 0, vain: 0 },
    counts: noCounts,
  };
}

/** What `SitePages` keeps of a site; what cannot be read is no memory. */
export function readSiteMemory(text: string | null, at: number): SiteMemory {
  return text === null
    ? firstSiteMemory(at)
    : { ...firstSiteMemory(at), ...(JSON.parse(text) as SiteMemory) };
}

/** A round begins. */
export function beginRound(memory: SiteMemory, at: number): SiteMemory {
  const { wantedAt: _, ...kept } = memory;
  const { round, lines, places } = kept;
  return {
    ...kept,
    ...{ round: round + 1, roundAt: at, counts: noCounts },
    lines: latest(lines, maxLines, ({ last, told = 0 }) => Math.max(last, told) > at - keptMs),
    places: latest(places, maxPlaces, place => isKept(place, round + 1)),
  };
}

/** A muted place that rests for so many rounds counts again. */
const roundsOfRest = 6;
const roundsKept = 30;

function isKept({ muted, round }: SeenPlace, present: number): boolean {
  return present - round <= (muted === undefined ? roundsKept : roundsOfRest);
}

/** The memory with a page that was looked at. */
export function withLook(memory: SiteMemory, look: Look): SiteMemory {
  const others = memory.looked.filter(([page]) => page !== look[0]);
  return { ...memory, looked: [...others, look].slice(-maxLooked) };
}

/** The entries of a record with one more at its end, at most so many. */
export function withEntries<Entry>(
  record: Record<string, Entry>,
  entries: ReadonlyMap<string, Entry>,
  most: number,
): Record<string, Entry> {
  const others = Object.keys(record).filter(name => !entries.has(name));
  const kept: Record<string, Entry> = {};
  const beyond = others.length + entries.size - most;
  for (const name of others.slice(Math.max(0, beyond))) kept[name] = record[name] as Entry;
  for (const [name, entry] of [...entries].slice(-most)) kept[name] = entry;
  return kept;
}

export function withLines(memory: SiteMemory, lines: ReadonlyMap<string, SeenLine>): SiteMemory {
  return lines.size === 0 ? memory : { ...memory, lines: withEntries(memory.lines, lines, maxLines) };
}

export function withPlaces(memory: SiteMemory, places: ReadonlyMap<string, SeenPlace>): SiteMemory {
  return places.size === 0 ? memory : { ...memory, places: withEntries(memory.places, places, maxPlaces) };
}

function latest<Entry>(
  record: Record<string, Entry>,
  most: number,
  isWanted: (entry: Entry) => boolean,
): Record<string, Entry> {
  return Object.fromEntries(
    Object.entries(record)
      .filter(([, entry]) => isWanted(entry))
      .slice(-most),
  );
}
