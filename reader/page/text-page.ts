import { countWords } from "../html/plain-text.ts";
import { noFacts } from "../metadata/read-metadata.ts";
import { escapeHtml } from "../text/escape-html.ts";
import { type ExtractOptions, enoughText, type PageContent } from "./extract-page.ts";
import { passagesOfText, summarizeText } from "./summarize-text.ts";

/** A document that is a text, with its Markdown. */
export interface TextDocument {
  markdown: string;
  text: string;
  title: string | null;
}

/** Makes a page of a text: it has no links, and says nothing about itself but its title. */
export function textPage(
  { markdown, text, title }: TextDocument,
  { formats, text: wantsText, crawl }: Pick<ExtractOptions, "formats" | "text" | "crawl">,
): PageContent {
  const named = { title: title ?? "", language: null };
  return {
    ...noFacts,
    title: named.title,
    page_title: title,
    ...(formats.includes("markdown") && { markdown }),
    ...(formats.includes("html") && { html: `<pre>${escapeHtml(text)}</pre>` }),
    ...(formats.includes("links") && { links: [] }),
    ...(formats.includes("images") && { images: [] }),
    ...(formats.includes("summary") && { summary: summarizeText(passagesOfText(text), named) }),
    ...(wantsText && { text }),
    ...(crawl && { crawl: { links: [], nofollow: false, noindex: false } }),
    word_count: countWords(text),
    textLength: Math.min(text.length, enoughText),
  };
}
