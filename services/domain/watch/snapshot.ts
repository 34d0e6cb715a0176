import { parseHtml } from "../../../reader/html/parse-html.ts";
import { type DocumentNode, findElement } from "../../../reader/html/tree.ts";
import type { OutlinePart } from "../../../reader/page/page-outline.ts";
import { keepParts } from "../../../reader/page/page-parts.ts";
import { evaluateXPath, isXPath } from "../../../reader/page/xpath.ts";
import { openPage, TooMuchWork } from "../../../reader/recipe/parse-page.ts";
import type { Recipe } from "../../../reader/recipe/recipe.ts";
import { withoutStruck } from "../../../reader/recipe/stated-number.ts";
import { readStructured } from "../../../reader/structured/read-structured.ts";
import {
  emptyText,
  keysOf,
  maxTextBytes,
  maxTextLines,
  type PageText,
  readExactText,
  readPageText,
  restOf,
} from "../page-diff/compare-page.ts";
import type { MainPlaces } from "./eye/main-places.ts";
import { readLines } from "./eye/read-lines.ts";
import { kindOf } from "./eye/reduce-page.ts";
import type { Area, Line } from "./line.ts";
import { type PageList, readList } from "./page-items.ts";
import { anyOf, shownLine } from "./patterns.ts";
import {
  linesOfValues as linesOfExtract,
  numberOfValues,
  readExtract,
  valuesOfLines,
} from "./read-extract.ts";
import { type Fields, linesOfFields, readFields } from "./read-fields.ts";
import { isExact, quoted, type View } from "./view.ts";
import { numberAt, numberOfLines } from "./watched-value.ts";

/** A page that was read. */
export interface WatchedPage {
  /** As the server sent it, or the browser has it; best what `reducePage` makes of that, which is what is kept of a page. */
  html: string;
  url: string;
  title: string;
  /** Language tag of the page. */
  language?: string | null;
  /** The document as it was sent, and what it holds if it is no page, where a view reads that. */
  source?: { text: string; holds?: unknown };
}

/** What a view sees of a page. */
export interface Seen extends PageText {
  ok: true;
  /** The lines that count, of which `text` is made; as many of them as are kept of the text. */
  lines: Line[];
  /** The hash of what follows these lines; "" for nothing. */
  rest: string;
  /** Where the main content is, for the next check; absent where the view does not ask. */
  main?: MainPlaces;
  /** Lines that were left out. */
  ignored: number;
  fields?: Fields;
  /** How the fields were found, for the next check. */
  recipe?: Recipe;
  /** The number of `when.value`: null where none is stated. */
  value?: number | null;
  /** The entries of a list page, and the selector that finds them. */
  list?: PageList;
}

/** `reason`: a sentence. The view sees nothing, which is a problem of the source and no change. */
export type Snapshot = (Seen | { ok: false; reason: string }) & {
  /** The parts of the page, where they are asked for. */
  outline?: OutlinePart[];
};

/** What the check before has learned of a page. */
export interface Learned {
  /** How its fields were found. */
  recipe?: Recipe;
  /** Where its main content was. */
  main?: MainPlaces;
  /** The selector of its entries. */
  entries?: string;
}

/** Reads a page as a view wants it. Pure; its work is bounded, and never throws on any page. */
export function takeSnapshot(page: WatchedPage, view: View, learned: Learned = {}): Snapshot {
  try {
    return snapshot(page, view, learned);
  } catch (error) {
    if (error instanceof TooMuchWork)
      return { ok: false, reason: "The selectors of this watch take too long on this page." };
    return { ok: false, reason: `The selectors of this watch cannot be used: ${messageOf(error)}` };
  }
}

function messageOf(error: unknown): string {
  return (String((error as Error).message).split("\n")[0] ?? "").slice(0, 200);
}

function snapshot(page: WatchedPage, view: View, learned: Learned): Snapshot {
  const read = view.extract
    ? linesOfExtracted(page, view)
    : view.json
      ? linesOfPageFields(page, view, learned.recipe)
      : view.items
        ? linesOfItems(page, view, learned.entries)
        : linesOfView(page, view, learned.main);
  if (!read.ok) return read;
  const { text, lines, rest, ignored } = withoutIgnored(read.lines, view);
  const isEmpty = (text === undefined && ignored === 0) || isTitleAlone(page, view, text);
  if (isEmpty) return { ok: false, reason: read.reason ?? emptyReason(view) };
  if ("list" in read) return { ok: true, ...(text ?? emptyText), lines, rest, ignored, list: read.list };
  const value = "number" in read ? read.number : numberFor(page, view, read.lines);
  if (value === undefined && view.when?.value?.select !== undefined)
    return { ok: false, reason: nothingFound([view.when.value.select]) };
  const fields = "fields" in read && { fields: read.fields, ...(read.recipe && { recipe: read.recipe }) };
  const values = view.extract && { fields: valuesOfLines(lines) };
  const main = "main" in read && { main: read.main };
  return {
    ok: true,
    ...(text ?? emptyText),
    ...{ lines, rest, ignored },
    ...main,
    ...(values || fields),
    ...(value !== undefined && { value }),
  };
}

/**
 * A text of the title alone is an empty page. Options say that somebody knows the page, and wants what is there.
 */
function isTitleAlone({ title }: WatchedPage, view: View, text: PageText | undefined): boolean {
  const isUsual = Object.keys(view).length === 0;
  return isUsual && text !== undefined && lettersOf(text.text) === lettersOf(title);
}

function lettersOf(text: string): string {
  return text.replace(/[^\p{L}\p{N}]/gu, "");
}

/** The document as it was sent; of a kept page that is a text, what the text has. */
function sourceOf({ source, html }: WatchedPage): string | undefined {
  if (source) return source.text;
  const tree = parseHtml(html);
  return kindOf(tree) === "text" ? textOf(tree).replace(/^```.*\n|\n```\s*$/g, "") : undefined;
}

function linesOfExtracted(page: WatchedPage, { extract = {}, when }: View) {
  const read = readExtract(sourceOf(page), extract);
  if (!read.ok) return read;
  const lines = linesOfExtract(read.values);
  const number = when?.value && { number: numberOfValues(read.values, page.language ?? "") };
  return { ok: true as const, lines, reason: undefined, ...number };
}

/** The fields by their names in a document that is no page, else by what finds them in it. */
function fieldsOf(page: WatchedPage, json: NonNullable<View["json"]>, learned?: Recipe) {
  const document = page.source?.holds;
  const { schema } = json;
  if (document === undefined || schema === undefined)
    return readFields(openPage(parseHtml(page.html), page.url), json, learned);
  const found = readStructured(document, page.url, { schema });
  return found.ok ? { fields: found.json, recipe: undefined } : undefined;
}

function linesOfPageFields(page: WatchedPage, { json = {} }: View, learned?: Recipe) {
  const read = fieldsOf(page, json, learned);
  if (read === undefined)
    return { ok: false as const, reason: "None of the fields of this watch is found on this page." };
  const lines = linesOfFields(read.fields).map(
    (text): Line => ({ text, place: `field ${text.replace(/: .*$/s, "")}`, area: "main" }),
  );
  return { ok: true as const, lines, reason: undefined, ...read };
}

/** The titles of a list page's entries, as its lines. What `ignore` leaves out is decided for each entry. */
function linesOfItems({ html, url }: WatchedPage, view: View, known: string | undefined) {
  const { select = [], remove = [] } = view;
  const tree = parseHtml(html, { withDrawings: true });
  const isFound =
    select.length + remove.length === 0 || keepParts(tree, { include: select, exclude: remove });
  if (!isFound) return { ok: false as const, reason: nothingFound(select) };
  const list = readList(tree, url, view.items, known);
  if (list === undefined) return { ok: false as const, reason: noList };
  if (list.items.length === 0) return { ok: false as const, reason: nothingFound([list.selector]) };
  const lines = list.items.map(
    ({ title = "" }, at): Line => ({ text: title, place: `entry ${at}`, area: "main" }),
  );
  return { ok: true as const, lines, reason: undefined, list };
}

const noList = "No list of entries is found on this page: `items` may name them by a selector.";

interface ViewLines {
  ok: true;
  lines: Line[];
  main?: MainPlaces;
  /** Why there are none, where nothing was found. */
  reason?: string;
}

function linesOfView(page: WatchedPage, view: View, main: MainPlaces | undefined): ViewLines {
  const { select = [], remove = [], content = "page" } = view;
  const tree = parseHtml(page.html, { withDrawings: true });
  const kind = kindOf(tree);
  const values = select.filter(isXPath).flatMap(selector => evaluateXPath(tree, selector).values);
  const isFound =
    select.length + remove.length === 0 || keepParts(tree, { include: select, exclude: remove });
  if (select.length > 0) {
    const lines = isFound ? readLines(tree, page.url, { isSelected: true }).lines : [];
    const all = [...lines, ...linesOfValues(values)];
    return { ok: true, lines: all, ...(!isFound && values.length === 0 && { reason: nothingFound(select) }) };
  }
  if (kind === "text") return { ok: true, lines: linesOfText(textOf(tree)) };
  const read = readLines(tree, page.url, { ...(main && { main }), isDocument: kind === "document" });
  const lines = read.lines.filter(content === "main" ? isContent : isCounted);
  return { ok: true, lines, ...(read.main && { main: read.main }) };
}

/** What is on a page beside what it says. */
const uncounted: ReadonlySet<Area> = new Set(["advertisement", "consent", "navigation", "related"]);

function isCounted({ area }: Line): boolean {
  return !uncounted.has(area);
}

/** The main content, as a scrape has it: without its buttons. */
function isContent({ area, isControl }: Line): boolean {
  return area === "main" && !isControl;
}

function linesOfValues(values: readonly string[]): Line[] {
  return values.map((value, at) => ({
    text: value.replace(/\s+/g, " ").trim(),
    place: `value ${at + 1}`,
    area: "main",
  }));
}

function textOf(tree: DocumentNode): string {
  return findElement(tree, ({ name }) => name === "pre")?.textContent ?? "";
}

/** A text has no places but the numbers of its lines. */
function linesOfText(text: string): Line[] {
  return text.split("\n").flatMap((line, at): Line[] => {
    const shown = line.replace(/\p{Cc}/gu, " ").trim();
    return shown === "" ? [] : [{ text: shown, place: `line ${at + 1}`, area: "main" }];
  });
}

function nothingFound(selectors: readonly string[]): string {
  const [what, finds] = selectors.length > 1 ? ["selections", "find"] : ["selection", "finds"];
  return `The ${what} ${quoted(selectors)} ${finds} nothing on this page.`;
}

function emptyReason({ select = [], remove = [] }: View): string {
  if (select.length > 0) return `The selection ${quoted(select)} is empty on this page.`;
  return remove.length > 0
    ? `Nothing is left of this page without ${quoted(remove)}.`
    : "The page has no content.";
}

/** The text of the lines that count; undefined when there are none. */
function withoutIgnored(
  lines: readonly Line[],
  view: View,
): { text: PageText | undefined; lines: Line[]; rest: string; ignored: number } {
  const { ignore: patterns = [], select = [], items } = view;
  const ignore = items ? [] : patterns;
  const isIgnored = anyOf(ignore);
  const kept =
    ignore.length === 0
      ? [...lines]
      : lines.filter(({ text }) => !(isIgnored(text) || isIgnored(shownLine(text))));
  const shown = joined(kept);
  // What somebody has pointed at counts, also if it looks like noise.
  const text =
    isExact(view) || items
      ? readExactText(shown)
      : (readPageText(shown) ?? (select.length > 0 ? readExactText(shown) : undefined));
  const whole = keptLines(kept);
  return {
    text,
    lines: whole,
    rest: restBehind(whole, kept, isExact(view)),
    ignored: lines.length - kept.length,
  };
}

function restBehind(whole: readonly Line[], all: readonly Line[], asTheyAre: boolean): string {
  if (whole.length === all.length) return "";
  const texts = all.map(({ text }) => text);
  return restOf(keysOf(texts, asTheyAre).slice(whole.length));
}

function joined(lines: readonly Line[]): string {
  return lines.map(({ text }) => text).join("\n");
}

/** As many lines as are kept of a text. */
function keptLines(lines: readonly Line[]): Line[] {
  let left = maxTextBytes;
  const end = lines.slice(0, maxTextLines).findIndex(({ text }) => {
    left -= Buffer.byteLength(text) + 1;
    return left < 0;
  });
  return lines.slice(0, end === -1 ? maxTextLines : end);
}

/** Undefined where no number is asked for, or its selector finds nothing. Without one of its own, the view's count. */
function numberFor(page: WatchedPage, { when, select = [], remove = [] }: View, lines: readonly Line[]) {
  const wanted = when?.value;
  if (wanted === undefined) return undefined;
  if (wanted.select !== undefined) {
    const tree = parseHtml(page.html, { withDrawings: true });
    return numberAt(tree, openPage(tree, page.url), wanted.select);
  }
  const selected = select.length > 0 ? numberAtFirst(page, select, remove) : undefined;
  if (selected !== undefined) return selected;
  const shown = lines.map(({ text }) => shownLine(withoutStruck(text)));
  return numberOfLines(shown, page.language ?? "");
}

function numberAtFirst(page: WatchedPage, select: readonly string[], remove: readonly string[]) {
  const tree = parseHtml(page.html, { withDrawings: true });
  if (remove.length > 0) keepParts(tree, { include: [], exclude: [...remove] });
  const opened = openPage(tree, page.url);
  for (const selector of select) {
    const found = numberAt(tree, opened, selector);
    if (typeof found === "number") return found;
  }
  return undefined;
}
