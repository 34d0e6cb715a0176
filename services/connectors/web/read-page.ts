import type { FinishedScrape } from "../../contracts/scraper.contract.ts";
import { type PageText, readPageText } from "../../domain/page-change/compare-page.ts";

/** A page that was read, or the status or the emptiness that kept it from being so. */
export type ReadPage =
  | { ok: true; page: PageText; title: string; url: string }
  | { ok: false; status: number; reason: string };

/** The main content of a scraped page. */
export function readPage({ data, url }: FinishedScrape): ReadPage {
  const { metadata, markdown = "" } = data;
  const { status_code: status } = metadata;
  if (status < 200 || status > 299)
    return { ok: false, status, reason: `The site answered with status ${status}.` };
  const page = readPageText(markdown);
  if (page === undefined || lettersOf(page.text) === lettersOf(metadata.title))
    return { ok: false, status, reason: "The page has no content." };
  return { ok: true, page, title: metadata.title.trim().slice(0, 300), url: metadata.final_url || url };
}

// The scraper puts a page's title above its content: what says the title alone is an empty page.
function lettersOf(text: string): string {
  return text.replace(/[^\p{L}\p{N}]/gu, "");
}
