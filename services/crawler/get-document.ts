import { within } from "../../mixins/deadline/within.ts";
import { fetchDocument } from "../../mixins/egress/fetch-document.ts";
import type { Get } from "./robots-book.ts";
import type { CrawlerRoom, StoredCrawl } from "./room.ts";

const timeoutMs = 30_000;
const headers = {
  "user-agent": "Mozilla/5.0 (compatible; Magpie/0.1; crawler)",
  accept: "text/plain, application/xml;q=0.9, text/xml;q=0.9, */*;q=0.5",
};

/** Gets what a site says to crawlers, in its host's turn, with certificates taken as for the crawl's pages. */
export function getFor({ egress, manners }: CrawlerRoom, crawl: StoredCrawl, signal: AbortSignal): Get {
  const { skip_tls_verification: skipTlsVerification } = crawl.request.request;
  const guarded = { ...egress, agent: () => egress.agent({ skipTlsVerification }) };
  return url =>
    manners.visit({ crawlId: crawl._id, url, spacingMs: 0 }, signal, () =>
      within(timeoutMs, signal, inTime => fetchDocument(url, headers, { egress: guarded, signal: inTime })),
    );
}
