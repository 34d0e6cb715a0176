/* Every attempt to deliver: of the acting key, or of all keys for an administrator who has chosen none. */
import type { VNode } from "preact";
import { html } from "../html.ts";
import { KeyName } from "../jobs/key-cell.ts";
import { Filters, List, useList } from "../parts/list.ts";
import { Empty } from "../parts/state.ts";
import type { Column } from "../parts/table.ts";
import { link } from "../shell/address.ts";
import { Head, type Page } from "../shell/page.ts";
import { hasKey } from "../shell/session.ts";
import { type Attempt, attemptColumns } from "../webhook/attempt-columns.ts";

const outcome = {
  name: "status",
  label: "Outcome",
  options: [
    ["", "Any outcome"],
    ["succeeded", "Delivered"],
    ["failed", "Failed"],
    ["dead", "Given up"],
  ],
};

const whose: Column<Attempt> = {
  title: "Key",
  isShort: true,
  cell: ({ key_id = "" }) =>
    html`<a class="breaks" href=${link("/webhook", { key: key_id })} title=${key_id}><${KeyName} id=${key_id} /></a>`,
};

function Deliveries(): VNode {
  const isOwn = hasKey.value;
  const names = isOwn ? ["event_id", "status"] : ["status"];
  const list = useList<Attempt>(isOwn ? "/webhook/deliveries" : "/internal/deliveries", names);
  return html`<${Head} title="Deliveries" lead="Every attempt to deliver an event, the newest first." />
    <${Filters} filters=${isOwn ? [{ name: "event_id", label: "Event id" }, outcome] : [outcome]} />
    <${List} list=${list} caption="Attempts" columns=${isOwn ? attemptColumns : [...attemptColumns, whose]}
      id=${(row: Attempt) => row.id} empty=${html`<${None} isOwn=${isOwn} />`} />`;
}

function None({ isOwn }: { isOwn: boolean }): VNode {
  if (!isOwn)
    return html`<${Empty} title="Nothing was sent yet"><p>No event was sent to an endpoint of any key.</p><//>`;
  return html`<${Empty} title="Nothing was sent yet">
    <p>Register an endpoint and <a href=${link("/webhook")}>send a test event</a> to it.</p>
  <//>`;
}

export const deliveriesPage: Page = {
  path: "/deliveries",
  title: "Deliveries",
  section: "deliver",
  roles: ["admin", "owner", "key"],
  asKey: ["owner"],
  view: Deliveries,
};
