import type { CrawlHints } from "../../../reader/page/page-links.ts";
import type { PageParts } from "../../../reader/page/page-parts.ts";
import type { JsonResult, WantedJson } from "../../../reader/recipe/read-json.ts";
import type { PageMetadata } from "../../contracts/page.contract.ts";
import type { Format, RequestOptions } from "../../contracts/page-options.ts";
import type { KeptPage, WantedView } from "../../contracts/page-reads.contract.ts";
import type { Snapshot, WatchedPage } from "../../domain/watch/snapshot.ts";

/** What a scrape wants of a page's HTML. */
export interface Wanted {
  formats: Format[];
  onlyMainContent: boolean;
  /** Which parts of the page the formats are made of; JSON and the raw HTML are always those of the whole page. */
  parts?: PageParts;
  /** Find JSON by rules or by the user's recipe; in a page only where its HTML is not kept for a model. */
  json?: WantedJson;
  /** Return the HTML or the text too, for a model. */
  keepHtml: boolean;
  /** Return the plain text too. */
  keepText: boolean;
  /** Return the links and directives that a crawler needs, whatever the formats. */
  crawl: boolean;
  /** With their texts. */
  linkTexts?: boolean;
  /** How a PDF is read. */
  pdf?: RequestOptions["pdf"];
  /** Return what these see, too. */
  views?: WantedView[];
  /** The document as it was sent, where a view reads that. */
  source?: WatchedPage["source"];
  /** Return the beginning of the Markdown only: the views have seen all of it. */
  isBrief?: boolean;
  /** Within a session a page for people who are signed in is told from a login, whatever was asked for. */
  visited?: { when?: string };
}

/** Characters of a text of which the beginning is wanted: more than a preview shows. */
const briefLength = 32 * 1024;

/** The Markdown as it is returned. */
export function returned(markdown: string | undefined, { isBrief }: Wanted): string | undefined {
  return isBrief && markdown !== undefined ? cut(markdown, briefLength) : markdown;
}

/** What the worker thread returns of a page. */
export interface Digest {
  markdown?: string;
  html?: string;
  raw_html?: string;
  links?: string[];
  images?: string[];
  summary?: string;
  json?: JsonResult;
  /** The whole page, when `keepHtml` asks for it. */
  page?: string;
  /** In its place: what a document says that is no page. */
  plain?: string;
  /** The page was made of a document. */
  isDocument?: boolean;
  /** The plain text of the content, when `keepText` asks for it. */
  text?: string;
  /** When `crawl` asks for it. */
  crawl?: CrawlHints;
  /** What the views see, in their order. */
  snapshots?: Snapshot[];
  /** What is kept of the page for them, where one knows another one. */
  kept?: KeptPage;
  metadata: Omit<
    PageMetadata,
    "status_code" | "final_url" | "engine" | "proxy_location" | "content_usage" | "warning"
  > & { tdm?: Record<string, string> };
  wall: "bot" | "login" | null;
  /** Characters of text on the whole page, counted up to 1,000; undefined if it is not HTML. */
  textLength?: number;
  /** What of a document is not in the formats, or why there is nothing. */
  warning?: string;
  /** The pages of a PDF that have no text: they may be pictures. */
  textless?: number[];
  /** The page has scripts, and the request did not let them run. */
  scriptsLeftOut?: boolean;
}

/**
 * Characters of each text of an answer, and addresses of each list. The thread that serves everybody copies them, stores
 * them and writes them as JSON, for some 10 ms a million.
 */
export const maxTextLength = 4 * 1024 * 1024;
export const maxListed = 20_000;

/** A digest whose parts are within these limits; its warning says what was cut. */
export function bounded(digest: Digest): Digest {
  const cut: string[] = [];
  const within = <T>(name: "markdown" | "html" | "raw_html" | "summary" | "links" | "images", part: T): T => {
    const kept =
      typeof part === "string" ? keptText(part, name) : Array.isArray(part) ? keptList(part) : part;
    if (kept !== part) cut.push(typeof part === "string" ? `${name} is` : `${name} are`);
    return kept as T;
  };
  const { markdown, html, raw_html, summary, links, images, json, metadata } = digest;
  const parts = {
    ...(markdown !== undefined && { markdown: within("markdown", markdown) }),
    ...(html !== undefined && { html: within("html", html) }),
    ...(raw_html !== undefined && { raw_html: within("raw_html", raw_html) }),
    ...(summary !== undefined && { summary: within("summary", summary) }),
    ...(links !== undefined && { links: within("links", links) }),
    ...(images !== undefined && { images: within("images", images) }),
    ...(json !== undefined && { json: keptJson(json) }),
  };
  const warning = [digest.warning, ...cut.map(part => `The page is large: its ${part} cut.`)];
  const said = warning.filter(each => each !== undefined).join(" ");
  return { ...digest, ...parts, metadata: keptFacts(metadata), ...(said !== "" && { warning: said }) };
}

/** The beginning of a text in whole characters. */
function cut(text: string, length: number): string {
  return text.slice(0, length).replace(/[\ud800-\udbff]$/, "");
}

/** The beginning of a text that is too long, of HTML in whole tags. */
function keptText(text: string, name: string): string {
  if (text.length <= maxTextLength) return text;
  const beginning = cut(text, maxTextLength);
  const tag = beginning.lastIndexOf("<");
  return name.endsWith("html") && tag > beginning.lastIndexOf(">") ? beginning.slice(0, tag) : beginning;
}

function keptList(addresses: string[]): string[] {
  let left = maxTextLength;
  const end = addresses.slice(0, maxListed).findIndex(address => {
    left -= address.length;
    return left < 0;
  });
  if (end !== -1) return addresses.slice(0, end);
  return addresses.length <= maxListed ? addresses : addresses.slice(0, maxListed);
}

function keptJson(result: JsonResult): JsonResult {
  if (!result.ok || JSON.stringify(result.json).length <= maxTextLength) return result;
  return { ok: false, reason: "The JSON of this page has more than 4 MB: ask for fewer or smaller values." };
}

/** Characters of what a page says of itself, and properties of OpenGraph. */
const [maxFactLength, mostProperties] = [10_000, 200];
const addressFacts = new Set(["canonical_url", "favicon", "image"]);

function keptFacts(facts: Digest["metadata"]): Digest["metadata"] {
  const og = Object.entries(facts.og).slice(0, mostProperties);
  const short = Object.entries({ ...facts, og: Object.fromEntries(og.map(keptFact)) }).map(keptFact);
  return Object.fromEntries(short) as unknown as Digest["metadata"];
}

/** A part of an address leads elsewhere. */
function keptFact([name, fact]: [string, unknown]): [string, unknown] {
  if (typeof fact !== "string" || fact.length <= maxFactLength) return [name, fact];
  return [name, addressFacts.has(name) ? null : cut(fact, maxFactLength)];
}

const maxShellText = 100;

/** Whether an HTML page has nearly no text. */
export function isShell({ textLength = maxShellText }: Digest): boolean {
  return textLength < maxShellText;
}
