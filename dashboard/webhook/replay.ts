/* The dialog that delivers events again since a time. */
import type { VNode } from "preact";
import type { WebhookState } from "../../services/contracts/endpoint-options.ts";
import { html } from "../html.ts";
import { Dialog } from "../parts/dialog.ts";
import { Field, Form } from "../parts/form.ts";
import { toast } from "../parts/toast.ts";
import { post } from "../shell/client.ts";
import { unitOf } from "./endpoint-words.ts";

const hourMs = 3_600_000;

export function Replay({ webhook, onClose }: { webhook: WebhookState; onClose: () => void }): VNode {
  const replay = async ({ since = "" }: Record<string, string>) => {
    const { message } = await post<{ message: string }>(`/webhooks/${webhook.id}/replay`, {
      since: new Date(since).toISOString(),
    });
    toast(message);
    onClose();
  };
  return html`<${Dialog} title="Deliver again" onClose=${onClose}>
    <${Form} action="Deliver again" onSubmit=${replay} onCancel=${onClose}>
      <p>Magpie sends again every event since this time that the endpoint wants, ${recognised(webhook)} Events are kept for 72 hours, or longer where the operator has set it.</p>
      <${Field} label="Since"><input name="since" type="datetime-local" step="1" required
        defaultValue=${localTime(new Date(Date.now() - hourMs))} max=${localTime(new Date())} /><//>
    <//>
  <//>`;
}

/** Says how a receiver tells what it has already. */
function recognised(webhook: WebhookState): VNode | string {
  if (unitOf(webhook) === "file") return html`into files of their own below <code>replays</code>.`;
  return webhook.destination
    ? "with the same ids, by which those that are there are recognised."
    : html`with the same <code>webhook-id</code>, so that your program can recognise the ones it has.`;
}

/** Writes a date for a field of type `datetime-local`: the reader's own time without a zone. */
export function localTime(date: Date): string {
  return new Date(date.getTime() - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 19);
}
