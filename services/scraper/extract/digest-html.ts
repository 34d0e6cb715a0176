import { parseHtml } from "../../../reader/html/parse-html.ts";
import type { DocumentNode } from "../../../reader/html/tree.ts";
import { extractTree, type PageContent } from "../../../reader/page/extract-page.ts";
import { openPage, TooMuchWork } from "../../../reader/recipe/parse-page.ts";
import { fail } from "../../contracts/errors.ts";
import { reduceDocument, reducePage } from "../../domain/watch/eye/reduce-page.ts";
import { bounded, type Digest, returned, type Wanted } from "./digest.ts";
import { extractFrom } from "./extract-in-page.ts";
import { watched } from "./watched.ts";

export const madeOfContent = ["html", "markdown", "links", "images", "summary"] as const;

/**
 * `tree` is the page's HTML, which is cleaned here; it is parsed where it is not given. `isDocument`: the HTML was made of
 * another document, all of which is content.
 */
export function digestHtml(
  page: {
    html: string;
    /** What the raw HTML is, where it is not `html`. */
    asShown?: string;
    url: string;
    wall: Digest["wall"];
    contentType?: string;
    tree?: DocumentNode;
    isDocument?: boolean;
  },
  wanted: Wanted,
): Digest {
  const formats = madeOfContent.filter(format => wanted.formats.includes(format));
  const { tree = parseHtml(page.html) } = page;
  // Before the tree is cleaned: JSON may come from what the other formats leave out.
  const json = wanted.json && !wanted.keepHtml && extractFrom(() => openPage(tree, page.url), wanted.json);
  const read = extractParts(tree, page.url, wanted, formats);
  const { html, markdown, links, images, summary, text, crawl, textLength, isEmptied, ...facts } = read;
  const content = { html, markdown: returned(markdown, wanted), links, images, summary, text, crawl };
  return bounded({
    ...content,
    ...(json && { json }),
    ...(wanted.formats.includes("raw_html") && { raw_html: page.asShown ?? page.html }),
    ...(wanted.keepHtml && { page: page.html, ...(page.isDocument && { isDocument: true }) }),
    ...(isEmptied && { warning: nothingIncluded }),
    ...(wanted.views && watched(wanted.views, reduced(page), { url: page.url, ...facts }, wanted.source)),
    metadata: { ...facts, content_type: page.contentType ?? "text/html" },
    wall: page.wall,
    textLength,
  });
}

function reduced({ html, isDocument }: { html: string; isDocument?: boolean }): string {
  const tree = parseHtml(html, { withDrawings: true });
  return isDocument ? reduceDocument(tree) : reducePage(tree);
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
