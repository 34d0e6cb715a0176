/* How an endpoint gets its events, in its form: order, batches, rate, and what belongs to requests. */
import { useSignal } from "@preact/signals";
import type { VNode } from "preact";
import type { WebhookState } from "../../services/contracts/endpoint-options.ts";
import { html } from "../html.ts";
import { Field } from "../parts/form.ts";
import { headerLines } from "./endpoint-body.ts";
import { type Unit, unitOf } from "./endpoint-words.ts";

interface SendingProps {
  webhook: WebhookState | undefined;
  unit: Unit;
}

const usualMs = 5000;

const titles: Record<Unit, string> = {
  request: "Order, batches, rate, headers, time, signatures",
  mail: "Order, batches, rate",
  file: "Batches, rate, time",
  write: "Order, batches, rate, time",
};

export function SendingFields({ webhook, unit }: SendingProps): VNode {
  // Only the first state: afterwards a person opens and closes the group.
  const isOpen = useSignal(webhook !== undefined && isUnusual(webhook));
  return html`<details class="aim-group" open=${isOpen.value}><summary>${titles[unit]}</summary><div class="form">
    ${
      unit !== "file" &&
      html`<${Field} label="Order" hint="Without an order, events are sent faster, many at a time; seq says which came first.">
      <select name="ordering">
        <option value="conversation" selected=${webhook?.ordering !== "none"}>Within each source or channel</option>
        <option value="none" selected=${webhook?.ordering === "none"}>None</option>
      </select><//>`
    }
    <${Batches} key=${unit} webhook=${webhook} unit=${unit} />
    <${Field} label="Events a second" hint="At most so many; others wait in their order. Empty: no limit.">
      <input name="per_second" type="number" min="0.01" max="1000" step="0.01" defaultValue=${webhook?.rate?.per_second ?? ""} /><//>
    <${Field} label="Events at once" hint="After a pause, before the limit holds. Empty: those of a second.">
      <input name="burst" type="number" min="1" max="1000" defaultValue=${webhook?.rate?.burst ?? ""} /><//>
    ${
      unit === "request" &&
      html`<${Field} label="Headers" hint="Sent with each request, kept encrypted; name: value, one a line.">
      <textarea name="headers" rows="2" defaultValue=${headerLines(webhook)} autocomplete="off" spellcheck=${false}></textarea><//>`
    }
    ${
      unit !== "mail" &&
      html`<${Field} label=${unit === "request" ? "Time for an answer" : `Time for a ${unit}`} hint="Seconds, 1 to 30.">
      <input name="timeout_s" type="number" min="1" max="30" step="0.5" required defaultValue=${(webhook?.timeout_ms ?? usualMs) / 1000} /><//>`
    }
    ${
      unit === "request" &&
      html`<${Field} label="Signatures" hint="A key pair lets a program check deliveries that must not be able to sign them.">
      <select name="asymmetric">
        <option value="no" selected=${!webhook?.asymmetric}>With the secret</option>
        <option value="yes" selected=${webhook?.asymmetric}>With the secret, and with a key pair</option>
      </select><//>`
    }
  </div></details>`;
}

/** Whether an endpoint has what the group would hide. */
function isUnusual(webhook: WebhookState): boolean {
  const { ordering, batch, asymmetric, rate, timeout_ms } = webhook;
  return (
    ordering === "none" ||
    (batch !== null && unitOf(webhook) !== "file") ||
    headerLines(webhook) !== "" ||
    asymmetric === true ||
    rate !== null ||
    timeout_ms !== usualMs
  );
}

/** What the API takes for files unless it is told otherwise; for others where somebody wants batches. */
const sizes = {
  file: { max_events: 1000, max_wait_ms: 60_000 },
  other: { max_events: 100, max_wait_ms: 1000 },
};

function Batches({ webhook, unit }: SendingProps): VNode {
  const isFile = unit === "file";
  // What another kind of receiver had fits none of this one.
  const before = webhook && (unitOf(webhook) === "file") === isFile ? webhook : undefined;
  const isBatched = useSignal(before ? before.batch !== null : isFile);
  const batch = before?.batch ?? sizes[isFile ? "file" : "other"];
  return html`<${Field} label=${`Events in a ${unit}`}>
      <select name="is_batched" onChange=${(event: Event) => {
        isBatched.value = (event.currentTarget as HTMLSelectElement).value === "yes";
      }}>
        <option value="no" selected=${!isBatched.value}>One</option>
        <option value="yes" selected=${isBatched.value}>Several, as a batch</option>
      </select><//>
    ${
      isBatched.value &&
      html`<${Field} label="Largest batch" hint="Events in a batch, at most.">
        <input name="max_events" type="number" min="1" max="1000" required defaultValue=${batch.max_events} /><//>
      <${Field} label="Longest wait" hint="Milliseconds that the first event waits for others.">
        <input name="max_wait_ms" type="number" min="0" max="60000" required defaultValue=${batch.max_wait_ms} /><//>`
    }`;
}
