/* The columns of a list of attempts. */
import type { VNode } from "preact";
import type { Delivery, KeyDelivery } from "../../services/contracts/deliveries.contract.ts";
import type { DeliveryFailure } from "../../services/contracts/failure-classes.ts";
import { typeName } from "../events/type-names.ts";
import { html } from "../html.ts";
import { Mark, type MarkKind } from "../parts/state.ts";
import type { Column } from "../parts/table.ts";
import { count, Time } from "../parts/time.ts";
import { link } from "../shell/address.ts";

/** A row of either list. Only the list of all keys has `key_id`. */
export type Attempt = Delivery & Partial<Pick<KeyDelivery, "key_id">>;

const outcomes: Record<Delivery["outcome"], [MarkKind, string]> = {
  succeeded: ["good", "Delivered"],
  failed: ["warn", "Failed"],
  dead: ["bad", "Given up"],
};

const errors: Record<Exclude<DeliveryFailure, `status_${number}` | "smtp">, string> = {
  dns: "the name does not resolve",
  not_allowed: "the address is not allowed",
  refused: "the connection was refused",
  unreachable: "no route leads to the address",
  timeout_connect: "no connection within 5 s",
  tls_expired: "the certificate has expired",
  tls_host: "the certificate is for another name",
  tls_other: "the certificate or the handshake is not valid",
  reset: "the connection broke off",
  timeout_answer: "no complete answer within 5 s",
  malformed: "the answer is not HTTP",
  interrupted: "Magpie ended the attempt; the event is sent again",
  timeout: "no answer in time",
  connection: "no connection",
  tls: "the certificate is not valid",
  destination: "the destination has refused it",
  transform: "its transform failed for the event",
};

export function Outcome({ attempt }: { attempt: Delivery }): VNode {
  const [kind, word] = outcomes[attempt.outcome];
  return html`<${Mark} kind=${kind}>${word}<//>`;
}

/** Describes a failure; empty where the status or the answer of SMTP says enough. */
function wordsOf(error: string | null): string {
  return error !== null && Object.hasOwn(errors, error) ? errors[error as keyof typeof errors] : "";
}

/** The answer in words: `200`, `500`, `the certificate has expired`. */
export function answerOf({ http_status, error }: Delivery): string {
  const isRedirect = http_status !== null && http_status >= 300 && http_status < 400;
  const words = isRedirect ? "a redirect, which is not followed" : wordsOf(error);
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
      <span class="below faint breaks">${attempt.url}</span>`,
  },
  { title: "Outcome", isShort: true, cell: attempt => html`<${Outcome} attempt=${attempt} />` },
  { title: "Answer", isShort: true, cell: answerOf },
  { title: "Attempt", isShort: true, isNumber: true, cell: ({ attempt }) => count(attempt) },
  {
    title: "Duration",
    isShort: true,
    isNumber: true,
    cell: ({ duration_ms }) => `${count(Math.round(duration_ms))} ms`,
  },
  { title: "When", isShort: true, cell: ({ at }) => html`<${Time} at=${at} />` },
];
