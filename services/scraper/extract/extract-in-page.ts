import { isText } from "../../../reader/html/tree.ts";
import { applyRecipe } from "../../../reader/recipe/apply-recipe.ts";
import { discover } from "../../../reader/recipe/discover-recipe.ts";
import type { PageElement } from "../../../reader/recipe/page-element.ts";
import { type Page, parsePage, TooMuchWork } from "../../../reader/recipe/parse-page.ts";
import { promptWants } from "../../../reader/recipe/prompt.ts";
import type { Recipe } from "../../../reader/recipe/recipe.ts";
import { type Schema, validate } from "../../../reader/recipe/schema.ts";

/** What is wanted of a page. A given recipe is applied unchanged; without one, rules find one. All are checked already. */
export interface InPageRequest {
  schema?: Schema;
  prompt?: string;
  recipe?: Recipe;
}

export interface Found {
  ok: true;
  json: Record<string, unknown>;
  recipe: Recipe;
}

export type InPageResult = Found | { ok: false; reason: string };

export const nothingFound: InPageResult = {
  ok: false,
  reason: "Nothing that was asked for was found on the page.",
};

/** Extracts JSON from HTML: pure and synchronous, for a worker thread. */
export function extractJson(html: string, url: string, request: InPageRequest): InPageResult {
  return readJson(() => parsePage(html, url), request);
}

/**
 * Extracts JSON from a page. A result holds at least one value and meets the schema; `reason` is a message for the
 * client. The work is bounded: a request that takes more fails.
 */
export function readJson(open: () => Page, request: InPageRequest): InPageResult {
  try {
    return resultOf(open(), request);
  } catch (error) {
    if (error instanceof TooMuchWork) return { ok: false, reason: error.message };
    throw error;
  }
}

/** A prompt can be asked in another way: the message says how. */
function refusalOf({ schema, prompt }: InPageRequest): InPageResult {
  if (schema?.properties !== undefined || prompt === undefined) return nothingFound;
  const isUnderstood = promptWants(prompt).length > 0;
  const why = isUnderstood
    ? "Rules found nothing on the page that answers the prompt."
    : "Rules answer prompts that name values or lists of a page; this one asks for more.";
  const how = "Name the values in output.json.json_schema, or configure a language model (LLM_BASE_URL).";
  return { ok: false, reason: `${why} ${how}` };
}

function resultOf(page: Page, request: InPageRequest): InPageResult {
  const found = request.recipe
    ? { recipe: request.recipe, json: applyRecipe(page, request.recipe) }
    : discover(page, request);
  if (!found) return refusalOf(request);
  const { recipe, json } = found;
  if (!json) return { ok: false, reason: "The recipe found nothing on the page." };
  const error = request.schema ? validate(request.schema, json) : null;
  if (error)
    return {
      ok: false,
      reason: `What was found does not fit the schema: ${error.field || "the root"} ${error.message}.`,
    };
  return { ok: true, json, recipe };
}

const maxText = 80;
const maxLinkedData = 3000;
const maxDepth = 40;
const kept = [
  "id",
  "class",
  "itemprop",
  "itemtype",
  "property",
  "name",
  "rel",
  "datetime",
  "href",
  "src",
  "content",
];
const skipped = /^(style|noscript|template|svg|iframe|link|base|path|input|button|option)$/;

interface Writer {
  lines: string[];
  left: number;
}

/**
 * A compact view of a page for a model that writes selectors: one element a line, indented, with the attributes that
 * selectors use and the start of its own text. Shows two of repeated siblings, then their count, and keeps JSON-LD. At
 * most `maxChars` characters.
 */
export function condensePage(html: string, url: string, maxChars: number): string {
  const { root, linkedData } = parsePage(html, url);
  const writer: Writer = { lines: [], left: maxChars };
  write(writer, `page ${url.slice(0, 500)}`);
  for (const text of linkedData) write(writer, `json-ld "${squash(text, maxLinkedData)}"`);
  writeElement(writer, root, 0);
  return writer.lines.join("\n");
}

function write(writer: Writer, line: string): void {
  writer.left -= line.length + 1;
  if (writer.left >= -1) writer.lines.push(line);
}

function writeElement(writer: Writer, element: PageElement, depth: number): void {
  const tag = element.localName;
  if (writer.left <= 0 || depth > maxDepth || skipped.test(tag)) return;
  const text = ownText(element);
  if (!isEmpty(element, text))
    write(writer, `${" ".repeat(depth)}${tag}${attributesOf(element)}${text && ` "${text}"`}`);
  writeChildren(writer, element.children, depth + 1);
}

/** Two siblings of the same tag and class say as much as all of them. */
function writeChildren(writer: Writer, children: PageElement[], depth: number): void {
  const counts = new Map<string, number>();
  for (const child of children) {
    const make = `${child.localName}.${child.getAttribute("class") ?? ""}`;
    const count = (counts.get(make) ?? 0) + 1;
    counts.set(make, count);
    if (count <= 2 || child.localName === "meta") writeElement(writer, child, depth);
  }
  for (const [make, count] of counts)
    if (count > 2 && !make.startsWith("meta."))
      write(writer, `${" ".repeat(depth)}(${count} of ${make.slice(0, 60)} in all)`);
}

function isEmpty(element: PageElement, text: string): boolean {
  return text === "" && element.children.length === 0 && element.attributes.size === 0;
}

function attributesOf(element: PageElement): string {
  return kept
    .flatMap(name => {
      const value = element.getAttribute(name);
      return value ? ` ${name}="${squash(value, maxText)}"` : [];
    })
    .join("");
}

function ownText(element: PageElement): string {
  const own = element.childNodes.filter(isText).map(node => node.text);
  return squash(own.join(" "), maxText);
}

function squash(text: string, max: number): string {
  const plain = text.replace(/\s+/g, " ").trim();
  return plain.length > max ? `${plain.slice(0, max)}…` : plain;
}
