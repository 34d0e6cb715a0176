/* The dialog that registers or changes an endpoint. */
import { useSignal } from "@preact/signals";
import type { VNode } from "preact";
import type { WebhookState } from "../../services/contracts/endpoint-options.ts";
import { WantedEvents, wantedOf } from "../events/wanted-events.ts";
import { html } from "../html.ts";
import { Dialog } from "../parts/dialog.ts";
import { Field, Form } from "../parts/form.ts";
import { toast } from "../parts/toast.ts";
import { patch, post } from "../shell/client.ts";
import {
  addressHints,
  bodyOf,
  digestNames,
  formats,
  headerLines,
  isMail,
  mailFormats,
  mailHint,
  ofPrograms,
} from "./endpoint-body.ts";
import { ExpressionFields } from "./endpoint-expressions.ts";

/** The answer of the API. It has `secret` where one was made. */
export interface Registered {
  secret?: string;
}

interface FormProps {
  webhook: WebhookState | undefined;
  onDone: (registered: Registered) => Promise<void>;
  onClose: () => void;
}

const sizes = { max_events: 100, max_wait_ms: 1000 };

export function EndpointForm({ webhook, onDone, onClose }: FormProps): VNode {
  const isBatched = useSignal(Boolean(webhook?.batch));
  const format = useSignal<string>(webhook?.format ?? "standard");
  const url = useSignal(webhook?.url ?? "");
  const wanted = useSignal(wantedOf(webhook));
  // Only the first state: afterwards a person opens and closes the group.
  const hasMore = useSignal(
    webhook?.ordering === "none" ||
      isBatched.value ||
      headerLines(webhook) !== "" ||
      webhook?.asymmetric ||
      Boolean(webhook?.rate) ||
      (webhook?.timeout_ms ?? 5000) !== 5000,
  );
  const hasExpressions = useSignal(Boolean(webhook?.filter ?? webhook?.transform));
  const submit = async (values: Record<string, string>) => {
    const body = bodyOf({ ...values, format: format.value }, wanted.value, webhook);
    const { data, message } = webhook
      ? await patch<{ data: Registered; message: string }>(`/webhooks/${webhook.id}`, body)
      : await post<{ data: Registered; message: string }>("/webhooks", body);
    toast(message);
    // A mail has no signature.
    await onDone(isMail(url.value) ? {} : data);
  };
  const batch = webhook?.batch ?? sizes;
  return html`<${Dialog} title=${webhook ? "Change the endpoint" : "Register an endpoint"} onClose=${onClose}>
    <${Form} action=${webhook ? "Change" : "Register"} onSubmit=${submit} onCancel=${onClose}>
      <${Field} label="Address" hint=${isMail(url.value) ? mailHint : addressHints[format.value]}>
        <input name="url" inputmode="url" autofocus required maxlength="2048" defaultValue=${webhook?.url ?? ""} placeholder="https://example.com/hooks/magpie"
          autocomplete="off" spellcheck=${false} onInput=${(event: Event) => {
            url.value = (event.currentTarget as HTMLInputElement).value;
          }} /><//>
      ${isMail(url.value) && html`<${Digest} webhook=${webhook} />`}
      <${Field} label="Name" hint="Only you see it. Optional.">
        <input name="name" maxlength="100" defaultValue=${webhook?.name ?? ""} autocomplete="off" /><//>
      <${WantedEvents} wanted=${wanted} />
      <${Format} format=${format} webhook=${webhook} isOfMail=${isMail(url.value)} />
      <details class="aim-group" open=${hasExpressions.value}><summary>Filter and transform</summary><div class="form">
        <${ExpressionFields} webhook=${webhook} hasBody=${!isMail(url.value) && format.value === "standard"} />
      </div></details>
      <details class="aim-group" open=${hasMore.value}><summary>${isMail(url.value) ? "Order, batches, rate" : "Order, batches, rate, headers, time, signatures"}</summary><div class="form">
      <${Field} label="Order" hint="Without an order, events are sent faster, many at a time; seq says which came first.">
        <select name="ordering">
          <option value="conversation" selected=${webhook?.ordering !== "none"}>Within each source or channel</option>
          <option value="none" selected=${webhook?.ordering === "none"}>None</option>
        </select><//>
      <${Field} label=${isMail(url.value) ? "Events in a mail" : "Events in a request"}>
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
      }
      <${Field} label="Events a second" hint="At most so many; others wait in their order. Empty: no limit.">
        <input name="per_second" type="number" min="0.01" max="1000" step="0.01" defaultValue=${webhook?.rate?.per_second ?? ""} /><//>
      <${Field} label="Events at once" hint="After a pause, before the limit holds. Empty: those of a second.">
        <input name="burst" type="number" min="1" max="1000" defaultValue=${webhook?.rate?.burst ?? ""} /><//>
      ${
        !isMail(url.value) &&
        html`<${Field} label="Headers" hint="Sent with each request, kept encrypted; name: value, one a line.">
        <textarea name="headers" rows="2" defaultValue=${headerLines(webhook)} autocomplete="off" spellcheck=${false}></textarea><//>
        <${Field} label="Time for an answer" hint="Seconds, 1 to 30.">
        <input name="timeout_s" type="number" min="1" max="30" step="0.5" required defaultValue=${(webhook?.timeout_ms ?? 5000) / 1000} /><//>
        <${Field} label="Signatures" hint="A key pair lets a program check deliveries that must not be able to sign them.">
        <select name="asymmetric">
          <option value="no" selected=${!webhook?.asymmetric}>With the secret</option>
          <option value="yes" selected=${webhook?.asymmetric}>With the secret, and with a key pair</option>
        </select><//>`
      }
      </div></details>
    <//>
  <//>`;
}

interface PartProps {
  webhook: WebhookState | undefined;
}

function Digest({ webhook }: PartProps): VNode {
  return html`<${Field} label="Mails" hint="A mail at an interval contains all events since the one before.">
      <select name="digest">
        ${Object.entries(digestNames).map(([value, name]) => html`<option key=${value} value=${value} selected=${value === (webhook?.digest ?? "")}>${name}</option>`)}
      </select><//>`;
}

function Format({
  format,
  webhook,
  isOfMail,
}: PartProps & { format: { value: string }; isOfMail: boolean }): VNode {
  return html`<${Field} label="Format" hint="What the receiver understands.">
      <select name="format" onChange=${(event: Event) => {
        format.value = (event.currentTarget as HTMLSelectElement).value;
      }}>
        ${Object.entries(isOfMail ? mailFormats : formats).map(([value, name]) => html`<option key=${value} value=${value} selected=${value === format.value}>${name}</option>`)}
      </select><//>
    ${
      (isOfMail || !ofPrograms.includes(format.value)) &&
      html`<${Field} label="Template" hint=${"Empty: Magpie writes a text for each kind of event. Example: {{title}} {{url}}"}>
        <textarea name="template" rows="2" defaultValue=${webhook?.template ?? ""} spellcheck=${false}></textarea><//>`
    }`;
}
