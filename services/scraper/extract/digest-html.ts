import { fail } from "../../contracts/errors.ts";
import type { Format } from "../../contracts/page-options.ts";
import type { PageMetadata, WantedView } from "../../contracts/scraper.contract.ts";
import { extractTree, type PageContent } from "../../domain/extract/extract-page.ts";
import type { CrawlHints } from "../../domain/extract/page-links.ts";
import type { PageParts } from "../../domain/extract/page-parts.ts";
import { parseHtml } from "../../domain/extract/parse-html.ts";
import type { DocumentNode } from "../../domain/extract/tree.ts";
import { openPage, TooMuchWork } from "../../domain/recipe/parse-page.ts";
import { type Look, lookAt } from "../../domain/watch/look-at.ts";
import { pageOutline } from "../../domain/watch/page-outline.ts";
import { type InPageRequest, type InPageResult, readJson } from "./extract-in-page.ts";

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

const madeOfContent = ["html", "markdown", "links", "images", "summary"] as const;

const maxShellText = 100;

/** Whether an HTML page has nearly no text. */
export function isShell({ textLength = maxShellText }: Digest): boolean {
  return textLength < maxShellText;
}

export function digestHtml(
  page: { html: string; url: string; wall: Digest["wall"]; contentType?: string },
  wanted: Wanted,
): Digest {
  const formats = madeOfContent.filter(format => wanted.formats.includes(format));
  const tree = parseHtml(page.html);
  // Before the tree is cleaned: JSON may come from what the other formats leave out.
  const json = wanted.json && readJson(() => openPage(tree, page.url), wanted.json);
  const read = extractParts(tree, page.url, wanted, formats);
  const { html, markdown, links, images, summary, text, crawl, textLength, isEmptied, ...facts } = read;
  const content = { html, markdown, links, images, summary, text, crawl };
  return {
    ...content,
    ...(json && { json }),
    ...(wanted.formats.includes("raw_html") && { raw_html: page.html }),
    ...(wanted.keepHtml && { page: page.html }),
    ...(isEmptied && { warning: nothingIncluded }),
    ...(wanted.views && {
      looks: looksOf(wanted.views, { html: page.html, url: page.url, markdown, ...facts }),
    }),
    metadata: { ...facts, content_type: page.contentType ?? "text/html" },
    wall: page.wall,
    textLength,
  };
}

/** What views see of a page; without its own text, of the page without markdown. */
export function looksOf(
  views: WantedView[],
  page: { html: string; url: string; markdown?: string; title: string; language: string | null },
): Look[] {
  const { html, url, markdown = "", title, language } = page;
  return views.map(({ view, recipe, outline }) => ({
    ...lookAt({ html, url, markdown, title, language }, view, recipe),
    ...(outline && { outline: pageOutline(html, url) }),
  }));
}

const nothingIncluded = "No element of the page matches request.include_tags.";

function extractParts(
  tree: DocumentNode,
  url: string,
  { onlyMainContent, parts, keepText, crawl, linkTexts }: Wanted,
  formats: (typeof madeOfContent)[number][],
): PageContent {
  try {
    return extractTree(tree, url, {
      formats,
      onlyMainContent,
      crawl,
      linkTexts,
      text: keepText,
      ...(parts && { parts }),
    });
  } catch (error) {
    if (!(error instanceof TooMuchWork)) throw error;
    throw fail(
      "extraction_failed",
      "The selectors of request.include_tags and exclude_tags take too long here.",
    );
  }
}
