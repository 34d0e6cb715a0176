/* The list of scrapes, the newest first. */
import type { VNode } from "preact";
import type { ScrapeSummary } from "../../services/contracts/job-lists.contract.ts";
import { html } from "../html.ts";
import { Cancel } from "../jobs/cancel.ts";
import { JobMark, stateChoices, took } from "../jobs/job-marks.ts";
import { KeyCell } from "../jobs/key-cell.ts";
import { Filters, List, type LiveList, useList } from "../parts/list.ts";
import { Empty } from "../parts/state.ts";
import type { Column } from "../parts/table.ts";
import { Time } from "../parts/time.ts";
import { link } from "../shell/address.ts";
import { Head, type Page } from "../shell/page.ts";
import { hasKey } from "../shell/session.ts";

function Scrapes(): VNode {
  const isOwn = hasKey.value;
  const list = useList<ScrapeSummary>(isOwn ? "/web/scrape" : "/internal/scrapes", ["status"]);
  return html`<${Head} title="Scrapes" lead="Pages that were read. Each result goes some time after its end, by default 24 hours.">
      <a class="button is-main" href=${link("/playground")}>Scrape a page</a>
    <//>
    <${Filters} filters=${[{ name: "status", label: "State", options: stateChoices(["pending", "completed", "failed"]) }]} />
    <${List} list=${list} caption="Scrapes" columns=${columnsOf(isOwn, list)} id=${(row: ScrapeSummary) => row.scrape_id}
      empty=${html`<${Empty} title="No page was scraped yet">
        <p>Try one in the <a href=${link("/playground")}>playground</a>: it also shows the lines for your program.</p><//>`} />`;
}

function columnsOf(isOwn: boolean, list: LiveList<ScrapeSummary>): Column<ScrapeSummary>[] {
  return [
    {
      title: "Page",
      isMain: true,
      isWide: true,
      cell: ({ scrape_id, key_id, url }) =>
        html`<a href=${link(`/scrapes/${scrape_id}`, isOwn ? {} : { key: key_id })}>${url || "expired"}</a>`,
    },
    { title: "State", cell: State },
    { title: "Page's status", isNumber: true, cell: ({ status_code }) => status_code },
    ...(isOwn ? [] : [{ title: "Key", cell: KeyCell }]),
    { title: "Started", cell: ({ started_at }) => html`<${Time} at=${started_at} none="not yet" />` },
    { title: "Duration", isNumber: true, cell: ({ started_at, ended_at }) => took(started_at, ended_at) },
    {
      title: "Actions",
      isActions: true,
      cell: ({ status, scrape_id, url }) =>
        status === "pending" &&
        html`<${Cancel} kind="scrape" id=${scrape_id} name=${url} onCancelled=${list.renew} isSmall />`,
    },
  ];
}

function State({ status, status_code, error }: ScrapeSummary): VNode {
  return html`<${JobMark} state=${status} code=${status_code} />
    ${error && html`<span class="below soft breaks" title=${error.code}>${error.message}</span>`}`;
}

export const scrapesPage: Page = {
  path: "/scrapes",
  title: "Scrapes",
  section: "read",
  roles: ["admin", "owner", "key"],
  asKey: ["owner"],
  view: Scrapes,
};
