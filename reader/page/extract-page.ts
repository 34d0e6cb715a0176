import { cleanTree } from "../clean/clean-tree.ts";
import { findMain } from "../content/find-main.ts";
import type { PageContext } from "../content/page-context.ts";
import { parseHtml } from "../html/parse-html.ts";
import { countWords, plainText } from "../html/plain-text.ts";
import { toHtml } from "../html/to-html.ts";
import { type DocumentNode, type ElementNode, findElement, isElement } from "../html/tree.ts";
import { toMarkdown } from "../markdown/to-markdown.ts";
import { type PageFacts, readStatements } from "../metadata/read-metadata.ts";
import { findImages } from "./page-images.ts";
import { type CrawlHints, findLinks, readCrawlHints, urlResolver } from "./page-links.ts";
import { keepParts, type PageParts } from "./page-parts.ts";
import { withStatedArticle } from "./stated-article.ts";
import { passagesOfPage, summarizeText } from "./summarize-text.ts";

export interface PageSource {
  html: string;
  /** The page's final URL. */
  url: string;
}

export interface ExtractOptions {
  formats: readonly ("html" | "markdown" | "links" | "images" | "summary")[];
  /** False: the whole body, without hidden parts. Parts that are named need no search for the main content. */
  onlyMainContent: boolean;
  /** Which parts of the page the formats are made of; the metadata are always those of the whole page. */
  parts?: PageParts;
  /** Whether the plain text is returned as well. */
  text?: boolean;
  /** Whether what a crawler needs is read as well. */
  crawl?: boolean;
  /** Whether links have their texts. */
  linkTexts?: boolean;
}

/** Has only the requested formats, and always the metadata and the measures. */
export interface PageContent extends PageFacts {
  html?: string;
  markdown?: string;
  links?: string[];
  images?: string[];
  /** The plain text of the content, a line for each block. */
  text?: string;
  /** Nothing on the page is among the parts that are wanted. */
  isEmptied?: boolean;
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
  { formats, onlyMainContent, parts, text: wantsText, crawl, linkTexts }: ExtractOptions,
): PageContent {
  const resolve = urlResolver(root, url);
  const { facts, article } = readStatements(root, resolve, url);
  const hints = crawl && { crawl: readCrawlHints(root, resolve, linkTexts) };
  const whole = parts && lengthOfText(bodyOf(root), enoughText);
  const isEmptied = parts !== undefined && !keepParts(root, parts);
  const links = formats.includes("links") && { links: findLinks(root, resolve, url) };
  const images = formats.includes("images") && { images: findImages(root, resolve) };
  const body = cleanTree(root, resolve);
  const textLength = whole ?? lengthOfText(body, enoughText);
  const isPart = parts !== undefined && parts.include.length > 0;
  const shown = onlyMainContent && !isPart ? findMain(body, contextOf(facts, url)) : body;
  const main = isPart || article === "" ? shown : withStatedArticle(shown, article);
  const text = plainText(main);
  return {
    ...facts,
    ...hints,
    ...links,
    ...images,
    ...(isEmptied && { isEmptied }),
    ...(wantsText && { text }),
    ...(formats.includes("html") && { html: toHtml(main) }),
    ...(formats.includes("markdown") && { markdown: toMarkdown(main) }),
    ...(formats.includes("summary") && { summary: summarizeText(passagesOfPage(main), facts) }),
    word_count: countWords(text),
    textLength,
  };
}

/** The plain text of a page's main content, a line for each block, for models. */
export function extractText({ html, url }: PageSource, onlyMainContent: boolean): string {
  return extractPage({ html, url }, { formats: [], onlyMainContent, text: true }).text ?? "";
}

function bodyOf(root: DocumentNode): ElementNode {
  return findElement(root, ({ name }) => name === "body") ?? root;
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
