/* The checks of a source with their reasons: why a watch fired, and why it did not. */
import type { VNode } from "preact";
import type { Check } from "../../services/contracts/history.contract.ts";
import { html } from "../html.ts";
import { Filters, List, useList } from "../parts/list.ts";
import { Empty, Mark, type MarkKind } from "../parts/state.ts";
import type { Column } from "../parts/table.ts";
import { count, plural, Time } from "../parts/time.ts";
import { link } from "../shell/address.ts";

const outcomes: Record<Check["outcome"], [MarkKind, string]> = {
  same: ["quiet", "Same"],
  changed: ["good", "Changed"],
  held: ["warn", "Held back"],
  muted: ["quiet", "Muted"],
  failed: ["bad", "Failed"],
};

export function OutcomeMark({ of }: { of: Check["outcome"] }): VNode {
  const [kind, word] = outcomes[of];
  return html`<${Mark} kind=${kind}>${word}<//>`;
}

const filters = [
  {
    name: "outcome",
    label: "Outcome",
    options: [["", "Any outcome"], ...Object.entries(outcomes).map(([value, [, word]]) => [value, word])],
  },
];

export function CheckRuns({ id }: { id: string }): VNode {
  const path = `/sources/${encodeURIComponent(id)}`;
  const list = useList<Check>(`${path}/checks`, ["outcome"]);
  const columns: Column<Check>[] = [
    { title: "Outcome", isMain: true, cell: check => html`<${OutcomeMark} of=${check.outcome} />` },
    { title: "Why", isWide: true, cell: ({ reason }) => reason },
    { title: "When", cell: when },
    { title: "Answer", cell: answer },
    { title: "Took", isNumber: true, cell: ({ took_ms }) => `${count(took_ms)} ms` },
    { title: "Found", cell: check => found(id, check) },
  ];
  return html`<p class="soft part-lead">Each row says what came of a check, and why it made an event or none. Equal checks in a row are one row.</p>
    <${Filters} filters=${filters} />
    <${List} list=${list} caption="Checks" columns=${columns} id=${(row: Check) => `${row.since} ${row.outcome}`}
      empty=${html`<${Empty} title="No check yet"><p>The first check learns what is there. From the second one on, changes are told.</p><//>`} />`;
}

function when({ at, since, checks }: Check): VNode {
  if (checks === 1) return html`<${Time} at=${at} />`;
  return html`<${Time} at=${at} /><span class="below soft">${plural(checks, "time")}, the first <${Time} at=${since} /></span>`;
}

function answer({ status, engine }: Check): string {
  const how = engine === "browser" ? "in a browser" : "";
  return [status, how].filter(part => part !== null && part !== "").join(", ") || "none";
}

function found(id: string, { version, outcome }: Check): VNode | string {
  if (version === null) return "";
  const words = outcome === "same" ? "The version" : "The difference";
  const all = outcome === "same" || outcome === "muted" ? "1" : null;
  return html`<a class="whole" href=${link(`/sources/${id}`, { view: "changes", to: version, all })}>${words}</a>`;
}
