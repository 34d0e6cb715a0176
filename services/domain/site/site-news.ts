import { createHash } from "node:crypto";
import {
  type LineVerdict,
  oppositeOf,
  type PageVisit,
  pageHash,
  type SignedLine,
  signedLines,
} from "./page-visit.ts";
import { placeName, readSince } from "./seen-places.ts";
import { verdictOn } from "./shared-lines.ts";
import { type SeenLine, type SeenPlace, type SiteMemory, withLines, withPlaces } from "./site-memory.ts";

/** A change that is on many pages at once, as its event has it. */
export interface SiteChange {
  /** Equal lines came or went on many pages, or a place shows something else on each visit. */
  kind: "everywhere" | "rotating";
  added: string[];
  removed: string[];
  /** Pages on which it was seen, that were looked at for it, and that are watched. */
  seen_on: number;
  looked_at: number;
  pages: number;
  /** Addresses of some of them. */
  examples: string[];
}

/** What is told of the site as a whole, once. */
export interface SiteNews {
  /** Equal for the same change, however often it is found: the identity of its post. */
  id: string;
  change: SiteChange;
}

/** A line of a visit that is to be told as the site's. */
interface Untold extends SignedLine {
  by: "lines" | "place" | "rotation";
  visit: PageVisit;
}

/** Lines that one event shows, on either side. */
const mostShown = 100;
const mostExamples = 5;

/**
 * What of the visits at hand is the site's and was not told. It has to be written with the first page that passes over it, or
 * before. `visits`: those whose changes are not settled; all were noted.
 */
export function siteNews(
  memory: SiteMemory,
  visits: readonly PageVisit[],
  { pages, at }: { pages: number; at: number },
): { memory: SiteMemory; news: SiteNews[] } {
  const untold = visits.flatMap(visit => untoldOf(memory, visit, pages));
  const restless = new Set(untold.flatMap(line => (isRestless(memory, line, untold) ? line.name : [])));
  const isRotating = (line: Untold) => line.by === "rotation" || restless.has(line.name);
  const [rotating, everywhere] = [untold.filter(isRotating), untold.filter(line => !isRotating(line))];
  const news = [
    ...newsOf(memory, "everywhere", everywhere, pages),
    ...newsOf(memory, "rotating", rotating, pages),
  ];
  return { memory: toldIn(toldIn(memory, everywhere, at, false), rotating, at, true), news };
}

function untoldOf(memory: SiteMemory, visit: PageVisit, pages: number): Untold[] {
  return (visit.lines ? signedLines(visit.lines) : []).flatMap(signed => {
    const verdict: LineVerdict = verdictOn(memory, visit, signed, pages);
    if (verdict.whose !== "site" || verdict.by === "told") return [];
    return { ...signed, by: verdict.by, visit };
  });
}

/** Rounds of the last ones in which a place shows something else on all pages alike: then it does so all the time. */
const [restlessRounds, seenRounds] = [3, 4];

function isRestless(memory: SiteMemory, { line, by }: Untold, untold: readonly Untold[]): boolean {
  const { places, round } = memory;
  const name = placeName(line);
  const place = name === undefined ? undefined : places[name];
  if (place === undefined || by === "rotation") return false;
  if (flipsAt(memory, name, untold) >= fewFlips) return true;
  const { changes } = place;
  const former = changes.filter(each => each !== round && round - each < seenRounds);
  return former.length + 1 >= restlessRounds && isReplaced(name, untold);
}

/** Lines of a place that came on some pages and went on others in one round: its texts take turns. */
const fewFlips = 2;

function flipsAt(
  { lines, roundAt }: SiteMemory,
  place: string | undefined,
  untold: readonly Untold[],
): number {
  const there = untold.filter(({ line }) => placeName(line) === place).map(({ name }) => name);
  return new Set(there.filter(name => (lines[oppositeOf(name)]?.last ?? 0) >= roundAt)).size;
}

/** Whether lines both came to a place and went. */
function isReplaced(name: string | undefined, untold: readonly Untold[]): boolean {
  const there = untold.filter(({ line }) => placeName(line) === name);
  return there.some(({ sign }) => sign === "+") && there.some(({ sign }) => sign === "-");
}

function newsOf(
  memory: SiteMemory,
  kind: SiteChange["kind"],
  lines: readonly Untold[],
  pages: number,
): SiteNews[] {
  if (lines.length === 0) return [];
  const names = [...new Set(lines.map(nameOf))].sort();
  const since = Math.max(...lines.map(line => lastTold(memory, line)));
  const id = createHash("sha256")
    .update([kind, since, ...names].join("\n"))
    .digest("base64url")
    .slice(0, 22);
  const [added, removed] = shownLines(lines);
  const seen = pagesOf(memory, lines);
  const first = Math.min(
    ...lines.map(({ visit }) => visit.at),
    ...lines.map(line => firstSeen(memory, line)),
  );
  return [
    {
      id,
      change: {
        ...{ kind, added, removed },
        seen_on: seen.size,
        looked_at: Math.max(seen.size, readSince(memory, first)),
        pages,
        examples: examplesOf(memory, seen, lines),
      },
    },
  ];
}

/** What says the same on all pages is named by its text, all else by its place. */
function nameOf({ by, name, line }: Untold): string {
  return by === "lines" ? name : (placeName(line) ?? name);
}

function lastTold({ lines, places }: SiteMemory, { by, name, line }: Untold): number {
  const told = by === "lines" ? lines[name]?.told : places[placeName(line) ?? ""]?.told;
  return told ?? 0;
}

function firstSeen({ lines }: SiteMemory, { by, name, visit }: Untold): number {
  return by === "lines" ? (lines[name]?.first ?? visit.at) : visit.at;
}

/** Texts that came and that went, in the order of the page that shows the most; what only changed its place is left out. */
function shownLines(lines: readonly Untold[]): [added: string[], removed: string[]] {
  const byVisit = [...Map.groupBy(lines, ({ visit }) => visit).values()].sort((a, b) => b.length - a.length);
  const ordered = byVisit.flat();
  const [came, gone] = (["+", "-"] as const).map(sign => [
    ...new Set(ordered.flatMap(each => (each.sign === sign ? each.line.text : []))),
  ]) as [string[], string[]];
  const isMove = came.length === gone.length && came.every(text => gone.includes(text));
  const shown = (texts: string[], others: string[]) =>
    (isMove ? texts : texts.filter(text => !others.includes(text))).slice(0, mostShown);
  return [shown(came, gone), shown(gone, came)];
}

function pagesOf({ lines, places }: SiteMemory, untold: readonly Untold[]): Set<string> {
  return new Set(
    untold.flatMap(({ by, name, line, visit }) => [
      pageHash(visit.key),
      ...(by === "lines" ? (lines[name]?.pages ?? []) : []),
      ...(by === "lines" ? [] : (places[placeName(line) ?? ""]?.seen.map(([page]) => page) ?? [])),
    ]),
  );
}

function examplesOf({ looked }: SiteMemory, seen: Set<string>, lines: readonly Untold[]): string[] {
  const known = looked.flatMap(([page, , , url]) => (seen.has(page) && url !== "" ? url : []));
  return [...new Set([...lines.map(({ visit }) => visit.url), ...known])].slice(0, mostExamples);
}

function toldIn(memory: SiteMemory, lines: readonly Untold[], at: number, isRotating: boolean): SiteMemory {
  const told = lines.map(({ name }): [string, SeenLine] => [name, toldLine(memory, name, at)]);
  const places = lines.flatMap(({ line, by }): [string, SeenPlace][] => {
    const name = placeName(line);
    const place = name === undefined ? undefined : memory.places[name];
    if (name === undefined || place === undefined) return [];
    return [
      [name, toldPlace(place, { at, isRotating, by, isReplaced: isReplaced(name, lines) }, memory.round)],
    ];
  });
  return withPlaces(withLines(memory, new Map(told)), new Map(places));
}

function toldLine(memory: SiteMemory, name: string, at: number): SeenLine {
  const { first = at, last = at, pages = [] } = memory.lines[name] ?? {};
  const sample = new Set(memory.sample.map(pageHash));
  const sampled = pages.filter(page => sample.has(page)).length;
  return { pages: [], first, last, told: at, ...(sampled > 0 && { sampled }) };
}

interface Told {
  at: number;
  isRotating: boolean;
  by: Untold["by"];
  isReplaced: boolean;
}

function toldPlace(
  place: SeenPlace,
  { at, isRotating, by, isReplaced: isChange }: Told,
  round: number,
): SeenPlace {
  if (isRotating) return { ...place, told: at, muted: at };
  const changes = isChange && !place.changes.includes(round) ? [...place.changes, round] : place.changes;
  const told = by === "place" ? { told: at } : { seen: [], again: [] };
  return { ...place, changes: changes.slice(-seenRounds), ...told };
}
