/* One crawl or batch: its progress, its pages, and those that failed or were skipped. */
import { useSignal } from "@preact/signals";
import type { VNode } from "preact";
import type { CrawlError } from "../../services/contracts/crawler.contract.ts";
import { html } from "../html.ts";
import { Cancel } from "../jobs/cancel.ts";
import { type Crawl, type CrawledPage, mostPages, pagesAsLines, useCrawl } from "../jobs/crawl-pages.ts";
import { JobMark, took } from "../jobs/job-marks.ts";
import { OpenedPage } from "../jobs/opened-page.ts";
import { ProgressBar } from "../jobs/progress-bar.ts";
import { ended } from "../jobs/progress-parts.ts";
import { save } from "../parts/download.ts";
import { List, useList } from "../parts/list.ts";
import { Empty, Mark, Problem, Waiting } from "../parts/state.ts";
import { type Column, Table } from "../parts/table.ts";
import { Tabs } from "../parts/tabs.ts";
import { count, Time } from "../parts/time.ts";
import { toast } from "../parts/toast.ts";
import { link, query, setQuery } from "../shell/address.ts";
import { Head, type Page } from "../shell/page.ts";

function CrawlPage({ id }: { id: string }): VNode {
  const crawl = useCrawl(id);
  const { status } = crawl;
  const isBatch = id.startsWith("bat_");
  return html`<${Head} title=${isBatch ? "Batch" : "Crawl"} lead=${html`<a href=${link("/crawls")}>All crawls</a>`}>
      ${status?.status === "crawling" && html`<${Cancel} kind="crawl" id=${id} name=${isBatch ? "this batch" : "this crawl"} onCancelled=${crawl.renew} />`}
      ${status && status.progress.completed > 0 && html`<${Lines} id=${id} />`}
      ${status && !isBatch && html`<a class="button" href=${link("/playground", { what: "crawl", url: status.url })}>Open in the playground</a>`}
    <//>
    <${Problem} error=${crawl.error} />
    ${!status && !crawl.error && html`<${Waiting} lines=${6} />`}
    ${status && html`<${Progress} status=${status} /><${Views} id=${id} crawl=${crawl} />`}`;
}

function Lines({ id }: { id: string }): VNode {
  const isBusy = useSignal(false);
  const download = async () => {
    if (isBusy.value) return;
    isBusy.value = true;
    await pagesAsLines(id).then(file => save("pages.jsonl", file), toast.failed);
    isBusy.value = false;
  };
  return html`<button type="button" aria-disabled=${isBusy.value} onClick=${download}>Download as JSON Lines</button>`;
}

const reasons: Record<string, string> = {
  finished: "There are no more pages to read.",
  limit: "The limit of pages is reached.",
  quota: "A quota of the key is used up. The pages that were read before are below.",
  cancelled: "It was cancelled. The pages that were read before are below.",
  entry_failed: "The entry page could not be read.",
  given_up: "It failed several times because of errors in this service.",
};

function Progress({ status }: { status: NonNullable<Crawl["status"]> }): VNode {
  const { url, progress, stop_reason, started_at, ended_at, expires_at, error } = status;
  return html`<section class="panel crawl" aria-label="Progress">
    <div class="job-head"><h2 class="breaks">${url}</h2><${JobMark} state=${status.status} /></div>
    <${ProgressBar} progress=${progress} />
    <p class="soft">Started <${Time} at=${started_at} />${
      ended_at &&
      html` · took <span class="number">${took(started_at, ended_at)}</span> · its pages are removed <${Time} at=${expires_at} />`
    }</p>
    ${stop_reason && html`<p class="soft">${reasons[stop_reason]}</p>`}
    ${error && html`<p class="problem">${error.message} <span class="faint"><code>${error.code}</code></span></p>`}
    <p class="unseen" role="status">${status.status === "crawling" ? "" : `The crawl has ended: ${count(ended(progress))} pages.`}</p>
  </section>`;
}

function Views({ id, crawl }: { id: string; crawl: Crawl }): VNode {
  const { failed = 0, skipped = 0, completed = 0 } = crawl.status?.progress ?? {};
  return html`<div class="part"><${Tabs} label="Pages of the crawl" chosen=${query("view")}
    onChoose=${(view: string) => setQuery({ view, cursor: null })} tabs=${[
      {
        name: "pages",
        title: `Read (${count(completed)})`,
        view: () => html`<${Pages} id=${id} crawl=${crawl} />`,
      },
      {
        name: "errors",
        title: `Failed or skipped (${count(failed + skipped)})`,
        view: () => html`<${Errors} id=${id} />`,
      },
    ]} /></div>`;
}

function Pages({ id, crawl }: { id: string; crawl: Crawl }): VNode {
  const opened = useSignal<CrawledPage | undefined>(undefined);
  const { pages, status } = crawl;
  if (pages.length === 0)
    return html`<${Empty} title=${status?.status === "crawling" ? "No page yet" : "No page was read"}>
      <p>${status?.status === "crawling" ? "Pages appear here as they are read." : "The other tab says which pages failed or were skipped, and why."}</p><//>`;
  const columns: Column<CrawledPage>[] = [
    {
      title: "Page",
      isMain: true,
      isWide: true,
      cell: page =>
        html`<button type="button" class="link" aria-haspopup="dialog" onClick=${() => {
          opened.value = page;
        }}>${page.title || page.url}</button><span class="below faint breaks">${page.url}</span>`,
    },
    {
      title: "Status",
      cell: ({ status_code }) =>
        html`<${Mark} kind=${status_code < 400 ? "good" : "warn"}><span class="number">${status_code}</span><//>`,
    },
    { title: "Words", isNumber: true, cell: ({ words }) => (words === undefined ? "" : count(words)) },
  ];
  return html`<${Table} caption="Pages that were read, the latest first" columns=${columns} rows=${pages.toReversed()}
      id=${({ cursor, at }: CrawledPage) => `${cursor} ${at}`} />
    ${pages.length >= mostPages && html`<p class="soft">These are the first ${count(mostPages)} pages. The API has all of them.</p>`}
    ${
      opened.value &&
      html`<${OpenedPage} crawlId=${id} page=${opened.value} onClose=${() => {
        opened.value = undefined;
      }} />`
    }`;
}

const errorColumns: Column<CrawlError>[] = [
  { title: "Page", isMain: true, isWide: true, cell: ({ url }) => url },
  {
    title: "Outcome",
    cell: ({ status, code }) =>
      html`<${Mark} kind=${status === "failed" ? "bad" : "quiet"}>${status === "failed" ? "Failed" : "Skipped"}<//> <code class="faint">${code}</code>`,
  },
  { title: "Why", cell: ({ message }) => message },
];

function Errors({ id }: { id: string }): VNode {
  const list = useList<CrawlError>(`/web/crawl/${encodeURIComponent(id)}/errors`, []);
  return html`<${List} list=${list} caption="Pages that failed or were skipped" columns=${errorColumns}
    id=${(row: CrawlError) => row.url} empty=${html`<${Empty} title="No page failed or was skipped" />`} />`;
}

export const crawlPage: Page = {
  path: "/crawls/:id",
  title: "Crawl",
  roles: ["admin", "owner", "key"],
  asKey: ["admin", "owner"],
  view: CrawlPage,
};
