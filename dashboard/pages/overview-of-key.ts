/* The overview of a key: its sources, webhooks, limits and requests. */
import type { VNode } from "preact";
import type { WebhookState } from "../../services/contracts/endpoint-options.ts";
import type { QuotaLeft } from "../../services/contracts/quotas.contract.ts";
import { html } from "../html.ts";
import { Bars } from "../parts/chart.ts";
import { Figures } from "../parts/figures.ts";
import { Mark, Problem, Waiting } from "../parts/state.ts";
import { count, plural } from "../parts/time.ts";
import { link } from "../shell/address.ts";
import { get } from "../shell/client.ts";
import { useLive } from "../shell/live.ts";
import { Head } from "../shell/page.ts";
import { markOf } from "../webhook/endpoint-words.ts";
import type { Limits } from "./key-forms.ts";
import { QuotaTable } from "./quotas.ts";
import { useUsage } from "./usage.ts";
import { seriesOf, shortDay } from "./usage-data.ts";

interface Me {
  key: { id: string; name: string; key: string };
  owner: string;
  limits: Limits;
  requests_today: number;
}

interface FailingSource {
  iid: string;
  sid: string;
  name?: string | null;
  problem: string | null;
}

interface Found {
  me: Me;
  webhooks: WebhookState[];
  failing: FailingSource[];
  quotas: QuotaLeft[];
}

async function ask(signal: AbortSignal): Promise<Found> {
  const [me, webhooks, failing, usage] = await Promise.all([
    get<{ data: Me }>("/users/me", { signal }),
    get<{ data: WebhookState[] }>("/webhooks", { signal }),
    get<{ data: FailingSource[] }>("/track", { query: { health: "failing", limit: 5 }, signal }),
    get<{ quotas: QuotaLeft[] }>("/users/me/usage", { query: { days: 1 }, signal }),
  ]);
  return { me: me.data, webhooks: webhooks.data, failing: failing.data, quotas: usage.quotas };
}

export function KeyOverview(): VNode {
  const found = useLive(ask, []);
  const name = found.data?.me.key.name;
  return html`<${Head} title="Overview" lead=${name ? html`Key <strong class="breaks">${name}</strong> of ${found.data?.me.owner}` : html`<span class="faint">Loading …</span>`} />
    <${Problem} error=${found.error} />
    ${found.data ? html`<${Shown} found=${found.data} />` : !found.error && html`<${Waiting} lines=${8} />`}`;
}

function Shown({ found: { me, webhooks, failing, quotas } }: { found: Found }): VNode {
  const usage = useUsage(30);
  return html`
    ${failing.length > 0 && html`<ul class="problems">${failing.map(({ iid, sid, name, problem }) => html`<li key=${iid} class="is-warn"><strong class="breaks">${name ?? sid}</strong> ${problem}</li>`)}</ul>`}
    <${Figures} figures=${[
      {
        name: "Requests today",
        value: me.requests_today,
        note: `${count(me.limits.requestsPerMinute)} a minute at most`,
      },
      {
        name: "Failing sources",
        value: failing.length,
        href: link("/sources", { health: "failing" }),
        note: `${count(me.limits.trackedSources)} sources at most`,
      },
      {
        name: "Events waiting",
        value: webhooks.reduce((sum, { waiting }) => sum + waiting, 0),
        href: link("/webhook"),
        note: html`<${Webhooks} all=${webhooks} />`,
      },
      {
        name: "Scrapes at a time",
        value: me.limits.concurrentScrapes,
        note: plural(me.limits.concurrentCrawls, "crawl"),
      },
    ]} />
    <${QuotaTable} quotas=${quotas} />
    <${Problem} error=${usage.error} />
    <div class="panel">${
      usage.data
        ? html`<${Bars} label="Requests per day" columns=${usage.data.days.map(shortDay)} series=${seriesOf(usage.data)} />`
        : html`<${Waiting} lines=${8} />`
    }</div>`;
}

/** Shows the worst state of the endpoints, and how many of them have it. */
function Webhooks({ all }: { all: WebhookState[] }): VNode {
  if (all.length === 0) return html`<a href=${link("/webhook")}>no webhook yet</a>`;
  const marks = all.map(markOf);
  const worst = (["bad", "warn", "good", "quiet"] as const).find(kind =>
    marks.some(([each]) => each === kind),
  );
  const so = marks.filter(([kind]) => kind === worst);
  const [[kind, word] = ["good", ""] as const] = so;
  return html`<${Mark} kind=${kind}>${all.length === 1 ? `webhook ${word.toLowerCase()}` : `${so.length} of ${all.length} webhooks ${word.toLowerCase()}`}<//>`;
}
