import { createHash } from "node:crypto";
import {
  type LineVerdict,
  oppositeOf,
  type PageVisit,
  pageHash,
  pageOf,
  type SignedLine,
  signedLines,
} from "./page-visit.ts";
import { readSince } from "./read-pages.ts";
import { placeName } from "./seen-places.ts";
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
  const shown = shownAtPlaces(memory, untold);
  const restless = new Set(untold.flatMap(line => (isRestless(memory, line, shown) ? line.name : [])));
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

function isRestless({ places, round }: SiteMemory, { line, by }: Untold, shown: ShownAtPlaces): boolean {
  const name = placeName(line);
  const place = name === undefined ? undefined : places[name];
  if (place === undefined || by === "rotation") return false;
  if ((shown.get(name)?.flips.size ?? 0) >= fewFlips) return true;
  const { changes } = place;
  const former = changes.filter(each => each !== round && round - each < seenRounds);
  return former.length + 1 >= restlessRounds && isReplaced(name, shown);
}

/** Lines of a place that came on some pages and went on others in one round: its texts take turns. */
const fewFlips = 2;

/** What the lines of one place say together: their signs, and which of them came on some pages and went on others. */
interface ShownAtPlace {
  signs: Set<string>;
  flips: Set<string>;
}

type ShownAtPlaces = ReadonlyMap<string | undefined, ShownAtPlace>;

/** Goes over all lines once, however many there are at one place. */
function shownAtPlaces({ lines, roundAt }: SiteMemory, untold: readonly Untold[]): ShownAtPlaces {
  const shown = new Map<string | undefined, ShownAtPlace>();
  for (const { line, name, sign } of untold) {
    const place = placeName(line);
    const there = shown.get(place) ?? { signs: new Set(), flips: new Set() };
    shown.set(place, there);
    there.signs.add(sign);
    if ((lines[oppositeOf(name)]?.last ?? 0) >= roundAt) there.flips.add(name);
  }
  return shown;
}

/** Whether lines both came to a place and went. */
function isReplaced(name: string | undefined, shown: ShownAtPlaces): boolean {
  return shown.get(name)?.signs.size === 2;
}

function newsOf(
  memory: SiteMemory,
  kind: SiteChange["kind"],
  lines: readonly Untold[],
  pages: number,
): SiteNews[] {
  if (lines.length === 0) return [];
  const names = [...new Set(lines.map(nameOf))].sort();
  const since = lines.reduce((last, line) => Math.max(last, lastTold(memory, line)), 0);
  const id = createHash("sha256")
    .update([kind, since, ...names].join("\n"))
    .digest("base64url")
    .slice(0, 22);
  const [added, removed] = shownLines(lines);
  const seen = pagesOf(memory, lines);
  const first = lines.reduce(
    (least, line) => Math.min(least, line.visit.at, firstSeen(memory, line)),
    Number.POSITIVE_INFINITY,
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
  const textsOf = (sign: "+" | "-") =>
    new Set(ordered.flatMap(each => (each.sign === sign ? each.line.text : [])));
  const [came, gone] = [textsOf("+"), textsOf("-")];
  const isMove = came.size === gone.size && [...came].every(text => gone.has(text));
  const shown = (texts: Set<string>, others: Set<string>) =>
    [...texts].filter(text => isMove || !others.has(text)).slice(0, mostShown);
  return [shown(came, gone), shown(gone, came)];
}

function pagesOf({ lines, places }: SiteMemory, untold: readonly Untold[]): Set<string> {
  const byLine = new Set(untold.flatMap(({ by, name }) => (by === "lines" ? name : [])));
  const byPlace = new Set(untold.flatMap(({ by, line }) => (by === "lines" ? [] : (placeName(line) ?? []))));
  return new Set([
    ...untold.map(({ visit }) => pageOf(visit)),
    ...[...byLine].flatMap(name => lines[name]?.pages ?? []),
    ...[...byPlace].flatMap(name => places[name]?.seen.map(([page]) => page) ?? []),
  ]);
}

function examplesOf({ looked }: SiteMemory, seen: Set<string>, lines: readonly Untold[]): string[] {
  const known = looked.flatMap(([page, , , url]) => (seen.has(page) && url !== "" ? url : []));
  return [...new Set([...lines.map(({ visit }) => visit.url), ...known])].slice(0, mostExamples);
}

function toldIn(memory: SiteMemory, lines: readonly Untold[], at: number, isRotating: boolean): SiteMemory {
  const sample = new Set(memory.sample.map(pageHash));
  const names = new Set(lines.map(({ name }) => name));
  const told = [...names].map((name): [string, SeenLine] => [name, toldLine(memory, name, at, sample)]);
  const shown = shownAtPlaces(memory, lines);
  const places = [...new Map(lines.map(({ line, by }) => [placeName(line), by]))].flatMap(
    ([name, by]): [string, SeenPlace][] => {
      const place = name === undefined ? undefined : memory.places[name];
      if (name === undefined || place === undefined) return [];
      const told = { at, isRotating, by, isReplaced: isReplaced(name, shown) };
      return [[name, toldPlace(place, told, memory.round)]];
    },
  );
  return withPlaces(withLines(memory, new Map(told)), new Map(places));
}

function toldLine({ lines }: SiteMemory, name: string, at: number, sample: ReadonlySet<string>): SeenLine {
  const { first = at, last = at, pages = [] } = lines[name] ?? {};
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
