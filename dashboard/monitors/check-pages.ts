/* A check of a monitor: its pages, each with what became of it. The address has the check and the filter. */
import type { VNode } from "preact";
import type { Monitor, MonitorCheckDetail, MonitorPage } from "../../services/contracts/monitors.contract.ts";
import { verdictIn } from "../events/happened.ts";
import { Judged } from "../events/judged.ts";
import { html } from "../html.ts";
import { Choice, List, type Page } from "../parts/list.ts";
import { outside } from "../parts/markdown.ts";
import { Empty, Problem } from "../parts/state.ts";
import type { Column } from "../parts/table.ts";
import { exactTime } from "../parts/time.ts";
import { link, query, setQuery } from "../shell/address.ts";
import { get } from "../shell/client.ts";
import { useLive } from "../shell/live.ts";
import { CheckMark, countWords, PageMark, pageMarks } from "./monitor-words.ts";

const statuses: [string, string][] = [
  ["", "Any state"],
  ...Object.entries(pageMarks).map(([value, [, word]]): [string, string] => [value, word]),
];

export function CheckPages({ path, monitor }: { path: string; monitor: Monitor }): VNode {
  const check = query("check");
  const parameters = { limit: 50, status: query("status"), cursor: query("cursor") };
  const live = useLive(
    signal =>
      get<{ data: MonitorCheckDetail }>(`${path}/checks/${encodeURIComponent(check)}`, {
        query: parameters,
        signal,
      }),
    [path, check, JSON.stringify(parameters)],
    { isKept: true },
  );
  const found = live.data?.data;
  const data: Page<MonitorPage> | undefined = found && { data: found.pages, next_cursor: found.next_cursor };
  const words = found && countWords(found.counts);
  return html`<section class="part" aria-labelledby="check">
    <div class="part-head"><h2 id="check">${found ? `The check of ${exactTime(found.started_at)}` : "The check"}</h2>
      <button type="button" class="is-small" onClick=${() => setQuery({ check: null, status: null, cursor: null })}>All checks</button></div>
    ${found && html`<p class="part-lead soft"><${CheckMark} status=${found.status} />${words && ` · ${words}`}</p>`}
    ${found?.error && html`<p class="soft">${found.error}</p>`}
    <div class="filters"><${Choice} name="status" label="State" options=${statuses} /></div>
    ${
      data
        ? html`<${List} list=${{ ...live, data, isFiltered: query("status") !== "" }} caption="Pages of the check" columns=${columnsOf(monitor)}
            id=${(row: MonitorPage) => row.id} empty=${html`<${Empty} title="No page"><p>The check has looked at no page.</p><//>`} />`
        : html`<${Problem} error=${live.error} />`
    }
  </section>`;
}

const columnsOf = (monitor: Monitor): Column<MonitorPage>[] => [
  { title: "Page", isMain: true, isWide: true, cell: named },
  { title: "State", cell: page => html`<${PageMark} status=${page.status} />` },
  { title: "What changed", isWide: true, cell: changed },
  { title: "Found", cell: page => past(page, monitor) },
];

function named({ title, url, moved_from }: MonitorPage): VNode {
  const address = outside(url);
  return html`<span class="breaks">${title || url}</span>
    ${address && html`<a class="below breaks" href=${address} target="_blank" rel="noopener noreferrer">${address}</a>`}
    ${moved_from && html`<span class="below faint breaks">before: ${moved_from}</span>`}`;
}

function changed({ change, judgement, error }: MonitorPage): VNode | string {
  if (error) return html`<span class="soft">${error}</span>`;
  const verdict = verdictIn({ judgement });
  const { added = [], removed = [] } = (change ?? {}) as { added?: string[]; removed?: string[] };
  const lines = [
    ...removed.slice(0, 2).map(line => `− ${line}`),
    ...added.slice(0, 2).map(line => `+ ${line}`),
  ];
  return html`${lines.map((line, at) => html`<span key=${at} class="below breaks">${line}</span>`)}
    ${verdict && html`<${Judged} verdict=${verdict} />`}`;
}

/** Leads to the page's past, where something has changed. */
function past(
  { source_id, version, url, status, target }: MonitorPage,
  { targets }: Monitor,
): VNode | string {
  if (source_id === null || version === null || status === "same") return "";
  const isOfSite = targets.find(({ id }) => id === target)?.source === "site";
  const view = isOfSite ? { view: "pages", page: url } : { view: "changes" };
  const href = link(`/sources/${source_id}`, { ...view, to: version });
  return html`<a class="whole" href=${href}>${status === "new" ? "What it says" : "The difference"}</a>`;
}
