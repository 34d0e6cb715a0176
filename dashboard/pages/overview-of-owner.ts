/* The overview of an owner: its keys and their requests. */
import type { VNode } from "preact";
import { html } from "../html.ts";
import { Bars } from "../parts/chart.ts";
import { sum } from "../parts/chart-shapes.ts";
import { Figures } from "../parts/figures.ts";
import { Empty, Problem, Waiting } from "../parts/state.ts";
import { link } from "../shell/address.ts";
import { Head } from "../shell/page.ts";
import { session } from "../shell/session.ts";
import { useUsage } from "./usage.ts";
import { seriesOf, shortDay, type Usage } from "./usage-data.ts";

export function OwnerOverview(): VNode {
  const usage = useUsage(30);
  return html`<${Head} title="Overview" lead=${html`Keys of <strong class="breaks">${session.value?.owner}</strong>`} />
    <${Problem} error=${usage.error} />
    ${usage.data ? html`<${Shown} usage=${usage.data} />` : !usage.error && html`<${Waiting} lines=${8} />`}`;
}

function Shown({ usage }: { usage: Usage }): VNode {
  if (usage.keys.length === 0)
    return html`<${Empty} title="You have no key yet"><p>A program uses the API with a key. Generate the first one; then choose it as the acting key to see what it has.</p>
      <a class="button is-main" href=${link("/keys")}>To your keys</a><//>`;
  return html`<${Figures} figures=${[
    { name: "Keys", value: usage.keys.length, href: link("/keys") },
    { name: "Requests today", value: usage.total.at(-1) ?? 0, note: "UTC" },
    { name: "Requests in 30 days", value: sum(usage.total), href: link("/usage") },
  ]} />
  <div class="panel"><${Bars} label="Requests per day" columns=${usage.days.map(shortDay)} series=${seriesOf(usage)} /></div>`;
}
