/* The list of crawls, the newest first, with their progress. */
import type { VNode } from "preact";
import type { CrawlSummary } from "../../services/contracts/job-lists.contract.ts";
import { html } from "../html.ts";
import { Cancel } from "../jobs/cancel.ts";
import { JobMark, stateChoices, took } from "../jobs/job-marks.ts";
import { KeyCell } from "../jobs/key-cell.ts";
import { ProgressBar } from "../jobs/progress-bar.ts";
import { Filters, List, type LiveList, useList } from "../parts/list.ts";
import { Empty } from "../parts/state.ts";
import type { Column } from "../parts/table.ts";
import { count, Time } from "../parts/time.ts";
import { link } from "../shell/address.ts";
import { Head, type Page } from "../shell/page.ts";
import { hasKey } from "../shell/session.ts";

const states = ["crawling", "completed", "failed", "cancelled"];

function Crawls(): VNode {
  const isOwn = hasKey.value;
  const list = useList<CrawlSummary>(isOwn ? "/web/crawl" : "/internal/crawls", ["status"]);
  return html`<${Head} title="Crawls" lead="Crawls of sites and batches of pages, the newest first. Results go some time after the end, by default 24 hours.">
      <a class="button is-main" href=${link("/playground", { what: "crawl" })}>Crawl a site</a>
    <//>
    <${Filters} filters=${[{ name: "status", label: "State", options: stateChoices(states) }]} />
    <${List} list=${list} caption="Crawls" columns=${columnsOf(isOwn, list)} id=${(row: CrawlSummary) => row.crawl_id}
      empty=${html`<${Empty} title="No site was crawled yet">
        <p>Start one in the <a href=${link("/playground", { what: "crawl" })}>playground</a>.</p><//>`} />`;
}

function columnsOf(isOwn: boolean, list: LiveList<CrawlSummary>): Column<CrawlSummary>[] {
  return [
    {
      title: "Entry page",
      isMain: true,
      isWide: true,
      cell: ({ crawl_id, kind, key_id, url, progress }) =>
        html`<a href=${link(`/crawls/${crawl_id}`, isOwn ? {} : { key: key_id })}>${url}</a>${
          kind === "batch" &&
          html`<span class="below faint">Batch of ${count(progress.discovered)} pages</span>`
        }`,
    },
    { title: "State", cell: ({ status }) => html`<${JobMark} state=${status} />` },
    { title: "Pages", cell: ({ progress }) => html`<${ProgressBar} progress=${progress} isShort />` },
    ...(isOwn ? [] : [{ title: "Key", cell: KeyCell }]),
    { title: "Started", cell: ({ started_at }) => html`<${Time} at=${started_at} />` },
    { title: "Duration", isNumber: true, cell: ({ started_at, ended_at }) => took(started_at, ended_at) },
    {
      title: "Actions",
      isActions: true,
      cell: ({ status, crawl_id, url }) =>
        status === "crawling" &&
        html`<${Cancel} kind="crawl" id=${crawl_id} name=${url} onCancelled=${list.renew} isSmall />`,
    },
  ];
}

export const crawlsPage: Page = {
  path: "/crawls",
  title: "Crawls",
  section: "read",
  roles: ["admin", "owner", "key"],
  asKey: ["owner"],
  view: Crawls,
};
