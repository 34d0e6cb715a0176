import type { ChangedLines } from "../watch/changed-lines.ts";
import {
  type LineVerdict,
  manyPages,
  oppositeOf,
  type PageVisit,
  pageOf,
  type SignedLine,
  signedLines,
} from "./page-visit.ts";
import { othersReadSince } from "./read-pages.ts";
import { isMuted, notePlaces, placeVerdict } from "./seen-places.ts";
import { type SeenLine, type SiteMemory, withLines, withLook } from "./site-memory.ts";

/** The lines of a page's change, by whose they are. */
export interface SortedLines {
  /** The page's own, for certain. */
  own: ChangedLines;
  /** The site's, as `judge` passes them over. */
  passed: string[];
  /** Lines of which it is not known yet. */
  undecided: ChangedLines;
  /** So many other pages are to be visited after this one, neighbours first, before the rest can be known; 0 for none. */
  look: number;
  /** The page is to be visited again half a minute later: what it shows may be something else at each visit. */
  again: boolean;
}

/** A candidate that was not seen on another page within this time is one no more. */
const freshMs = 60 * 60 * 1000;
/** A change that is everywhere reaches the last page, behind caches, within this time. */
const graceMs = 60 * 60 * 1000;
const maxPages = 12;

/** Adds a visit to the site's memory. */
export function noteVisit(memory: SiteMemory, visit: PageVisit): SiteMemory {
  const { at, found, lines, url } = visit;
  const looked = withLook(memory, [pageOf(visit), at, found, found === "changed" ? url.slice(0, 300) : ""]);
  const signed = lines ? signedLines(lines) : [];
  const noted = noteLines(looked, visit, signed);
  // A text that many pages have is known by itself.
  return notePlaces(
    noted,
    visit,
    signed.filter(({ name }) => !isOfTold(noted, name, visit)),
  );
}

function noteLines(memory: SiteMemory, visit: PageVisit, signed: SignedLine[]): SiteMemory {
  const isOfSample = memory.sample.includes(visit.key);
  const noted = signed.flatMap(({ name }): [string, SeenLine][] => {
    const known = memory.lines[name];
    if (known === undefined || !isOfTold(memory, name, visit)) return [[name, sightedAgain(known, visit)]];
    return isOfSample ? [[name, { ...known, sampled: (known.sampled ?? 0) + 1 }]] : [];
  });
  return withLines(memory, new Map(noted));
}

function sightedAgain(known: SeenLine | undefined, visit: PageVisit): SeenLine {
  const { at } = visit;
  const page = pageOf(visit);
  const { told, sampled } = known ?? {};
  const former = { ...(told !== undefined && { told }), ...(sampled !== undefined && { sampled }) };
  if (known === undefined || known.last < at - freshMs)
    return { pages: [page], first: at, last: at, ...former };
  const pages = known.pages.includes(page) ? known.pages : [...known.pages, page].slice(0, maxPages);
  return { ...former, pages, first: Math.min(known.first, at), last: Math.max(known.last, at) };
}

/** Whether most of the pages that are visited in each round had a line. */
function isWide({ sample }: SiteMemory, { sampled = 0 }: SeenLine): boolean {
  return sampled >= Math.max(2, sample.length / 2);
}

/** Whether a line came or went on a page as part of what was told of the site: the page was not visited since. */
function isOfTold(memory: SiteMemory, name: string, { before }: PageVisit): boolean {
  const line = memory.lines[name];
  const opposite = memory.lines[oppositeOf(name)];
  if (line?.told === undefined || (opposite?.told ?? 0) > line.told) return false;
  return before < line.told + (isWide(memory, line) ? graceMs : 0);
}

/**
 * Says of the lines of a visit that was noted whose they are. `pages`: how many the site has; `isLast`: nothing more can be
 * looked at, and what is not known is the page's own.
 */
export function sortLines(
  memory: SiteMemory,
  visit: PageVisit,
  { pages, isLast = false }: { pages: number; isLast?: boolean },
): SortedLines {
  const sorted: SortedLines = { own: none(), passed: [], undecided: none(), look: 0, again: false };
  for (const signed of visit.lines ? signedLines(visit.lines) : []) {
    const verdict = verdictOn(memory, visit, signed, pages);
    if (verdict.whose === "site") sorted.passed.push(signed.name);
    else put(verdict.whose === "page" || isLast ? sorted.own : sorted.undecided, signed);
    if (verdict.whose !== "undecided" || isLast) continue;
    sorted.look = Math.max(sorted.look, verdict.look);
    sorted.again ||= verdict.again;
  }
  return sorted;
}

function none(): ChangedLines {
  return { came: [], gone: [] };
}

function put(lines: ChangedLines, { sign, line }: SignedLine): void {
  (sign === "+" ? lines.came : lines.gone).push(line);
}

/** Other pages that were read since a line was seen first. */
function lookedSince(memory: SiteMemory, visit: PageVisit, known: SeenLine | undefined): number {
  return othersReadSince(memory, visit, Math.min(visit.at, known?.first ?? visit.at));
}

/** Neighbours that are looked at for a line, and for one that another page has too. */
const [fewLooks, manyLooks] = [3, 8];

/** Says whose one line is. */
export function verdictOn(
  memory: SiteMemory,
  visit: PageVisit,
  signed: SignedLine,
  pages: number,
): LineVerdict {
  const { name } = signed;
  const known = memory.lines[name];
  const looked = lookedSince(memory, visit, known);
  if (isOfTold(memory, name, visit) || isMuted(memory, signed)) return { whose: "site", by: "told" };
  if (known && known.pages.length >= manyPages(pages)) return { whose: "site", by: "lines" };
  if (isGoneWithSite(memory, name)) return { whose: "site", by: "told" };
  const byPlace = placeVerdict(memory, visit, signed, { pages, looked });
  if (byPlace) return byPlace;
  const isElsewhere = (known?.pages.length ?? 0) > 1;
  const wanted = Math.min(isElsewhere ? manyLooks : fewLooks, pages - 1);
  return looked >= wanted ? { whose: "page" } : { whose: "undecided", look: wanted - looked, again: false };
}

/** A line that came on all pages and goes is the site's, whichever page loses it first. */
function isGoneWithSite(memory: SiteMemory, name: string): boolean {
  const came = memory.lines[oppositeOf(name)];
  if (!name.startsWith("-") || came?.told === undefined) return false;
  return isWide(memory, came) && came.told > (memory.lines[name]?.told ?? 0);
}
