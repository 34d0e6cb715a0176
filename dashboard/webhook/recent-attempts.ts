/* The latest attempts of an endpoint. */
import type { VNode } from "preact";
import type { Delivery } from "../../services/contracts/deliveries.contract.ts";
import type { WebhookState } from "../../services/contracts/endpoint-options.ts";
import { html } from "../html.ts";
import { Empty, Problem, Waiting } from "../parts/state.ts";
import { Table } from "../parts/table.ts";
import { link } from "../shell/address.ts";
import { get } from "../shell/client.ts";
import { useLive } from "../shell/live.ts";
import { attemptColumns } from "./attempt-columns.ts";

const shown = 10;

export function RecentAttempts({ webhook }: { webhook: WebhookState }): VNode {
  const live = useLive(
    signal =>
      get<{ data: Delivery[]; next_cursor: string | null }>(`/webhooks/${webhook.id}/deliveries`, {
        query: { limit: shown },
        signal,
      }),
    [webhook.id],
  );
  const attempts = live.data?.data ?? [];
  return html`<section class="part" aria-labelledby="recent">
    <div class="part-head"><h2 id="recent">Latest attempts</h2>
      ${attempts.length > 0 && html`<a href=${link("/deliveries")}>All attempts</a>`}</div>
    <${Problem} error=${live.error} />
    ${!live.data && !live.error && html`<${Waiting} lines=${3} />`}
    ${live.data && attempts.length === 0 && html`<${Empty} title="Nothing was sent yet"><p>${webhook.status === "UNCONFIRMED" ? "Events are sent once the owner of the address agrees." : "Send a test to see whether it arrives."}</p><//>`}
    ${attempts.length > 0 && html`<${Table} caption="Latest attempts" columns=${attemptColumns} rows=${attempts} id=${(row: Delivery) => row.id} />`}
  </section>`;
}
