/* The administrator's overview. */
import type { VNode } from "preact";
import type { LaneSummary } from "../../services/contracts/admin.contract.ts";
import type { Overview } from "../../services/contracts/overview.contract.ts";
import type { SourceSummary } from "../../services/contracts/source-lists.contract.ts";
import { html } from "../html.ts";
import { Rate } from "../parts/chart.ts";
import { sum } from "../parts/chart-shapes.ts";
import { Figures } from "../parts/figures.ts";
import { Empty, Mark, type MarkKind, Problem, Waiting } from "../parts/state.ts";
import { type Column, Table } from "../parts/table.ts";
import { plural } from "../parts/time.ts";
import { link } from "../shell/address.ts";
import { get } from "../shell/client.ts";
import { useLive } from "../shell/live.ts";
import { Head } from "../shell/page.ts";

type Part = Overview["parts"][number];

export function ServiceOverview(): VNode {
  const overview = useLive(
    signal => get<{ data: Overview }>("/internal/overview", { signal }).then(({ data }) => data),
    [],
  );
  return html`<${Head} title="Overview" lead=${html`<${Summary} state=${overview.data} />`} />
    <${Problem} error=${overview.error} />
    ${overview.data ? html`<${Shown} state=${overview.data} />` : !overview.error && html`<${Waiting} lines=${10} />`}`;
}

/** Says in one line whether the service works. Screen readers read it when it changes. */
function Summary({ state }: { state: Overview | undefined }): VNode {
  const troubled = state?.parts.filter(({ problem }) => problem !== null).length ?? 0;
  const behind = state ? behindOf(state.counts) : 0;
  const [kind, text]: [MarkKind, string] = !state
    ? ["quiet", "Loading …"]
    : !state.ready
      ? ["bad", "The service is not ready"]
      : troubled > 0
        ? ["warn", `Works, but ${plural(troubled, "part needs", "parts need")} attention`]
        : behind > 0
          ? [
              "warn",
              `The service works; ${plural(behind, "webhook or source needs", "webhooks or sources need")} attention`,
            ]
          : ["good", "Everything works"];
  return html`<span role="status"><${Mark} kind=${kind}>${text}<//></span>`;
}

function Shown({ state }: { state: Overview }): VNode {
  const { counts, rates, parts } = state;
  const problems = parts.filter(({ problem }) => problem !== null);
  return html`
    ${problems.length > 0 && html`<ul class="problems">${problems.map(({ name, problem, status }) => html`<li key=${name} class=${status === "degraded" ? "is-warn" : "is-bad"}><strong>${name}</strong> ${problem}</li>`)}</ul>`}
    ${behindOf(counts) > 0 && html`<${Attention} />`}
    <${Figures} figures=${[
      { name: "Keys", value: counts.keys, href: link("/keys") },
      {
        name: "Sources",
        value: counts.sources,
        href: link("/sources"),
        note:
          !!counts.sources_failing &&
          html`<a href=${link("/sources", { health: "failing" })}>${plural(counts.sources_failing, "fails", "fail")}</a>`,
      },
      {
        name: "Webhooks",
        value: counts.endpoints,
        href: link("/webhook"),
        note: !!counts.endpoints_failed && html`<${Mark} kind="bad">${counts.endpoints_failed} failed<//>`,
      },
      {
        name: "Events waiting",
        value: counts.events_waiting,
        href: link("/deliveries"),
        note: "to be delivered",
      },
      {
        name: "Scrapes running",
        value: counts.scrapes_running,
        href: link("/scrapes"),
        note: counts.scrapes_waiting !== null && `${counts.scrapes_waiting} waiting`,
      },
      { name: "Crawls running", value: counts.crawls_running, href: link("/crawls") },
    ]} />
    ${counts.sources === 0 && sum(rates.series.requests) === 0 && html`<${FirstSteps} />`}
    <h2 class="section">The last hour</h2>
    <div class="rates">
      ${series.map(
        ([name, title]) =>
          html`<${Rate} key=${name} title=${title} values=${rates.series[name]} from=${rates.from} stepS=${rates.step_s} isBad=${name === "failed"} />`,
      )}
    </div>
    <h2 class="section">Parts of the service</h2>
    <ul class="service-parts">${parts.map(({ name, status }) => html`<li key=${name}><span>${name}</span><${Mark} kind=${kinds[status]}>${status}<//></li>`)}</ul>
    ${state.nodes.length > 1 && html`<h2 class="section">Nodes</h2><${Table} caption="Nodes of the cluster" columns=${nodeColumns} rows=${state.nodes} id=${({ id }: Node) => id} />`}`;
}

/** Webhooks and sources that somebody has to look after. */
function behindOf({ endpoints_failed, sources_failing }: Overview["counts"]): number {
  return (endpoints_failed ?? 0) + (sources_failing ?? 0);
}

/** How many of a kind are listed; the rest is behind a link. */
const mostListed = 5;

function Attention(): VNode {
  const live = useLive(async signal => {
    const [lanes, sources] = await Promise.all([
      get<{ data: LaneSummary[] }>("/internal/lanes", {
        query: { status: "FAILED", limit: mostListed + 1 },
        signal,
      }),
      get<{ data: SourceSummary[] }>("/internal/sources", {
        query: { health: "failing", limit: mostListed + 1 },
        signal,
      }),
    ]);
    return { lanes: lanes.data, sources: sources.data };
  }, []);
  const { lanes, sources } = live.data ?? { lanes: [], sources: [] };
  return html`<section aria-labelledby="attention"><h2 class="section" id="attention">Needs attention</h2>
    <${Problem} error=${live.error} />
    <ul class="problems">
      ${lanes.slice(0, mostListed).map(
        ({ webhook_id, key_id, url, failures, waiting }) =>
          html`<li key=${webhook_id} class="is-bad"><a href=${link(`/webhook/${webhook_id}`, { key: key_id })}>${url}</a>${" "}
          has failed ${plural(failures, "time")} in a row and gets nothing more; ${plural(waiting, "event waits", "events wait")}.</li>`,
      )}
      ${lanes.length > mostListed && html`<li key="lanes" class="is-bad"><a href=${link("/webhook", { status: "FAILED" })}>All webhooks that failed</a></li>`}
      ${sources
        .slice(0, mostListed)
        .map(
          ({ id, name, problem }) =>
            html`<li key=${id} class="is-warn"><a href=${link(`/sources/${id}`)}>${name}</a> ${problem}</li>`,
        )}
      ${sources.length > mostListed && html`<li key="sources" class="is-warn"><a href=${link("/sources", { health: "failing" })}>All sources that fail</a></li>`}
    </ul></section>`;
}

/** First steps, for a service that nobody has used yet. */
function FirstSteps(): VNode {
  return html`<${Empty} title="Nothing has happened here yet">
    <p><a href=${link("/owners")}>Invite an owner</a> or <a href=${link("/keys")}>generate a key</a>, then choose it as the acting key: read a page in the <a href=${link("/playground")}>playground</a>, or <a href=${link("/sources")}>track a feed</a>.</p>
  <//>`;
}

const series: [keyof Overview["rates"]["series"], string][] = [
  ["requests", "Requests"],
  ["events", "Events"],
  ["delivered", "Deliveries"],
  ["failed", "Failed deliveries"],
  ["polls", "Polls"],
  ["scrapes", "Scrapes"],
];

const kinds: Record<Part["status"], MarkKind> = { ready: "good", degraded: "warn", unavailable: "bad" };

type Node = Overview["nodes"][number];

const nodeColumns: Column<Node>[] = [
  { title: "Node", isMain: true, cell: ({ id }) => html`<code>${id}</code>` },
  { title: "Services", isWide: true, cell: ({ services }) => services.join(", ") },
  {
    title: "Status",
    cell: ({ answered }) =>
      html`<${Mark} kind=${answered ? "good" : "bad"}>${answered ? "answers" : "does not answer"}<//>`,
  },
];
