import { fail } from "../../contracts/errors.ts";
import { detectWall } from "../../domain/extract/detect-wall.ts";
import { canScriptsRun } from "../../domain/extract/has-live-script.ts";
import { summarizeText } from "../../domain/extract/summarize-text.ts";
import { type AdFilters, adFilters, noAdFilters } from "../ads/ad-filters.ts";
import type { FetchedPage } from "../fetch/fetch-page.ts";
import { readDocument } from "../fetch/read-document.ts";
import { sniffType } from "../fetch/sniff-type.ts";
import { type Digest, digestHtml, type Wanted } from "./digest-html.ts";

export interface FetchedInput {
  page: FetchedPage;
  wanted: Wanted;
  /** What the request leaves to the browser. */
  render: "never" | "scripts" | "always";
  /** Compiled filter lists, shared between the threads; undefined when ads are not blocked. */
  ads?: Uint8Array;
}

/** `render`: only a browser can give what is wanted; of a text, its picture and nothing else. */
export type FetchedOutput =
  | { kind: "digest"; digest: Digest }
  | { kind: "render"; wall: boolean; text?: { digest: Digest; shown: string } };

let opened: AdFilters | undefined;

/** Reads what the plain fetch got, unless a browser has to show it first. */
export async function readFetched({ page, wanted, render, ads }: FetchedInput): Promise<FetchedOutput> {
  const document = await readDocument({ ...page, body: Buffer.from(page.body) });
  if (document.kind === "text") {
    const digest = digestText(document, wanted);
    if (render !== "always") return { kind: "digest", digest };
    await refuseUndrawable(page);
    return { kind: "render", wall: false, text: { digest, shown: document.text } };
  }
  const wall = detectWall({
    html: document.html,
    status: page.status,
    url: page.redirects[0] ?? page.finalUrl,
    headers: page.headers,
  });
  const isLive = () => wall === "bot" || scriptsRun(document.html, page.finalUrl, ads);
  if (render === "always" || (render === "scripts" && isLive()))
    return { kind: "render", wall: wall === "bot" };
  return { kind: "digest", digest: digestHtml({ html: document.html, url: page.finalUrl, wall }, wanted) };
}

/** The headless shell has no PDF viewer. */
async function refuseUndrawable({ contentType, body }: FetchedPage): Promise<void> {
  const { essence } = await sniffType(contentType, body);
  if (essence === "application/pdf")
    throw fail("unsupported_media_type", "A PDF gives no screenshot: leave it out of output.formats.", {
      content_type: essence,
    });
}

function scriptsRun(html: string, url: string, ads: Uint8Array | undefined): boolean {
  const { blocks } = filtersOf(ads);
  return canScriptsRun(html, url, source => blocks(source, url, "Script"));
}

/**
 * A process has one set of lists and each thread opens it once. The bytes cannot tell: shared memory comes with every
 * task as a new object.
 */
function filtersOf(ads: Uint8Array | undefined): AdFilters {
  if (ads === undefined) return noAdFilters;
  opened ??= adFilters(ads);
  return opened;
}

/** A document that is not HTML: its markdown is its content, and it has no markup, links or metadata of its own. */
function digestText(
  document: { markdown: string; text: string; title: string | null },
  wanted: Wanted,
): Digest {
  const { formats } = wanted;
  return {
    ...(formats.includes("markdown") && { markdown: document.markdown }),
    ...(formats.includes("html") && { html: `<pre>${escapeHtml(document.text)}</pre>` }),
    ...(formats.includes("raw_html") && { raw_html: document.text }),
    ...(formats.includes("links") && { links: [] }),
    ...(formats.includes("summary") && { summary: summarizeText(document.text, null) }),
    ...(wanted.keepText && { text: document.text }),
    ...(wanted.crawl && { crawl: { links: [], nofollow: false } }),
    metadata: { title: document.title ?? "", description: null, language: null, canonical_url: null, og: {} },
    wall: null,
  };
}

function escapeHtml(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
