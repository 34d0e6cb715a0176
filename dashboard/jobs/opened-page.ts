/* The contents of one page of a crawl, in a dialog. */
import type { VNode } from "preact";
import { html } from "../html.ts";
import { Dialog } from "../parts/dialog.ts";
import { Problem, Waiting } from "../parts/state.ts";
import { ResultFacts } from "../results/result-facts.ts";
import { ScrapeResult } from "../results/scrape-result.ts";
import { useLive } from "../shell/live.ts";
import { type CrawledPage, loadPage } from "./crawl-pages.ts";

interface OpenedProps {
  crawlId: string;
  page: CrawledPage;
  onClose: () => void;
}

/** A page that was read does not change. */
const renewMs = 3_600_000;

export function OpenedPage({ crawlId, page, onClose }: OpenedProps): VNode {
  const live = useLive(signal => loadPage(crawlId, page, signal), [page], { renewMs });
  return html`<${Dialog} title=${page.title || page.url} isWide onClose=${onClose}>
    <p class="soft breaks">${page.url}</p>
    <${Problem} error=${live.error} />
    ${!live.data && !live.error && html`<${Waiting} lines=${8} />`}
    ${live.data && html`<${ResultFacts} metadata=${live.data.metadata} /><${ScrapeResult} data=${live.data} />`}
  <//>`;
}
