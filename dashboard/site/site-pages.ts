/*
 * The tab of a site's pages: how far the first visits are, the tree of what changed where and when, pages of one state as a
 * list, or one page with its past. The address has what is chosen: `page`, `state`, `since`.
 */
import type { VNode } from "preact";
import type { SourceDetail } from "../../services/contracts/history.contract.ts";
import type { SiteSummary, WatchedPage } from "../../services/contracts/site-pages.contract.ts";
import { html } from "../html.ts";
import { Choice, List, useList } from "../parts/list.ts";
import { Empty } from "../parts/state.ts";
import type { Column } from "../parts/table.ts";
import { count, plural, Time } from "../parts/time.ts";
import { path as here, link, query } from "../shell/address.ts";
import { PagePast } from "./page-past.ts";
import { PageMark, pageStates } from "./page-state.ts";
import { SiteTree } from "./site-tree.ts";

export function SitePages({ source }: { source: SourceDetail }): VNode {
  const path = `/sources/${encodeURIComponent(source.id)}`;
  const url = query("page");
  if (url !== "") return html`<${PagePast} source=${source} path=${path} url=${url} />`;
  const { site } = source;
  return html`${site && html`<${Baseline} site=${site} />`}
    <div class="filters">
      <${Choice} name="since" label="What has changed" options=${spans} />
      <${Choice} name="state" label="State" options=${states(site)} />
    </div>
    ${query("state") === "" ? html`<${SiteTree} path=${path} since=${sinceOf(query("since"))} begun=${source.tracked_at} />` : html`<${PagesOfState} path=${path} begun=${source.tracked_at} />`}`;
}

const spans: [string, string][] = [
  ["", "All pages"],
  ["1", "In the last day"],
  ["7", "In the last week"],
  ["30", "In the last month"],
];

const dayMs = 86_400_000;

/** The beginning of a span, by the hour: a level is not asked for anew with every second. */
function sinceOf(days: string): string {
  if (!/^\d{1,3}$/.test(days)) return "";
  const hourMs = 3_600_000;
  return new Date(Math.floor(Date.now() / hourMs) * hourMs - Number(days) * dayMs).toISOString();
}

function states(site: SiteSummary | undefined): [string, string][] {
  const named = Object.entries(pageStates).map(([state, [, word]]): [string, string] => {
    const pages = site?.states[state as WatchedPage["state"]];
    return [state, pages === undefined ? word : `${word} (${count(pages)})`];
  });
  return [["", "As a tree"], ...named];
}

/** The first visits, which make no events, and how far they are. */
function Baseline({ site: { pages, states, baseline } }: { site: SiteSummary }): VNode | null {
  if (!baseline) return null;
  const read = pages - states.new;
  return html`<section class="panel baseline" aria-label="First visits">
    <p><strong>Its pages are being read for the first time.</strong> <span class="soft">That makes no events. Changes are told from then on.</span></p>
    <progress max=${Math.max(pages, 1)} value=${read} aria-label="Pages that are read"></progress>
    <p class="number soft">${count(read)} of ${plural(pages, "page")} so far</p>
  </section>`;
}

const columnsOf = (begun: string): Column<WatchedPage>[] => [
  {
    title: "Page",
    isMain: true,
    isWide: true,
    cell: ({ url, title, moved_to }) =>
      html`<a class="breaks" href=${link(here.value, { view: "pages", page: url })}>${title || url}</a><span class="below faint breaks">${url}</span>
        ${moved_to && html`<span class="below soft breaks">now at ${moved_to}</span>`}`,
  },
  { title: "State", cell: page => html`<${PageMark} page=${page} begun=${begun} />` },
  { title: "Changed", cell: ({ changed_at }) => html`<${Time} at=${changed_at} none="never" />` },
  { title: "Last visit", cell: ({ visited_at }) => html`<${Time} at=${visited_at} none="not yet" />` },
  { title: "Next visit", cell: ({ next_visit_at }) => html`<${Time} at=${next_visit_at} none="none" />` },
];

function PagesOfState({ path, begun }: { path: string; begun: string }): VNode {
  const since = sinceOf(query("since"));
  const list = useList<WatchedPage>(`${path}/pages`, ["state"], { changed_since: since });
  return html`<${List} list=${list} caption="Pages" columns=${columnsOf(begun)} id=${(row: WatchedPage) => row.url}
    empty=${html`<${Empty} title="No page" />`} />`;
}
