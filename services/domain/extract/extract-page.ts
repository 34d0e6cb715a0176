import { cleanTree } from "./clean-tree.ts";
import { type CrawlHints, readCrawlHints } from "./crawl-hints.ts";
import { findLinks } from "./find-links.ts";
import { findMain } from "./find-main.ts";
import { urlResolver } from "./page-url.ts";
import { parseHtml } from "./parse-html.ts";
import { plainText } from "./plain-text.ts";
import { type PageFacts, readMetadata } from "./read-metadata.ts";
import { summarizeText } from "./summarize-text.ts";
import { toHtml } from "./to-html.ts";
import { toMarkdown } from "./to-markdown.ts";
import type { ElementNode } from "./tree.ts";

export interface PageSource {
  html: string;
  /** The page's final URL. */
  url: string;
}

export interface ExtractOptions {
  formats: readonly ("html" | "markdown" | "links" | "summary")[];
  /** False: the whole body, without what no reader sees. */
  onlyMainContent: boolean;
  /** Reads what a crawler goes by, too. */
  crawl?: boolean;
}

/** Only the formats that were asked for are present; the facts always are. */
export interface PageContent extends PageFacts {
  html?: string;
  markdown?: string;
  links?: string[];
  summary?: string;
  crawl?: CrawlHints;
}

/** Reads a page: one parse, one tree, from which everything is written. Pure; never throws on any input. */
export function extractPage(
  source: PageSource,
  { formats, onlyMainContent, crawl }: ExtractOptions,
): PageContent {
  const root = parseHtml(source.html);
  const resolve = urlResolver(root, source.url);
  const facts = readMetadata(root, resolve);
  const content: PageContent = { ...facts };
  if (crawl) content.crawl = readCrawlHints(root, resolve);
  if (formats.includes("links")) content.links = findLinks(root, resolve, source.url);
  if (formats.every(format => format === "links")) return content;
  const main = contentOf(root, facts.title, onlyMainContent, resolve);
  if (formats.includes("html")) content.html = toHtml(main);
  if (formats.includes("markdown")) content.markdown = toMarkdown(main);
  if (formats.includes("summary")) content.summary = summarizeText(plainText(main), facts.language);
  return content;
}

/** The plain text of a page's main content, a line for each block, for models. */
export function extractText(source: PageSource, onlyMainContent: boolean): string {
  const root = parseHtml(source.html);
  const resolve = urlResolver(root, source.url);
  return plainText(contentOf(root, readMetadata(root, resolve).title, onlyMainContent, resolve));
}

function contentOf(
  root: ElementNode,
  title: string,
  onlyMainContent: boolean,
  resolve: ReturnType<typeof urlResolver>,
): ElementNode {
  const body = cleanTree(root, resolve);
  return onlyMainContent ? findMain(body, title) : body;
}
