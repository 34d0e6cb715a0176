/* The numbers of a source over time, as a chart, a table and a file. */
import { useSignal } from "@preact/signals";
import type { VNode } from "preact";
import type { SourceDetail } from "../../services/contracts/history.contract.ts";
import { html } from "../html.ts";
import { save } from "../parts/download.ts";
import { LineChart, numberText } from "../parts/line-chart.ts";
import { Empty, Problem, Waiting } from "../parts/state.ts";
import { Table } from "../parts/table.ts";
import { exactTime } from "../parts/time.ts";
import { toast } from "../parts/toast.ts";
import { query, setQuery } from "../shell/address.ts";
import { get, open } from "../shell/client.ts";
import { useLive } from "../shell/live.ts";
import { valueText } from "./source-facts.ts";

/** A value, and when it was first and last seen. */
interface Point {
  at: string;
  until: string | null;
  field: string;
  value: unknown;
}

const spans: [value: string, name: string, days: number][] = [
  ["", "Last 30 days", 30],
  ["7", "Last week", 7],
  ["1", "Last day", 1],
  ["90", "Last 90 days", 90],
  ["365", "Last year", 365],
];

const dayMs = 86_400_000;

export function Values({ source }: { source: SourceDetail }): VNode {
  const path = `/sources/${encodeURIComponent(source.id)}/values`;
  const names = Object.keys(source.values);
  const field = query("field") || names[0] || "value";
  const span = spans.find(([value]) => value === query("span")) ?? spans[0];
  const days = span?.[2] ?? 30;
  const began = useSignal(Date.now());
  const from = new Date(began.value - days * dayMs).toISOString();
  const live = useLive(
    signal => get<{ data: Point[] }>(path, { query: { field, from }, signal }),
    [path, field, from],
    { isKept: true, renewMs: 30_000 },
  );
  const rows = live.data?.data ?? [];
  return html`<div class="filters">
      <${Pick} label="Value" value=${field} options=${names.map(name => [name, nameOf(name)])} onPick=${(name: string) => setQuery({ field: name })} />
      <${Pick} label="Time" value=${span?.[0]} options=${spans} onPick=${(value: string) => setQuery({ span: value })} />
      <div class="filter"><span>File</span><button type="button" onClick=${() => download(path, field, from).catch(toast.failed)}>Download as CSV</button></div>
    </div>
    <${Problem} error=${live.error} />
    ${!live.data && !live.error && html`<${Waiting} lines=${6} />`}
    ${live.data && rows.length === 0 && html`<${Empty} title="No value in this time"><p>A value is kept when it changes, from the first check on.</p><//>`}
    ${rows.length > 0 && html`<${Course} label=${nameOf(field)} rows=${rows} />`}`;
}

export function nameOf(field: string): string {
  return field === "value" ? "The number that is watched" : field;
}

interface PickProps {
  label: string;
  value: string;
  options: [value: string, name: string][];
  onPick: (value: string) => void;
}

function Pick({ label, value, options, onPick }: PickProps): VNode {
  return html`<label class="filter"><span>${label}</span><select onChange=${(event: Event) =>
    onPick((event.currentTarget as HTMLSelectElement).value)}>
    ${options.map(([each, name]) => html`<option key=${each} value=${each} selected=${each === value}>${name}</option>`)}
  </select></label>`;
}

function Course({ label, rows }: { label: string; rows: Point[] }): VNode {
  const points = rows.flatMap(({ at, value }) =>
    typeof value === "number" ? [{ at: Date.parse(at), value }] : [],
  );
  const columns = [
    { title: "From", isMain: true, cell: ({ at }: Point) => exactTime(at) },
    { title: "Value", isNumber: true, cell: ({ value }: Point) => valueText(value) },
    { title: "Seen until", cell: ({ until }: Point) => (until ? exactTime(until) : "now") },
  ];
  return html`${
    points.length > 0 &&
    html`<div class="panel"><${LineChart} label=${label} points=${points} until=${Date.now()} />
      <p class="soft">${spread(points.map(({ value }) => value))}</p></div>`
  }
    <details class="more" open=${points.length === 0}><summary>All values as a table</summary>
      <${Table} caption=${label} columns=${columns} rows=${rows.toReversed()} id=${(row: Point) => row.at} /></details>`;
}

function spread(values: number[]): string {
  return `Lowest ${numberText(Math.min(...values))}, highest ${numberText(Math.max(...values))}.`;
}

async function download(path: string, field: string, from: string): Promise<void> {
  const response = await open("GET", path, { query: { field, from, as: "csv" } });
  save("values.csv", await response.blob());
}
