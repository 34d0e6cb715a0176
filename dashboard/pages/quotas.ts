/* The quotas of a key: the fields of the form, and a table of what is used and left. */
import type { VNode } from "preact";
import type { KeyQuotas, QuotaLeft } from "../../services/contracts/quotas.contract.ts";
import { html } from "../html.ts";
import { Field } from "../parts/form.ts";
import { Mark } from "../parts/state.ts";
import { type Column, Table } from "../parts/table.ts";
import { count, Time } from "../parts/time.ts";
import { labels, names, periods } from "./quota-words.ts";

/** A field for each quota and period, under the name that the API uses in refusals. An empty field is no quota. */
export function QuotaFields({ of: quotas }: { of: KeyQuotas }): VNode {
  return html`${periods.map(
    period => html`<fieldset class="limits" key=${period}><legend>Quotas per ${period}</legend>
      ${names.map(
        name =>
          html`<${Field} key=${name} label=${labels[name]}><input name="quotas.${period}.${name}" type="number" class="number" min="0" step="1" placeholder="none" value=${quotas[period][name] ?? ""} /><//>`,
      )}</fieldset>`,
  )}<p class="hint">Days and months are in UTC. Leave a field empty for no quota; 0 allows nothing.</p>`;
}

const columns: Column<QuotaLeft>[] = [
  { title: "Quota", isMain: true, cell: ({ name, period }) => `${labels[name]}, ${period}` },
  {
    title: "Used",
    isNumber: true,
    cell: ({ used, limit }) => html`${count(used)} <span class="faint">of ${count(limit)}</span>`,
  },
  { title: "Left", isNumber: true, cell: ({ left }) => count(left) },
  { title: "State", cell: quota => html`<${State} of=${quota} />` },
  { title: "Resets", cell: ({ resets_at }) => html`<${Time} at=${resets_at} />` },
];

const warningShare = 0.8;

function State({ of: { used, limit, left } }: { of: QuotaLeft }): VNode {
  if (left === 0) return html`<${Mark} kind="bad">Used up<//>`;
  return used >= warningShare * limit
    ? html`<${Mark} kind="warn">Nearly used up<//>`
    : html`<${Mark} kind="good">Enough left<//>`;
}

/** A table of what is used and left of each quota; null for a key without quotas. */
export function QuotaTable({ quotas }: { quotas: QuotaLeft[] }): VNode | null {
  if (quotas.length === 0) return null;
  return html`<section class="panel quotas"><h2>Quotas</h2>
    <${Table} caption="Quotas" columns=${columns} rows=${quotas} id=${({ name, period }: QuotaLeft) => `${name} ${period}`} />
  </section>`;
}
