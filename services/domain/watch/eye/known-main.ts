import { type ElementNode, findElements, isElement } from "../../../../reader/html/tree.ts";
import type { Places } from "../../../../reader/lines/places.ts";
import type { RawLine } from "../../../../reader/lines/split-lines.ts";
import { type IsMain, type MainPlaces, placedMain, rulesOf, type Share } from "./main-places.ts";

/** A page as lines, and where these are. */
export interface PlacedLines {
  body: ElementNode;
  places: Places;
  lines: readonly RawLine[];
}

/** Where the main content of a page is. */
export interface FoundMain {
  isMain: IsMain;
  main: MainPlaces;
}

/** What was on the page at the check before. */
interface Mark {
  /** Characters in the main content and beside it. */
  inside: number;
  outside: number;
  /** The page had a `<main>` without any of it. */
  isBeside: boolean;
  /** Hashes of the lines in the main content, and of those beside it; of the first ones where these are more. */
  main: Set<string>;
  beside: Set<string>;
}

/** Lines whose hashes are kept, in the main content and beside it, and characters of a hash. */
const [mostMain, mostBeside, hashChars] = [200, 120, 4];
/** A page that has so many times more beside its kept content than before, and than in it, is another one. */
const [moreThanBefore, moreThanInside] = [2, 4];
/** The share of the known lines that may be on the other side, and that of the main content that must be left to follow it. */
const [mayMove, mustRemain] = [0.02, 0.5];

/**
 * Applies the places that were kept to a page. A place is a position, which another part may take: where what was main
 * content is elsewhere now, the places follow it. Undefined where it must be judged anew.
 */
export function keptMain(page: PlacedLines, kept: MainPlaces): FoundMain | undefined {
  const rules = kept.filter(rule => !rule.startsWith("="));
  const isMain = placedMain(page.body, page.places, rules);
  const mark = markIn(kept);
  if (isMain === undefined || mark === undefined) return isMain && { isMain, main: rules };
  if (!mark.isBeside && hasMainBeside(page.body, isMain)) return undefined;
  const { inside, outside } = sizes(page.lines, isMain);
  if (outside > mark.outside * moreThanBefore && outside > inside * moreThanInside) return undefined;
  if (!haveMoved(page.lines, isMain, mark)) return { isMain, main: rules };
  const shown = new Set(page.lines.map(hashOf));
  const remaining = [...mark.main].filter(hash => shown.has(hash)).length;
  const isWhole = mark.main.size < mostMain;
  return isWhole && remaining >= mark.main.size * mustRemain ? followed(page, mark) : undefined;
}

/** The places with what is there, for the next check. */
export function withMark({ body, lines }: PlacedLines, { isMain, main }: FoundMain): MainPlaces {
  const { inside, outside } = sizes(lines, isMain);
  const [within, beside] = [new Set<string>(), new Set<string>()];
  for (const line of lines) {
    const [hashes, most] = isMain(line.holder) ? [within, mostMain] : [beside, mostBeside];
    if (hashes.size < most) hashes.add(hashOf(line));
  }
  const isBeside = hasMainBeside(body, isMain) ? 1 : 0;
  return [...main, ["=", inside, outside, isBeside, [...within].join(""), [...beside].join("")].join(" ")];
}

function markIn(kept: MainPlaces): Mark | undefined {
  const found = kept.find(rule => rule.startsWith("="));
  if (found === undefined) return undefined;
  const [, inside, outside, isBeside, main, beside] = found.split(" ");
  return {
    inside: Number(inside),
    outside: Number(outside),
    isBeside: isBeside === "1",
    main: hashesIn(main),
    beside: hashesIn(beside),
  };
}

function hashesIn(joined = ""): Set<string> {
  return new Set(joined.match(new RegExp(`.{${hashChars}}`, "g")));
}

/** Whether there is a `<main>` that is no main content, and holds none. */
function hasMainBeside(body: ElementNode, isMain: IsMain): boolean {
  const landmarks = findElements(
    body,
    ({ name, attributes, chars }) => chars > 0 && (name === "main" || attributes.get("role") === "main"),
  );
  return landmarks.some(landmark => !isMain(landmark) && findElements(landmark, isMain).length === 0);
}

function sizes(lines: readonly RawLine[], isMain: IsMain): Pick<Mark, "inside" | "outside"> {
  let [inside, outside] = [0, 0];
  for (const { text, holder } of lines)
    if (isMain(holder)) inside += text.length;
    else outside += text.length;
  return { inside, outside };
}

/** Whether a line was main content, or beside it; undefined for one that is new, or was in both. */
function wasMain(line: RawLine, { main, beside }: Mark): boolean | undefined {
  const hash = hashOf(line);
  const wasIn = main.has(hash);
  return wasIn === beside.has(hash) ? undefined : wasIn;
}

/** Whether known lines are on the other side now, and not on their own as well. */
function haveMoved(lines: readonly RawLine[], isMain: IsMain, mark: Mark): boolean {
  const [stayed, moved] = [new Map<string, number>(), new Map<string, number>()];
  for (const line of lines) {
    const was = wasMain(line, mark);
    if (was !== undefined) (was === isMain(line.holder) ? stayed : moved).set(hashOf(line), line.text.length);
  }
  let [all, away] = [0, 0];
  for (const size of stayed.values()) all += size;
  for (const [hash, size] of moved) if (!stayed.has(hash)) away += size;
  return away > (all + away) * mayMove;
}

/** The main content is where the lines are that were in it; what is new belongs to what is around it. */
function followed({ body, places, lines }: PlacedLines, mark: Mark): FoundMain | undefined {
  const shares = new Map<ElementNode, Share>();
  for (const line of lines) {
    const was = wasMain(line, mark);
    if (was === undefined) continue;
    const { all, own } = shares.get(line.holder) ?? { all: 0, own: 0 };
    const size = line.text.length;
    shares.set(line.holder, { all: all + size, own: own + (was ? size : 0) });
  }
  const sum = (element: ElementNode): Share => {
    let { all, own } = shares.get(element) ?? { all: 0, own: 0 };
    for (const child of element.childNodes) {
      if (!isElement(child)) continue;
      const below = sum(child);
      all += below.all;
      own += below.own;
    }
    shares.set(element, { all, own });
    return { all, own };
  };
  sum(body);
  const main = rulesOf(body, places, element => shares.get(element));
  const isMain = main && placedMain(body, places, main);
  return isMain && { isMain, main };
}

const hashesOfLines = new WeakMap<RawLine, string>();

/** A hash of a line's letters; "" where it has none. Its numbers and addresses may change. */
function hashOf(line: RawLine): string {
  let hash = hashesOfLines.get(line);
  if (hash === undefined) {
    hash = hashOfLetters(line.text.replace(/\]\([^)]*\)/g, "").replace(/[^\p{L}]/gu, ""));
    hashesOfLines.set(line, hash);
  }
  return hash;
}

/** FNV-1a. */
function hashOfLetters(letters: string): string {
  if (letters === "") return "";
  let hash = 0x811c9dc5;
  for (let at = 0; at < letters.length; at++) hash = Math.imul(hash ^ letters.charCodeAt(at), 0x01000193);
  return (hash >>> 0).toString(36).padStart(hashChars, "0").slice(-hashChars);
}
