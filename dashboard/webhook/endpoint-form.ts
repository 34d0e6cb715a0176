/* Registers an endpoint, or changes one that is there. */
import { useSignal } from "@preact/signals";
import type { VNode } from "preact";
import type { WebhookState } from "../../services/contracts/endpoint-options.ts";
import { typeNames } from "../events/type-names.ts";
import { html } from "../html.ts";
import { Dialog } from "../parts/dialog.ts";
import { Field, Form } from "../parts/form.ts";
import { toast } from "../parts/toast.ts";
import { patch, post } from "../shell/client.ts";
import { bodyOf, formats, headerLines } from "./endpoint-body.ts";

/** What the API answers of it; `secret` where one was made. */
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
  const types = useSignal<string[]>(webhook?.event_types ?? []);
  const submit = async (values: Record<string, string>) => {
    const body = bodyOf({ ...values, format: format.value }, types.value, webhook);
    const { data, message } = webhook
      ? await patch<{ data: Registered; message: string }>(`/webhooks/${webhook.id}`, body)
      : await post<{ data: Registered; message: string }>("/webhooks", body);
    toast(message);
    await onDone(data);
  };
  const batch = webhook?.batch ?? sizes;
  return html`<${Dialog} title=${webhook ? "Change the endpoint" : "Register an endpoint"} onClose=${onClose}>
    <${Form} action=${webhook ? "Change" : "Register"} onSubmit=${submit} onCancel=${onClose}>
      <${Field} label="Address" hint="An HTTPS address. It answers 2xx within 5 seconds.">
        <input name="url" type="url" autofocus required maxlength="2048" defaultValue=${webhook?.url ?? ""} placeholder="https://example.com/hooks/magpie"
          autocomplete="off" spellcheck=${false} /><//>
      <${Field} label="Name" hint="For you; may be empty.">
        <input name="name" maxlength="100" defaultValue=${webhook?.name ?? ""} autocomplete="off" /><//>
      <${Types} types=${types} />
      <${Field} label="Tags" hint="Only sources with one of these tags, with commas between them. Empty: all sources.">
        <input name="tags" maxlength="1500" defaultValue=${webhook?.tags?.join(", ") ?? ""} autocomplete="off" /><//>
      <${Format} format=${format} webhook=${webhook} />
      <${Field} label="Order" hint="Without a promised order many events are sent at a time; seq tells the order.">
        <select name="ordering">
          <option value="conversation" selected=${webhook?.ordering !== "none"}>Within a conversation</option>
          <option value="none" selected=${webhook?.ordering === "none"}>None</option>
        </select><//>
      <${Field} label="Events in a request">
        <select name="is_batched" onChange=${(event: Event) => {
          isBatched.value = (event.currentTarget as HTMLSelectElement).value === "yes";
        }}>
          <option value="no" selected=${!isBatched.value}>One</option>
          <option value="yes" selected=${isBatched.value}>Several, as a batch</option>
        </select><//>
      ${
        isBatched.value &&
        html`<${Field} label="At most" hint="Events in a batch.">
          <input name="max_events" type="number" min="1" max="1000" required defaultValue=${batch.max_events} /><//>
        <${Field} label="Wait" hint="Milliseconds that the first event waits for others.">
          <input name="max_wait_ms" type="number" min="0" max="60000" required defaultValue=${batch.max_wait_ms} /><//>`
      }
      <${Field} label="Headers" hint="Sent with each request, kept encrypted; name: value, one a line.">
        <textarea name="headers" rows="2" defaultValue=${headerLines(webhook)} autocomplete="off" spellcheck=${false}></textarea><//>
    <//>
  <//>`;
}

interface PartProps {
  webhook: WebhookState | undefined;
}

function Types({ types }: { types: { value: string[] } }): VNode {
  const toggle = (type: string, isOn: boolean) => {
    types.value = Object.keys(typeNames).filter(each => (each === type ? isOn : types.value.includes(each)));
  };
  return html`<fieldset class="option-choices"><legend>Events</legend><div class="option-chips">
    ${Object.entries(typeNames).map(
      ([type, name]) => html`<label key=${type}><input type="checkbox" checked=${types.value.includes(type)}
        onChange=${(event: Event) => toggle(type, (event.currentTarget as HTMLInputElement).checked)} /><span>${name}</span></label>`,
    )}
  </div><p class="hint">None chosen: all of them.</p></fieldset>`;
}

function Format({ format, webhook }: PartProps & { format: { value: string } }): VNode {
  return html`<${Field} label="Format" hint="What the receiver understands.">
      <select name="format" onChange=${(event: Event) => {
        format.value = (event.currentTarget as HTMLSelectElement).value;
      }}>
        ${Object.entries(formats).map(([value, name]) => html`<option key=${value} value=${value} selected=${value === format.value}>${name}</option>`)}
      </select><//>
    ${
      format.value !== "standard" &&
      html`<${Field} label="Template" hint=${"Empty: a text for each kind of event. For example {{title}} {{url}}"}>
        <textarea name="template" rows="2" defaultValue=${webhook?.template ?? ""} spellcheck=${false}></textarea><//>`
    }`;
}
