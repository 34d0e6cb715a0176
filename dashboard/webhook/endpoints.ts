/* The endpoints of all keys, for an administrator. */
import type { VNode } from "preact";
import type { LaneSummary } from "../../services/contracts/admin.contract.ts";
import { html } from "../html.ts";
import { KeyName } from "../jobs/key-cell.ts";
import { Filters, List, useList } from "../parts/list.ts";
import { Empty, Mark } from "../parts/state.ts";
import type { Column } from "../parts/table.ts";
import { count, Time } from "../parts/time.ts";
import { link } from "../shell/address.ts";
import { Head } from "../shell/page.ts";
import { markOf, nextWords } from "./endpoint-words.ts";

const columns: Column<LaneSummary>[] = [
  {
    title: "Endpoint",
    isMain: true,
    isWide: true,
    cell: ({
      url,
      key_id,
      webhook_id,
    }) => html`<a class="breaks" href=${link(`/webhook/${webhook_id}`, { key: key_id })}>${url}</a>
      <span class="below faint">Key <${KeyName} id=${key_id} /></span>`,
  },
  {
    title: "Status",
    cell: row => {
      const [kind, word] = markOf(row);
      return html`<${Mark} kind=${kind}>${word}<//>`;
    },
  },
  { title: "Waiting", isNumber: true, cell: ({ waiting }) => count(waiting) },
  { title: "Failed in a row", isNumber: true, cell: ({ failures }) => count(failures) },
  {
    title: "Next attempt",
    cell: row => html`<${Time} at=${row.next_attempt_at} none=${nextWords(row)} />`,
  },
];

export function Endpoints(): VNode {
  const list = useList<LaneSummary>("/internal/lanes", ["status"]);
  return html`<${Head} title="Webhooks" lead="The endpoints of all keys. Open one to see its attempts and to make it active.">
      <a class="button is-main" href=${link("/webhook", { add: "1" })}>Add an endpoint</a>
    <//>
    <${Filters} filters=${[
      {
        name: "status",
        label: "Status",
        options: [
          ["", "Any status"],
          ["ACTIVE", "Active"],
          ["FAILED", "Failed"],
          ["UNCONFIRMED", "Not confirmed yet"],
        ],
      },
    ]} />
    <${List} list=${list} caption="Endpoints" columns=${columns} id=${(row: LaneSummary) => row.webhook_id}
      empty=${html`<${Empty} title="No key has an endpoint"><p>An endpoint is where the events of a key are sent.</p><//>`} />`;
}
