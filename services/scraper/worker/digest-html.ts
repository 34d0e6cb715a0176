import type { Format } from "../../contracts/page-options.ts";
import type { PageMetadata } from "../../contracts/scraper.contract.ts";
import type { CrawlHints } from "../../domain/extract/crawl-hints.ts";
import { extractPage, extractText } from "../../domain/extract/extract-page.ts";

/** What a scrape wants of a page's HTML. */
export interface Wanted {
  formats: Format[];
  onlyMainContent: boolean;
  /** The HTML itself goes back too, because a later step reads it. */
  keepHtml: boolean;
  /** So does its plain text. */
  keepText: boolean;
  /** What a crawler goes by goes back too, whatever the formats are. */
  crawl: boolean;
}

/** A page as it leaves the worker thread. */
export interface Digest {
  markdown?: string;
  html?: string;
  raw_html?: string;
  links?: string[];
  summary?: string;
  /** The whole page, when `keepHtml` asks for it. */
  page?: string;
  /** The plain text of the content, when `keepText` asks for it. */
  text?: string;
  /** When `crawl` asks for it. */
  crawl?: CrawlHints;
  metadata: Pick<PageMetadata, "title" | "description" | "language" | "canonical_url" | "og">;
  wall: "bot" | "login" | null;
}

const madeOfContent = ["html", "markdown", "links", "summary"] as const;

export function digestHtml(
  page: { html: string; url: string; wall: Digest["wall"] },
  wanted: Wanted,
): Digest {
  const formats = madeOfContent.filter(format => wanted.formats.includes(format));
  const { title, description, language, canonical_url, og, ...content } = extractPage(page, {
    formats,
    onlyMainContent: wanted.onlyMainContent,
    crawl: wanted.crawl,
  });
  return {
    ...content,
    ...(wanted.formats.includes("raw_html") && { raw_html: page.html }),
    ...(wanted.keepHtml && { page: page.html }),
    ...(wanted.keepText && { text: extractText(page, wanted.onlyMainContent) }),
    metadata: { title, description, language, canonical_url, og },
    wall: page.wall,
  };
}
