import { parseHtml } from "../../../reader/html/parse-html.ts";
import { extractTree } from "../../../reader/page/extract-page.ts";
import type { OutlinePart } from "../../../reader/page/page-outline.ts";
import { keepParts } from "../../../reader/page/page-parts.ts";
import { evaluateXPath, isXPath } from "../../../reader/page/xpath.ts";
import { openPage, TooMuchWork } from "../../../reader/recipe/parse-page.ts";
import type { Recipe } from "../../../reader/recipe/recipe.ts";
import { withoutStruck } from "../../../reader/recipe/stated-number.ts";
import { emptyText, type PageText, readExactText, readPageText } from "../page-diff/compare-page.ts";
import { anyOf, shownLine } from "./patterns.ts";
import { type Fields, linesOfFields, readFields } from "./read-fields.ts";
import { quoted, type View } from "./view.ts";
import { numberAt, numberOfLines } from "./watched-value.ts";

/** A page that was read. */
export interface WatchedPage {
  /** As the server sent it, or the browser has it; empty where `needsPage` says that it is not needed. */
  html: string;
  /** Its main content. */
  markdown: string;
  url: string;
  title: string;
  /** Language tag of the page. */
  language?: string | null;
}

/** What a view sees of a page. */
export interface Seen extends PageText {
  ok: true;
  /** Lines that were left out. */
  ignored: number;
  fields?: Fields;
  /** How the fields were found, for the next check. */
  recipe?: Recipe;
  /** The number of `when.value`: null where none is stated. */
  value?: number | null;
}

/** `reason`: a sentence. The view sees nothing, which is a problem of the source and no change. */
export type Snapshot = (Seen | { ok: false; reason: string }) & {
  /** The parts of the page, where they are asked for. */
  outline?: OutlinePart[];
};

/** Reads a page as a view wants it. Pure; its work is bounded, and never throws on any page. */
export function takeSnapshot(page: WatchedPage, view: View, learned?: Recipe): Snapshot {
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

function snapshot(page: WatchedPage, view: View, learned?: Recipe): Snapshot {
  const read = view.json
    ? linesOfPageFields(page, view, learned)
    : { ok: true as const, ...textOf(page, view) };
  if (!read.ok) return read;
  const { text, ...found } = withoutIgnored(read.markdown, view);
  const isEmpty = (text === undefined && found.ignored === 0) || isTitleAlone(page, view, text);
  if (isEmpty) return { ok: false, reason: read.reason ?? emptyReason(view) };
  const value = numberFor(page, view, read.markdown);
  if (value === undefined && view.when?.value?.select !== undefined)
    return { ok: false, reason: nothingFound([view.when.value.select]) };
  const fields = "fields" in read && { fields: read.fields, recipe: read.recipe };
  return { ok: true, ...(text ?? emptyText), ...found, ...fields, ...(value !== undefined && { value }) };
}

/**
 * The scraper puts a page's title above its content: a text of the title alone is an empty page. Options say that somebody
 * knows the page, and wants what is there.
 */
function isTitleAlone({ title }: WatchedPage, view: View, text: PageText | undefined): boolean {
  const isUsual = Object.keys(view).length === 0;
  return isUsual && text !== undefined && lettersOf(text.text) === lettersOf(title);
}

function lettersOf(text: string): string {
  return text.replace(/[^\p{L}\p{N}]/gu, "");
}

function linesOfPageFields({ html, url }: WatchedPage, { json = {} }: View, learned?: Recipe) {
  const read = readFields(openPage(parseHtml(html), url), json, learned);
  if (read === undefined)
    return { ok: false as const, reason: "None of the fields of this watch is found on this page." };
  const markdown = linesOfFields(read.fields).join("\n");
  return { ok: true as const, markdown, reason: undefined, ...read };
}

/** The text of the view, and why it is empty where nothing was found. */
function textOf(
  page: WatchedPage,
  { select = [], remove = [] }: View,
): { markdown: string; reason?: string } {
  if (select.length + remove.length === 0) return { markdown: page.markdown };
  const tree = parseHtml(page.html);
  const values = select.filter(isXPath).flatMap(selector => evaluateXPath(tree, selector).values);
  const { markdown = "", isEmptied = false } = extractTree(tree, page.url, {
    formats: ["markdown"],
    onlyMainContent: true,
    parts: { include: select, exclude: remove },
  });
  const lines = [isEmptied ? "" : markdown, ...values.map(value => value.replace(/\s+/g, " "))];
  const isFound = !isEmptied || values.length > 0;
  return { markdown: lines.join("\n"), ...(!isFound && { reason: nothingFound(select) }) };
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
  markdown: string,
  { ignore = [], select = [], json }: View,
): { text: PageText | undefined; ignored: number } {
  const lines = markdown.split("\n");
  const isIgnored = anyOf(ignore);
  const kept =
    ignore.length === 0 ? lines : lines.filter(line => !(isIgnored(line) || isIgnored(shownLine(line))));
  const shown = kept.join("\n");
  // What somebody has pointed at counts, also if it looks like noise.
  const text = json
    ? readExactText(shown)
    : (readPageText(shown) ?? (select.length > 0 ? readExactText(shown) : undefined));
  return { text, ignored: lines.length - kept.length };
}

/** Undefined where no number is asked for, or its selector finds nothing. Without one of its own, the view's count. */
function numberFor(page: WatchedPage, { when, select = [], remove = [] }: View, markdown: string) {
  const wanted = when?.value;
  if (wanted === undefined) return undefined;
  if (wanted.select !== undefined) {
    const tree = parseHtml(page.html);
    return numberAt(tree, openPage(tree, page.url), wanted.select);
  }
  const selected = select.length > 0 ? numberAtFirst(page, select, remove) : undefined;
  if (selected !== undefined) return selected;
  const lines = markdown.split("\n").map(line => shownLine(withoutStruck(line)));
  return numberOfLines(lines, page.language ?? "");
}

function numberAtFirst(page: WatchedPage, select: readonly string[], remove: readonly string[]) {
  const tree = parseHtml(page.html);
  if (remove.length > 0) keepParts(tree, { include: [], exclude: [...remove] });
  const opened = openPage(tree, page.url);
  for (const selector of select) {
    const found = numberAt(tree, opened, selector);
    if (typeof found === "number") return found;
  }
  return undefined;
}
