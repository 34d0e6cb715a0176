/* The overview of a key: its sources, webhooks, limits and requests. */
import type { VNode } from "preact";
import type { WebhookState } from "../../services/contracts/endpoint-options.ts";
import type { QuotaLeft } from "../../services/contracts/quotas.contract.ts";
import type { TrackedSource } from "../../services/contracts/source-lists.contract.ts";
import { html } from "../html.ts";
import { Bars } from "../parts/chart.ts";
import { sum } from "../parts/chart-shapes.ts";
import { Figures } from "../parts/figures.ts";
import { Mark, Problem, Waiting } from "../parts/state.ts";
import { plural } from "../parts/time.ts";
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

type FailingSource = Pick<TrackedSource, "id" | "name" | "problem">;

interface Found {
  me: Me;
  webhooks: WebhookState[];
  failing: FailingSource[];
  quotas: QuotaLeft[];
  /** Whether the key tracks anything. */
  isTracking: boolean;
}

async function ask(signal: AbortSignal): Promise<Found> {
  const [me, webhooks, failing, usage, first] = await Promise.all([
    get<{ data: Me }>("/users/me", { signal }),
    get<{ data: WebhookState[] }>("/webhooks", { signal }),
    get<{ data: FailingSource[] }>("/track", { query: { health: "failing", limit: 5 }, signal }),
    get<{ quotas: QuotaLeft[] }>("/users/me/usage", { query: { days: 1 }, signal }),
    get<{ data: unknown[] }>("/track", { query: { limit: 1 }, signal }),
  ]);
  return {
    me: me.data,
    webhooks: webhooks.data,
    failing: failing.data,
    quotas: usage.quotas,
    isTracking: first.data.length > 0,
  };
}

export function KeyOverview(): VNode {
  const found = useLive(ask, []);
  const name = found.data?.me.key.name;
  return html`<${Head} title="Overview" lead=${name ? html`Key <strong class="breaks">${name}</strong> of ${found.data?.me.owner}` : html`<span class="faint">Loading …</span>`} />
    <${Problem} error=${found.error} />
    ${found.data ? html`<${Shown} found=${found.data} />` : !found.error && html`<${Waiting} lines=${8} />`}`;
}

function Shown({ found }: { found: Found }): VNode {
  const { me, webhooks, failing, quotas, isTracking } = found;
  const { requestsPerMinute, concurrentScrapes, concurrentCrawls, trackedSources } = me.limits;
  const usage = useUsage(30);
  const isUnused = usage.data !== undefined && sum(usage.data.total) === 0;
  const failed = webhooks.filter(webhook => markOf(webhook)[0] === "bad");
  return html`
    ${
      failing.length + failed.length > 0 &&
      html`<section aria-labelledby="attention"><h2 class="section" id="attention">Needs attention</h2><ul class="problems">
        ${failed.map(
          ({ id, name, url }) =>
            html`<li key=${id} class="is-bad"><a href=${link(`/webhook/${id}`)}>${name ?? url}</a> failed too often and gets nothing more.</li>`,
        )}
        ${failing.map(({ id, name, problem }) => html`<li key=${id} class="is-warn"><a href=${link(`/sources/${id}`)}>${name}</a> ${problem}</li>`)}
      </ul></section>`
    }
    <${Figures} figures=${[
      { name: "Requests today", value: me.requests_today },
      {
        name: "Failing sources",
        value: failing.length,
        href: link("/sources", { health: "failing" }),
      },
      {
        name: "Events waiting",
        value: webhooks.reduce((sum, { waiting }) => sum + waiting, 0),
        href: link("/webhook"),
        note: html`<${Webhooks} all=${webhooks} />`,
      },
    ]} />
    <p class="soft limits-line">This key may make ${plural(requestsPerMinute, "request")} a minute, track ${plural(trackedSources, "source")}, and run ${plural(concurrentScrapes, "scrape")} and ${plural(concurrentCrawls, "crawl")} at a time.</p>
    <${QuotaTable} quotas=${quotas} />
    <${Problem} error=${usage.error} />
    ${(isUnused || (!isTracking && webhooks.length === 0)) && html`<${Steps} isTracking=${isTracking} hasWebhook=${webhooks.length > 0} />`}
    ${
      !isUnused &&
      html`<div class="panel">${
        usage.data
          ? html`<${Bars} label="Requests per day" columns=${usage.data.days.map(shortDay)} series=${seriesOf(usage.data)} />`
          : html`<${Waiting} lines=${8} />`
      }</div>`
    }`;
}

/** What to do with a new key, in place of a chart of nothing. */
function Steps({ isTracking, hasWebhook }: { isTracking: boolean; hasWebhook: boolean }): VNode {
  const steps: [isDone: boolean, step: VNode][] = [
    [
      isTracking,
      html`<a href=${link("/sources", { add: "1" })}>Add a source</a>: a feed, a page, a whole site or an account.`,
    ],
    [false, html`<a href=${link("/events")}>Watch its events</a> as they happen.`],
    [
      hasWebhook,
      html`<a href=${link("/webhook", { add: "1" })}>Add a webhook</a>, so that your program or channel gets them.`,
    ],
    [
      false,
      html`<a href=${link("/playground")}>Scrape a page</a> in the playground, which shows the lines for your program.`,
    ],
  ];
  return html`<section class="panel" aria-labelledby="begin"><h2 id="begin">Get started</h2>
    <ol class="steps">${steps.map(([isDone, step], at) => html`<li key=${at}>${step}${isDone && html` <${Mark} kind="good">done<//>`}</li>`)}</ol></section>`;
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
