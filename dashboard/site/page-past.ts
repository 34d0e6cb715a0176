/* One page of a site: how its visits go, and what it said. */
import type { VNode } from "preact";
import type { SourceDetail } from "../../services/contracts/history.contract.ts";
import type { WatchedPage } from "../../services/contracts/site-pages.contract.ts";
import { html } from "../html.ts";
import { outside } from "../parts/markdown.ts";
import { Problem } from "../parts/state.ts";
import { Time } from "../parts/time.ts";
import { path as here, link } from "../shell/address.ts";
import { get } from "../shell/client.ts";
import { useLive } from "../shell/live.ts";
import { Versions } from "../source/versions.ts";
import { PageMark } from "./page-state.ts";

interface PastProps {
  source: SourceDetail;
  path: string;
  url: string;
}

export function PagePast({ source, path, url }: PastProps): VNode {
  const live = useLive(
    signal => get<{ data: WatchedPage[] }>(`${path}/pages`, { query: { prefix: url, limit: 100 }, signal }),
    [path, url],
    { isKept: true, renewMs: 15_000 },
  );
  const page = live.data?.data.find(each => each.url === url);
  const address = outside(url);
  return html`<div class="part-head"><h2 class="breaks">${page?.title || url}</h2>
      <a class="button is-small" href=${link(here.value, { view: "pages" })}>All pages</a></div>
    ${address && html`<p class="part-lead"><a class="breaks" href=${address} target="_blank" rel="noopener noreferrer">${address}</a></p>`}
    <${Problem} error=${live.error} />
    ${page && html`<${Visits} page=${page} begun=${source.tracked_at} />`}
    <${Versions} key=${url} source=${source} item=${url} />`;
}

function Visits({ page, begun }: { page: WatchedPage; begun: string }): VNode {
  const { found_at, visited_at, changed_at, moved_to, next_visit_at } = page;
  return html`<dl class="facts page-facts">
    <div><dt>State</dt><dd><${PageMark} page=${page} begun=${begun} /></dd></div>
    <div><dt>Latest change</dt><dd><${Time} at=${changed_at} none="none yet" /></dd></div>
    <div><dt>Last visit</dt><dd><${Time} at=${visited_at} none="not yet" /></dd></div>
    <div><dt>Next visit</dt><dd><${Time} at=${next_visit_at} none="none" /></dd></div>
    <div><dt>Found</dt><dd><${Time} at=${found_at} /></dd></div>
    ${moved_to && html`<div class="is-wide"><dt>Now at</dt><dd><a class="breaks" href=${link(here.value, { view: "pages", page: moved_to })}>${moved_to}</a></dd></div>`}
  </dl>`;
}
