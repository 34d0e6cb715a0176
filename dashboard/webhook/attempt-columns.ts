/* The columns of a list of attempts. */
import type { VNode } from "preact";
import type { Delivery, KeyDelivery } from "../../services/contracts/deliveries.contract.ts";
import { typeName } from "../events/type-names.ts";
import { html } from "../html.ts";
import { Mark, type MarkKind } from "../parts/state.ts";
import type { Column } from "../parts/table.ts";
import { count, Time } from "../parts/time.ts";
import { link } from "../shell/address.ts";

/** `key_id` is there in the list of all keys. */
export type Attempt = Delivery & Partial<Pick<KeyDelivery, "key_id">>;

const outcomes: Record<Delivery["outcome"], [MarkKind, string]> = {
  succeeded: ["good", "Delivered"],
  failed: ["warn", "Failed"],
  dead: ["bad", "Set aside"],
};

const errors: Record<NonNullable<Delivery["error"]>, string> = {
  timeout: "no answer within 5 s",
  connection: "no connection",
  tls: "certificate not valid",
  redirect: "a redirect, which is not followed",
  refused: "address not allowed",
  http: "",
  smtp: "",
};

export function Outcome({ attempt }: { attempt: Delivery }): VNode {
  const [kind, word] = outcomes[attempt.outcome];
  return html`<${Mark} kind=${kind}>${word}<//>`;
}

/** The answer in words: `200`, `500`, `no connection`. */
export function answerOf({ http_status, error }: Delivery): string {
  const words = error === null ? "" : errors[error];
  return [http_status, words].filter(part => part !== null && part !== "").join(", ");
}

export function attemptLink({ id, key_id }: Attempt): string {
  return link(`/deliveries/${id}`, key_id === undefined ? {} : { key: key_id });
}

export const attemptColumns: Column<Attempt>[] = [
  {
    title: "Event",
    isMain: true,
    cell: attempt => html`<a href=${attemptLink(attempt)}>${typeName(attempt.type)}</a>
      <span class="below faint"><code class="breaks">${attempt.event_id}</code></span>`,
  },
  { title: "Outcome", cell: attempt => html`<${Outcome} attempt=${attempt} />` },
  { title: "Answer", cell: answerOf },
  { title: "Attempt", isNumber: true, cell: ({ attempt }) => count(attempt) },
  { title: "Duration", isNumber: true, cell: ({ duration_ms }) => `${count(Math.round(duration_ms))} ms` },
  { title: "When", cell: ({ at }) => html`<${Time} at=${at} />` },
];
