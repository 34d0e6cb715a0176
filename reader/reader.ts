/**
 * The reader as a library: pages and documents as Markdown, text, metadata, links and JSON. Nothing here opens a
 * connection or runs a script of a page. README.md has an example.
 */
import { openDocument } from "./document/read-document.ts";
import { type ExtractOptions, extractPage, type PageContent } from "./page/extract-page.ts";
import { textPage } from "./page/text-page.ts";
import { parsePage } from "./recipe/parse-page.ts";
import { type JsonResult, readJson as readJsonOf, type WantedJson } from "./recipe/read-json.ts";
import { checkRecipe, type FieldError } from "./recipe/recipe.ts";
import { checkSchema } from "./recipe/schema.ts";
import { openStructured } from "./structured/parse-structured.ts";
import { readStructured } from "./structured/read-structured.ts";
import { decodeText } from "./text/decode-text.ts";

export { DocumentError } from "./document/broken-document.ts";
export type { PageFacts } from "./metadata/read-metadata.ts";
export { TooMuchWork } from "./recipe/parse-page.ts";
export type { Field, Recipe } from "./recipe/recipe.ts";
export type { Schema } from "./recipe/schema.ts";
export type { JsonResult, PageContent, WantedJson };

/** What is wanted of a page. */
export interface ReadOptions {
  /** The page's address: links are resolved against it. */
  url: string;
  /** What is made of the page, besides its metadata: `markdown` where nothing is named. */
  formats?: ExtractOptions["formats"];
  /** Reads the whole body, with navigation and footers, in place of the main content. */
  wholePage?: boolean;
  /** Only these parts of the page: CSS selectors, or XPath expressions that begin with `/`. */
  include?: readonly string[];
  /** The page without these parts. */
  exclude?: readonly string[];
  /** Adds the plain text, a line for each block. */
  text?: boolean;
}

/**
 * Reads a page of HTML. Bytes are decoded by their byte order mark, `charset` of the page's own declaration, else as UTF-8
 * or windows-1252; `readDocument` also takes the header into account, and guesses. Never throws on any page; throws
 * `TooMuchWork` where `include` or `exclude` take too long on it.
 */
export function readHtml(page: string | Uint8Array, options: ReadOptions): PageContent {
  return extractPage({ html: htmlOf(page), url: options.url }, extractOptions(options, options.wholePage));
}

/** How a document was sent. */
export interface DocumentOptions extends ReadOptions {
  /** The value of the header `Content-Type`; without it the bytes decide. */
  contentType?: string;
  /** Ends the reading of a long document, with the signal's reason. */
  signal?: AbortSignal;
}

/**
 * Reads a document of any type that the reader knows: HTML, PDF, documents of Office and OpenDocument, EPUB, RTF, e-mail,
 * notebooks, CSV, JSON, XML or text. All of a document that is no page is its content. Throws a `DocumentError` for other
 * types, and for what is broken or locked.
 */
export async function readDocument(body: Uint8Array, options: DocumentOptions): Promise<PageContent> {
  const { url, contentType = "", signal, wholePage } = options;
  const document = await openDocument({ body, contentType, finalUrl: url }, signal);
  if (document.kind === "text") return textPage(document, extractOptions(options));
  const isDocument = document.kind === "converted";
  return extractPage({ html: document.html, url }, extractOptions(options, isDocument || wholePage));
}

/** Where JSON is looked for. */
export interface JsonSource {
  url: string;
  /** The value of the header `Content-Type`: of HTML, JSON, JSON lines, XML, a feed, CSV or XLSX. Without it, HTML. */
  contentType?: string;
}

/**
 * Finds JSON in a page by rules, for a JSON Schema or a prompt, or by a recipe of an earlier result. The result has the
 * recipe, which reads pages that are made alike. In a document of another type it is found by the names of its properties,
 * without a recipe. Throws a `TypeError` for a schema or recipe that is not accepted.
 */
export function readJson(
  page: string | Uint8Array,
  { url, contentType, ...wanted }: WantedJson & JsonSource,
): JsonResult {
  const { schema, recipe } = wanted;
  accept(schema === undefined ? null : checkSchema(schema, "schema"));
  accept(recipe === undefined ? null : checkRecipe(recipe, "recipe"));
  const document = contentType === undefined ? undefined : openStructured(page, contentType);
  if (document !== undefined) return readStructured(document, url, wanted);
  return readJsonOf(() => parsePage(htmlOf(page), url), wanted);
}

function accept(error: FieldError | null): void {
  if (error !== null) throw new TypeError(`${error.field}: ${error.message}`);
}

function htmlOf(page: string | Uint8Array): string {
  return typeof page === "string" ? page : decodeText(page, { charset: undefined }, "html");
}

function extractOptions(options: ReadOptions, wholePage = false): ExtractOptions {
  const { formats = ["markdown"], include = [], exclude = [], text = false } = options;
  const parts = { include, exclude };
  const isCut = include.length + exclude.length > 0;
  return { formats, onlyMainContent: !wholePage, text, ...(isCut && { parts }) };
}
