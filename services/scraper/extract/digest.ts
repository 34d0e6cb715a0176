import type { PageMetadata } from "../../contracts/page.contract.ts";
import type { Format } from "../../contracts/page-options.ts";
import type { WantedView } from "../../contracts/page-reads.contract.ts";
import type { CrawlHints } from "../../domain/extract/page-links.ts";
import type { PageParts } from "../../domain/extract/page-parts.ts";
import type { Look } from "../../domain/watch/look-at.ts";
import type { InPageRequest, InPageResult } from "./extract-in-page.ts";

/** What a scrape wants of a page's HTML. */
export interface Wanted {
  formats: Format[];
  onlyMainContent: boolean;
  /** Which parts of the page the formats are made of; JSON and the raw HTML are always those of the whole page. */
  parts?: PageParts;
  /** Find JSON by rules or by the user's recipe. */
  json?: InPageRequest;
  /** Return the HTML too, for a model. */
  keepHtml: boolean;
  /** Return the plain text too. */
  keepText: boolean;
  /** Return the links and directives that a crawler needs, whatever the formats. */
  crawl: boolean;
  /** With their texts. */
  linkTexts?: boolean;
  /** Return what these see, too. */
  views?: WantedView[];
  /** Return the beginning of the Markdown only: the views have seen all of it. */
  isBrief?: boolean;
}

/** Characters of a text of which the beginning is wanted: more than a preview shows. */
const briefLength = 32 * 1024;

/** The Markdown as it is returned. */
export function returned(markdown: string | undefined, { isBrief }: Wanted): string | undefined {
  return isBrief ? markdown?.slice(0, briefLength) : markdown;
}

/** What the worker thread returns of a page. */
export interface Digest {
  markdown?: string;
  html?: string;
  raw_html?: string;
  links?: string[];
  images?: string[];
  summary?: string;
  json?: InPageResult;
  /** The whole page, when `keepHtml` asks for it. */
  page?: string;
  /** The plain text of the content, when `keepText` asks for it. */
  text?: string;
  /** When `crawl` asks for it. */
  crawl?: CrawlHints;
  /** What the views see, in their order. */
  looks?: Look[];
  metadata: Omit<PageMetadata, "status_code" | "final_url" | "engine" | "proxy_location" | "warning">;
  wall: "bot" | "login" | null;
  /** Characters of text on the whole page, counted up to 1,000; undefined if it is not HTML. */
  textLength?: number;
  /** What of a document is not in the formats, or why there is nothing. */
  warning?: string;
  /** The page has scripts, and the request did not let them run. */
  scriptsLeftOut?: boolean;
}

const maxShellText = 100;

/** Whether an HTML page has nearly no text. */
export function isShell({ textLength = maxShellText }: Digest): boolean {
  return textLength < maxShellText;
}
