/* Registers an endpoint, or changes the one that is there. */
import { useSignal } from "@preact/signals";
import type { VNode } from "preact";
import type { WebhookState } from "../../services/contracts/endpoint-options.ts";
import { html } from "../html.ts";
import { Dialog } from "../parts/dialog.ts";
import { Field, Form } from "../parts/form.ts";
import { toast } from "../parts/toast.ts";
import { patch, post } from "../shell/client.ts";

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
  const submit = async (values: Record<string, string>) => {
    const body = bodyOf(values);
    const { data, message } = webhook
      ? await patch<{ data: Registered; message: string }>("/webhook", body)
      : await post<{ data: Registered; message: string }>("/webhook", body);
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
    <//>
  <//>`;
}

/** The body of `POST` and `PATCH /webhook`. */
export function bodyOf(values: Record<string, string>): Record<string, unknown> {
  const { url = "", name = "", ordering, is_batched, max_events, max_wait_ms } = values;
  const batch =
    is_batched === "yes" ? { max_events: Number(max_events), max_wait_ms: Number(max_wait_ms) } : null;
  return { url: url.trim(), name: name.trim() || null, ordering, batch };
}
