import type { Claim } from "../../mixins/frontier/frontier.ts";
import type { ScrapeData } from "../contracts/scraper.contract.ts";
import { canonicalUrl } from "../domain/crawl/canonical-url.ts";

/** The key of the address that a page has given itself (`history.pushState`), when that is one of its own. */
export function aliasesOf({ key }: Pick<Claim, "key">, { metadata }: ScrapeData): string[] {
  const landing = canonicalUrl(metadata.final_url);
  return landing && landing.key !== key ? [landing.key] : [];
}
