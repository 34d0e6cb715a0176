/* The dialog that registers or changes an endpoint. */
import { type Signal, useSignal } from "@preact/signals";
import type { VNode } from "preact";
import type { DestinationType } from "../../services/contracts/destinations.ts";
import type { WebhookState } from "../../services/contracts/endpoint-options.ts";
import { WantedEvents, wantedOf } from "../events/wanted-events.ts";
import { html } from "../html.ts";
import { Dialog } from "../parts/dialog.ts";
import { Field, Form } from "../parts/form.ts";
import { toast } from "../parts/toast.ts";
import { patch, post } from "../shell/client.ts";
import { bodyOf } from "./endpoint-body.ts";
import { ExpressionFields } from "./endpoint-expressions.ts";
import { EndpointPlace } from "./endpoint-place.ts";
import { SendingFields } from "./endpoint-sending.ts";
import { unitOf } from "./endpoint-words.ts";
import { formats, mailFormats, ofPrograms } from "./formats.ts";

/** The answer of the API. It has `secret` where one was made. */
export interface Registered {
  secret?: string;
}

interface FormProps {
  webhook: WebhookState | undefined;
  onDone: (registered: Registered) => Promise<void>;
  onClose: () => void;
}

export function EndpointForm({ webhook, onDone, onClose }: FormProps): VNode {
  const type = useSignal<DestinationType | "">(webhook?.destination?.type ?? "");
  const url = useSignal(webhook?.destination ? "" : (webhook?.url ?? ""));
  const format = useSignal<string>(webhook?.format ?? "standard");
  const wanted = useSignal(wantedOf(webhook));
  const destination = type.value === "" ? null : { type: type.value };
  const unit = unitOf({ destination, url: url.value });
  // Only the first state: afterwards a person opens and closes the group.
  const hasExpressions = useSignal(Boolean(webhook?.filter ?? webhook?.transform));
  const hasTransform = unit === "request" && format.value === "standard";
  const submit = async (values: Record<string, string>) => {
    const body = bodyOf({ ...values, format: format.value }, wanted.value, webhook);
    const { data, message } = webhook
      ? await patch<{ data: Registered; message: string }>(`/webhooks/${webhook.id}`, body)
      : await post<{ data: Registered; message: string }>("/webhooks", body);
    toast(message);
    // What is no request has no signature.
    await onDone(unit === "request" ? data : {});
  };
  return html`<${Dialog} title=${webhook ? "Change the endpoint" : "Register an endpoint"} onClose=${onClose}>
    <${Form} action=${webhook ? "Change" : "Register"} onSubmit=${submit} onCancel=${onClose}>
      <${EndpointPlace} webhook=${webhook} place=${{ type, url, format }} />
      <${Field} label="Name" hint="Only you see it. Optional.">
        <input name="name" maxlength="100" defaultValue=${webhook?.name ?? ""} autocomplete="off" /><//>
      <${WantedEvents} wanted=${wanted} />
      ${type.value === "" && html`<${Format} format=${format} webhook=${webhook} isOfMail=${unit === "mail"} />`}
      <details class="aim-group" open=${hasExpressions.value}><summary>${hasTransform ? "Filter and transform" : "Filter"}</summary><div class="form">
        <${ExpressionFields} webhook=${webhook} hasBody=${hasTransform} />
      </div></details>
      <${SendingFields} webhook=${webhook} unit=${unit} />
    <//>
  <//>`;
}

interface FormatProps {
  webhook: WebhookState | undefined;
  format: Signal<string>;
  isOfMail: boolean;
}

function Format({ format, webhook, isOfMail }: FormatProps): VNode {
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
