import { createHash } from "node:crypto";
import { listOf, wordsOf } from "../watch/align.ts";
import type { ChangedLine } from "../watch/changed-lines.ts";
import { type LineVerdict, manyPages, type PageVisit, pageHash, type SignedLine } from "./page-visit.ts";
import { readSince } from "./read-pages.ts";
import { type SeenPlace, type Sighting, type SiteMemory, withPlaces } from "./site-memory.ts";

/*
 * Places in which pages differ from each other, and from visit to visit: a quote of the day, a counter, the name of the page
 * in a banner. No line of them is the same on two pages; what is alike is where they are.
 */

/** Sightings of a place that are further apart are not compared. */
const freshMs = 2 * 60 * 60 * 1000;
const maxSightings = 16;
/** A place is told by its lines outside the content of pages, and by these. */
const shared = new Set(["header", "navigation", "aside", "footer", "dialog", "consent", "advertisement"]);

/**
 * Names the place of a line alike on all pages; undefined where nothing is known of it. In the content, where pages have texts
 * of their own, it is a line of the same words with other numbers, or the very same path.
 */
export function placeName(line: ChangedLine): string | undefined {
  if (!names.has(line)) names.set(line, nameOfPlace(line));
  return names.get(line);
}

/** A line is asked for its place many times. */
const names = new WeakMap<ChangedLine, string | undefined>();

function nameOfPlace({ area, place, text, hash }: ChangedLine): string | undefined {
  if (hash === place) return undefined;
  if (shared.has(area)) return `${area} ${listOf(place)}`;
  const form = wordsOf(text);
  if (form !== text && /\p{L}{2}/u.test(form)) return `= ${shortHash(form)}`;
  return /\.[\p{L}_]/u.test(place) ? `${area} ${place}` : undefined;
}

function shortHash(text: string): string {
  return createHash("sha256").update(text).digest("base64url").slice(0, 8);
}

/** What differs from what was told at each place of a page: `+` where lines only came, and what came. */
function placesOf(signed: readonly SignedLine[]): Map<string, string> {
  const named = signed.filter(({ line }) => placeName(line) !== undefined);
  const byPlace = Map.groupBy(named, ({ line }) => placeName(line) ?? "");
  return new Map(
    [...byPlace].map(([name, lines]) => {
      const came = lines.filter(({ sign }) => sign === "+");
      const hash = shortHash(came.map(({ line }) => line.hash).join());
      return [name, (came.length === lines.length ? "+" : "~") + hash];
    }),
  );
}

/** Adds what a visit saw at places, and which of them have changed once more, or stayed, since the page was visited last. */
export function notePlaces(memory: SiteMemory, visit: PageVisit, signed: readonly SignedLine[]): SiteMemory {
  if (visit.found !== "same" && visit.found !== "changed") return memory;
  const page = pageHash(visit.key);
  const shown = placesOf(signed);
  const known = Object.entries(memory.places).filter(([, { seen }]) => seen.some(([of]) => of === page));
  const names = new Set([...shown.keys(), ...known.map(([name]) => name)]);
  const noted = [...names].map((name): [string, SeenPlace] => {
    const place = memory.places[name] ?? { seen: [], again: [], changes: [], round: memory.round };
    const next = notePlace(place, page, shown.get(name) ?? "", visit);
    return [name, shown.has(name) ? { ...next, round: memory.round } : next];
  });
  return withPlaces(memory, new Map(noted));
}

/** `text`: "" where the page is as it was told. */
function notePlace(place: SeenPlace, page: string, text: string, { at, before }: PageVisit): SeenPlace {
  const fresh = place.seen.filter(([, , when]) => when > at - freshMs);
  const [former, others] = [fresh.find(([of]) => of === page), fresh.filter(([of]) => of !== page)];
  // What was made of the former visit is what the page is compared with since: it is still so.
  const isTold = text === "" && former !== undefined && before >= former[2];
  const isAgain = former !== undefined && former[1] !== text && former[1] !== "" && !isTold;
  const stayed = former !== undefined && former[1] === text ? former[3] + 1 : 0;
  const again = fresh.length === 0 ? [] : place.again;
  return {
    ...place,
    // The first pages are kept: they are visited again before the others.
    seen: others.length < maxSightings ? [...others, [page, text, at, stayed] satisfies Sighting] : others,
    again: isAgain && !again.includes(page) ? [...again, page].slice(-maxSightings) : again,
  };
}

/** Whether a line is at a place that shows something else all the time. */
export function isMuted({ places }: SiteMemory, { line }: SignedLine): boolean {
  return places[placeName(line) ?? ""]?.muted !== undefined;
}

/** Pages that are looked at for a place, beside the page itself. */
const manyLooks = 8;

/** What the place of a line says of it; undefined where it says nothing. `looked`: pages visited after this one. */
export function placeVerdict(
  memory: SiteMemory,
  visit: PageVisit,
  { line }: SignedLine,
  { pages, looked }: { pages: number; looked: number },
): LineVerdict | undefined {
  const name = placeName(line);
  const place = name === undefined ? undefined : memory.places[name];
  if (place === undefined) return undefined;
  if (place.told !== undefined && visit.before < place.told) return { whose: "site", by: "told" };
  const sightings = place.seen.filter(([, text]) => text !== "");
  if (!isVaried(sightings, pages)) return undefined;
  const isOwnText = !shared.has(line.area);
  const share = sightings.length / Math.max(1, readSince(memory, firstOf(sightings)));
  const isFull = place.seen.length >= maxSightings;
  const isDense = !isOwnText || isFull || share >= nearlyAll;
  const wantedAgain = isOwnText ? Math.max(fewOwn, nearlyAll * sightings.length) : fewAgain;
  if (isDense && place.again.length >= wantedAgain) return { whose: "site", by: "rotation" };
  if (share < 0.5 && !isFull) return undefined;
  if (sightings.filter(([, , , stayed]) => stayed > 0).length < 2)
    return { whose: "undecided", look: 0, again: true };
  if (isOwnText && (share < nearlyAll || sightings.some(([, text]) => !text.startsWith("+"))))
    return undefined;
  const wanted = Math.min(manyLooks, pages - 1);
  if (looked < wanted) return { whose: "undecided", look: wanted - looked, again: false };
  const isOnMany = sightings.length >= Math.min(fewSightings, Math.max(manyPages(pages), pages / 2));
  return isOnMany ? { whose: "site", by: "place" } : undefined;
}

/**
 * Pages that change once more when they are visited again, before their place is one that does so all the time: in the
 * content, where pages change by themselves, nearly all that were read.
 */
const [fewAgain, fewOwn, nearlyAll] = [2, 4, 0.8];

/** What differs from page to page is the site's on so many pages. */
const fewSightings = 5;

function isVaried(sightings: readonly Sighting[], pages: number): boolean {
  return sightings.length >= manyPages(pages) && new Set(sightings.map(([, text]) => text)).size > 1;
}

function firstOf(sightings: readonly Sighting[]): number {
  return Math.min(...sightings.map(([, , at]) => at));
}
