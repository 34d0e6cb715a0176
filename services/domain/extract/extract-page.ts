import { cleanTree } from "./clean-tree.ts";
import { findMain } from "./find-main.ts";
import type { PageContext } from "./main-content/page-context.ts";
import { toMarkdown } from "./markdown/to-markdown.ts";
import { type CrawlHints, findLinks, readCrawlHints, urlResolver } from "./page-links.ts";
import { parseHtml } from "./parse-html.ts";
import { countWords, plainText } from "./plain-text.ts";
import { type PageFacts, readMetadata } from "./read-metadata.ts";
import { passagesOfPage, summarizeText } from "./summarize-text.ts";
import { toHtml } from "./to-html.ts";
import { type DocumentNode, type ElementNode, isElement } from "./tree.ts";

export interface PageSource {
  html: string;
  /** The page's final URL. */
  url: string;
}

export interface ExtractOptions {
  formats: readonly ("html" | "markdown" | "links" | "summary")[];
  /** False: the whole body, without hidden parts. */
  onlyMainContent: boolean;
  /** Also reads what a crawler needs. */
  crawl?: boolean;
  /** With the texts of links. */
  linkTexts?: boolean;
}

/** Has only the requested formats, and always the metadata and the measures. */
export interface PageContent extends PageFacts {
  html?: string;
  markdown?: string;
  links?: string[];
  summary?: string;
  crawl?: CrawlHints;
  /** Words of the content. */
  word_count: number;
  /** Characters of text on the whole page, counted up to `enoughText`. */
  textLength: number;
}

/** A page with this much text is not a shell. */
export const enoughText = 1000;

/** Reads a page: parses it once and writes all formats from that tree. Pure; never throws on any input. */
export function extractPage({ html, url }: PageSource, options: ExtractOptions): PageContent {
  return extractTree(parseHtml(html), url, options);
}

/** Reads the tree of a page, and cleans it in place. */
export function extractTree(
  root: DocumentNode,
  url: string,
  { formats, onlyMainContent, crawl, linkTexts }: ExtractOptions,
): PageContent {
  const resolve = urlResolver(root, url);
  const facts = readMetadata(root, resolve, url);
  const hints = crawl && { crawl: readCrawlHints(root, resolve, linkTexts) };
  const links = formats.includes("links") && { links: findLinks(root, resolve, url) };
  const body = cleanTree(root, resolve);
  const textLength = lengthOfText(body, enoughText);
  const main = onlyMainContent ? findMain(body, contextOf(facts, url)) : body;
  const text = plainText(main);
  return {
    ...facts,
    ...hints,
    ...links,
    ...(formats.includes("html") && { html: toHtml(main) }),
    ...(formats.includes("markdown") && { markdown: toMarkdown(main) }),
    ...(formats.includes("summary") && { summary: summarizeText(passagesOfPage(main), facts) }),
    word_count: countWords(text),
    textLength,
  };
}

/** The plain text of a page's main content, a line for each block, for models. */
export function extractText(source: PageSource, onlyMainContent: boolean): string {
  const root = parseHtml(source.html);
  const resolve = urlResolver(root, source.url);
  const facts = readMetadata(root, resolve, source.url);
  const body = cleanTree(root, resolve);
  return plainText(onlyMainContent ? findMain(body, contextOf(facts, source.url)) : body);
}

/** What the search for the main content knows of a page besides its body. */
export function contextOf({ title, description, og }: PageFacts, url: string): PageContext {
  return { url, title, description, kind: og.type ?? "" };
}

function lengthOfText(element: ElementNode, enough: number): number {
  let length = 0;
  for (const child of element.childNodes) {
    if (length >= enough) break;
    length += isElement(child) ? lengthOfText(child, enough - length) : child.text.trim().length;
  }
  return length;
}
