import { isXml, sniffType } from "../../../reader/document/media-type.ts";
import { decode, type PageDocument } from "../../../reader/document/read-document.ts";
import type { Recognized } from "../../../reader/document/read-pdf.ts";
import { parseHtml } from "../../../reader/html/parse-html.ts";
import type { DocumentNode } from "../../../reader/html/tree.ts";
import { detectWall } from "../../../reader/page/detect-wall.ts";
import { canScriptsRun } from "../../../reader/page/has-live-script.ts";
import { type TextDocument, textPage } from "../../../reader/page/text-page.ts";
import { Elements, TooMuchWork } from "../../../reader/recipe/parse-page.ts";
import type { JsonResult } from "../../../reader/recipe/read-json.ts";
import { fail } from "../../contracts/errors.ts";
import type { JsRenderOptions } from "../../contracts/page-options.ts";
import { isOwnContent, isSameSite } from "../../domain/url/same-site.ts";
import { reduceText } from "../../domain/watch/eye/reduce-page.ts";
import { isExact } from "../../domain/watch/view.ts";
import type { FetchedPage } from "../fetch/fetch-page.ts";
import { type AdFilters, adFilters, noAdFilters } from "../render/ad-filters.ts";
import { bounded, type Digest, isShell, returned, type Wanted } from "./digest.ts";
import { digestHtml, madeOfContent } from "./digest-html.ts";
import { readFramed } from "./framed-page.ts";
import { readDocument } from "./read-document.ts";
import { structuredJson } from "./structured-json.ts";
import { unreadDocument } from "./unread-document.ts";
import { watched } from "./watched.ts";

export interface FetchedInput {
  page: FetchedPage;
  wanted: Wanted;
  /** What a program has recognised in the document's pages that are pictures. */
  recognized?: Recognized;
  /** When the browser renders: a page that has scripts, any page, or anything that it can show. */
  render: "never" | "scripts" | "pages" | "always";
  /** Frames that are read make a page one that is rendered. */
  frames?: JsRenderOptions["frames"];
  /** Compiled filter lists, shared between the threads; undefined when ads are not blocked. */
  ads?: Uint8Array;
}

/** `render`: the page needs the browser. For a text, only the screenshot does. */
export type FetchedOutput =
  | { kind: "digest"; digest: Digest }
  | { kind: "render"; wall: boolean; text?: { digest: Digest; shown: string } };

let opened: Promise<AdFilters> | undefined;

/** Reads a fetched page, unless the browser has to render it first. */
export async function readFetched({
  page,
  wanted: asked,
  render,
  frames,
  ads,
  recognized,
}: FetchedInput): Promise<FetchedOutput> {
  const body = Buffer.from(page.body);
  const { essence: contentType } = await sniffType(page.contentType, body, page.finalUrl);
  if (contentType === "application/pdf" && asked.pdf?.read === false)
    return { kind: "digest", digest: unreadDocument(page, contentType, asked) };
  const wanted = await withSource(asked, body, page);
  const document = await readDocument({ ...page, body, pdfPages: wanted.pdf?.max_pages, recognized });
  const json = await structuredJson(document, contentType, page.finalUrl, wanted.json);
  const place = { url: page.finalUrl, contentType, json };
  if (document.kind === "text") {
    const digest = digestText(document, place, wanted);
    if (render !== "always") return { kind: "digest", digest };
    return { kind: "render", wall: false, text: { digest, shown: document.text } };
  }
  if (document.kind === "converted") {
    const digest = digestConverted(document, place, wanted);
    if (render !== "always") return { kind: "digest", digest };
    if (document.source === null) throw undrawable(contentType);
    return { kind: "render", wall: false, text: { digest, shown: document.source } };
  }
  const { html } = document;
  const tree = parseHtml(html);
  const wall = wallOf(sent(page, html), tree, wanted);
  const isLive = async () => wall === "bot" || (await changes(html, { url: page.finalUrl, frames, ads }));
  if (render === "always" || render === "pages" || (render === "scripts" && (await isLive())))
    return { kind: "render", wall: wall === "bot" };
  const digest = digestHtml({ html, url: page.finalUrl, wall, contentType, tree }, wanted);
  const scriptsLeftOut = isShell(digest) && render === "never" && (await isLive());
  return { kind: "digest", digest: { ...digest, scriptsLeftOut } };
}

/** Views of values read the document itself, of which its page has lost some. */
async function withSource(
  wanted: Wanted,
  body: Buffer,
  { contentType, finalUrl }: FetchedPage,
): Promise<Wanted> {
  if (!wanted.views?.some(({ view }) => isExact(view))) return wanted;
  const type = await sniffType(contentType, body, finalUrl);
  const syntax = isXml(type.essence) ? "xml" : type.essence === "text/html" ? "html" : "text";
  const text = await decode(body, type, syntax);
  const { parseStructured } = await import("../../../reader/structured/parse-structured.ts");
  return { ...wanted, source: { text, holds: parseStructured(type.essence, { text }) } };
}

/** Reads the HTML as sent, for a page that came out of the browser empty; null when the HTML has no content either. */
export async function readSent({
  page,
  wanted,
}: Pick<FetchedInput, "page" | "wanted">): Promise<Digest | null> {
  const document = await readDocument({ ...page, body: Buffer.from(page.body) });
  if (document.kind !== "html") return null;
  const { html } = document;
  const tree = parseHtml(html);
  const wall = wallOf(sent(page, html), tree, wanted);
  const digest = digestHtml({ html, url: page.finalUrl, wall, tree }, wanted);
  return digest.wall !== null || isShell(digest) ? null : digest;
}

function wallOf(answer: ReturnType<typeof sent>, tree: DocumentNode, wanted: Wanted): Digest["wall"] {
  const url = askedIn(wanted, answer.url);
  return detectWall({ ...answer, url }, tree) ?? signedOut(tree, wanted);
}

/** Within a session nobody asks for a login page itself, whatever its address says. */
function askedIn({ visited }: Wanted, url: string): string {
  return visited ? (URL.parse("/", url)?.href ?? url) : url;
}

/** Whether a page matches what the session says of those that nobody is signed in to. */
function signedOut(tree: DocumentNode, { visited }: Wanted): "login" | null {
  if (visited?.when === undefined) return null;
  try {
    const { root } = new Elements(tree);
    return root.matches(visited.when) || root.querySelector(visited.when) !== null ? "login" : null;
  } catch (error) {
    if (!(error instanceof TooMuchWork)) throw error;
    throw fail("extraction_failed", "The selector of session.login.when takes too long here.");
  }
}

/** The answer, as the search for walls reads it. */
function sent({ status, redirects, finalUrl, headers }: FetchedPage, html: string) {
  return { html, status, url: redirects[0] ?? finalUrl, headers };
}

/** Headless Chromium shows neither PDFs nor office documents. */
function undrawable(essence: string): Error {
  const message = `A document of type ${essence} gives no screenshot: leave it out of output.formats.`;
  return fail("unsupported_media_type", message, { content_type: essence });
}

interface DocumentPlace {
  url: string;
  contentType: string;
  /** What was found in the structure that the document itself has. */
  json: JsonResult | undefined;
}

/** A document has no navigation around its content, so all of it is content. */
function digestConverted(
  { html, source, warning, textless }: Extract<PageDocument, { kind: "converted" }>,
  { json, ...sent }: DocumentPlace,
  wanted: Wanted,
): Digest {
  const digest = digestHtml(
    { ...sent, html, wall: null, isDocument: true },
    { ...wanted, onlyMainContent: false },
  );
  return bounded({
    ...digest,
    ...(json && { json }),
    ...(wanted.formats.includes("raw_html") && { raw_html: source ?? html }),
    ...(textless && { textless }),
    ...(warning !== undefined && { warning: [warning, digest.warning].filter(Boolean).join(" ") }),
  });
}

/** Whether a browser shows more or other things than the HTML says. */
async function changes(
  html: string,
  { url, frames = "same_site", ads }: { url: string } & Pick<FetchedInput, "frames" | "ads">,
): Promise<boolean> {
  const { blocks } = await filtersOf(ads);
  const isRead = (source: string) =>
    frames !== "none" &&
    (frames === "all" || isOwnContent(source) || isSameSite(source, url)) &&
    !blocks(source, url, "Document");
  return canScriptsRun(html, url, source => blocks(source, url, "Script"), isRead);
}

/**
 * A process has one set of lists, and each thread opens it once. The object cannot serve as a key: shared memory arrives
 * with every task as a new object.
 */
async function filtersOf(ads: Uint8Array | undefined): Promise<AdFilters> {
  if (ads === undefined) return noAdFilters;
  opened ??= adFilters(ads);
  return opened;
}

/** A document that is not HTML: it has markdown, but no links or metadata. */
function digestText(
  document: TextDocument & { warning?: string },
  { url, contentType, json }: DocumentPlace,
  wanted: Wanted,
): Digest {
  const { formats, views, keepText, crawl } = wanted;
  const made = madeOfContent.filter(format => formats.includes(format));
  const { textLength: _, ...page } = textPage(document, { formats: made, text: keepText, crawl });
  const { html, markdown, links, images, summary, text, crawl: hints, ...facts } = page;
  return bounded({
    ...{ markdown: returned(markdown, wanted), links, images, summary, text, crawl: hints },
    ...(html !== undefined && { html }),
    ...(views &&
      watched(views, reduceText(document.markdown, facts.title), { url, ...facts }, wanted.source)),
    ...(formats.includes("raw_html") && { raw_html: document.text }),
    ...(document.warning !== undefined && { warning: document.warning }),
    ...(json && { json }),
    ...(wanted.keepHtml && { plain: document.markdown, isDocument: true }),
    metadata: { ...facts, content_type: contentType },
    wall: null,
  });
}

interface RenderedInput {
  /** With frames in their places, and what a style sheet hides marked as hidden. */
  html: string;
  /** The document as the browser has it, where it differs and is wanted. */
  asShown?: string;
  status: number;
  url: string;
  /** The URL in the request: a user who asks for a login page gets it. */
  requestedUrl: string;
  wanted: Wanted;
}

/** Reads a rendered page. */
export function readRendered({ html, asShown, status, url, requestedUrl, wanted }: RenderedInput): Digest {
  const page = readFramed({ html, status, url: askedIn(wanted, requestedUrl) });
  const wall = page.wall ?? signedOut(page.tree, wanted);
  return digestHtml({ ...page, wall, asShown, url }, wanted);
}
