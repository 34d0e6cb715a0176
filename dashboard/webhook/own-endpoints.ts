/* The endpoints of a key that has several. */
import type { VNode } from "preact";
import type { WebhookState } from "../../services/contracts/endpoint-options.ts";
import { wantedWords } from "../events/wanted-events.ts";
import { html } from "../html.ts";
import { Mark } from "../parts/state.ts";
import { type Column, Table } from "../parts/table.ts";
import { count, Time } from "../parts/time.ts";
import { link } from "../shell/address.ts";
import { markOf, nextWords, receiverOf } from "./endpoint-words.ts";

const columns: Column<WebhookState>[] = [
  {
    title: "Endpoint",
    isMain: true,
    isWide: true,
    cell: ({ id, name, url }) => html`<a class="breaks" href=${link(`/webhook/${id}`)}>${name ?? url}</a>
      ${name && html`<span class="below faint breaks">${url}</span>`}`,
  },
  {
    title: "Status",
    cell: webhook => {
      const [kind, word] = markOf(webhook);
      return html`<${Mark} kind=${kind}>${word}<//>`;
    },
  },
  { title: "Events", cell: webhook => wantedWords(webhook) },
  { title: "Sends to", cell: receiverOf },
  { title: "Waiting", isNumber: true, cell: ({ waiting }) => count(waiting) },
  {
    title: "Next attempt",
    cell: webhook => html`<${Time} at=${webhook.next_attempt_at} none=${nextWords(webhook)} />`,
  },
];

export function OwnEndpoints({ webhooks }: { webhooks: WebhookState[] }): VNode {
  return html`<${Table} caption="Endpoints" columns=${columns} rows=${webhooks} id=${(row: WebhookState) => row.id} />`;
}
