/* Requests per day, by key. */
import type { VNode } from "preact";
import { html } from "../html.ts";
import { Bars } from "../parts/chart.ts";
import { sum } from "../parts/chart-shapes.ts";
import { Choice } from "../parts/list.ts";
import { Empty, Problem, Waiting } from "../parts/state.ts";
import { type Column, Table } from "../parts/table.ts";
import { count } from "../parts/time.ts";
import { query } from "../shell/address.ts";
import { get } from "../shell/client.ts";
import { type Live, useLive } from "../shell/live.ts";
import { Head, type Page } from "../shell/page.ts";
import { actingKey, hasKey, role } from "../shell/session.ts";
import { type DayCount, deleted, lastDays, seriesOf, shortDay, type Usage, usageOf } from "./usage-data.ts";

const choices: [string, string][] = [
  ["7", "7 days"],
  ["", "30 days"],
  ["90", "90 days"],
];

function UsagePage(): VNode {
  const days = Number(query("days")) || 30;
  const usage = useUsage(days);
  return html`<${Head} title="Usage" lead=${hasKey.value ? "Requests of this key, per day (UTC)." : "Requests of all keys, per day (UTC)."} />
    <div class="filters"><${Choice} name="days" label="Period" options=${choices} /></div>
    <${Problem} error=${usage.error} />
    ${usage.data ? html`<${Shown} usage=${usage.data} />` : !usage.error && html`<${Waiting} lines=${8} />`}`;
}

/** Loads the usage that the signed-in person may see: of the acting key, of an owner's keys, or of all keys. */
export function useUsage(days: number): Live<Usage> {
  return useLive(signal => askUsage(days, signal), [days, role.value, actingKey.value], {
    isKept: true,
    renewMs: 10_000,
  });
}

async function askUsage(days: number, signal: AbortSignal): Promise<Usage> {
  const query = { days };
  const range = lastDays(days, Date.now());
  if (hasKey.value) {
    const [me, counts] = await Promise.all([
      get<{ data: { key: { id: string; name: string }; owner: string } }>("/users/me", { signal }),
      get<{ data: DayCount[] }>("/users/me/usage", { query, signal }),
    ]);
    return usageOf([{ ...me.data.key, owner: me.data.owner, counts: counts.data }], range);
  }
  if (role.value === "admin") return (await get<{ data: Usage }>("/internal/usage", { query, signal })).data;
  const keys = await get<{ data: { id: string; name: string }[] }>("/owner/keys", { signal });
  const counted = keys.data.map(async ({ id, name }) => {
    const { data } = await get<{ data: DayCount[] }>(`/owner/keys/${encodeURIComponent(id)}/usage`, {
      query,
      signal,
    });
    return { id, name, owner: "", counts: data };
  });
  return usageOf(await Promise.all(counted), range);
}

function Shown({ usage }: { usage: Usage }): VNode {
  const series = seriesOf(usage);
  if (sum(usage.total) === 0)
    return html`<${Empty} title="No requests in this period">
      <p>Each request with an API key counts. The <a href="/guide/quickstart">quickstart</a> shows how to send one.</p><//>`;
  const rows = usage.keys.map((key, at) => ({ ...key, at, total: sum(key.requests) }));
  const isAdmin = role.value === "admin" && !hasKey.value;
  const columns: Column<(typeof rows)[number]>[] = [
    {
      title: "Key",
      isMain: true,
      cell: ({ name, at }) =>
        html`<span class="swatch series-${Math.min(at + 1, series.length)}"></span>${name ?? deleted}`,
    },
    ...(isAdmin ? [{ title: "Owner", cell: ({ owner }: { owner: string | null }) => owner ?? "" }] : []),
    { title: "Today", isNumber: true, cell: ({ requests }) => count(requests.at(-1) ?? 0) },
    { title: "Total", isNumber: true, cell: ({ total }) => count(total) },
    {
      title: "Share",
      isNumber: true,
      cell: ({ total }) => `${Math.round((total / sum(usage.total)) * 100)} %`,
    },
  ];
  return html`<div class="panel usage-chart"><${Bars} label="Requests per day" columns=${usage.days.map(shortDay)} series=${series} /></div>
    <h2>By key</h2>
    <${Table} caption="Requests by key" columns=${columns} rows=${rows} id=${(row: { key_id: string }) => row.key_id} />
    <details class="more"><summary>By day</summary><${ByDay} usage=${usage} /></details>`;
}

/** A table with every number of the chart. */
function ByDay({ usage }: { usage: Usage }): VNode {
  const series = seriesOf(usage);
  const rows = usage.days.map((day, at) => ({ day, at })).reverse();
  const columns: Column<(typeof rows)[number]>[] = [
    { title: "Day", isMain: true, cell: ({ day }) => html`<time datetime=${day}>${day}</time>` },
    { title: "All", isNumber: true, cell: ({ at }) => count(usage.total[at] ?? 0) },
    ...series.map(({ name, values }, index) => ({
      title: `${index + 1}. ${name}`,
      isNumber: true,
      cell: ({ at }: { at: number }) => count(values[at] ?? 0),
    })),
  ];
  return html`<${Table} caption="Requests by day" columns=${columns} rows=${rows} id=${(row: { day: string }) => row.day} />`;
}

export const usagePage: Page = {
  path: "/usage",
  title: "Usage",
  section: "home",
  roles: ["admin", "owner", "key"],
  view: UsagePage,
};
