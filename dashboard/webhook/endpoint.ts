/* One endpoint: its state, its facts and its actions. */
import { useSignal } from "@preact/signals";
import type { VNode } from "preact";
import type { WebhookState } from "../../services/contracts/endpoint-options.ts";
import { wantedWords } from "../events/wanted-events.ts";
import { html } from "../html.ts";
import { Confirm } from "../parts/dialog.ts";
import { Mark } from "../parts/state.ts";
import { count, plural, Time } from "../parts/time.ts";
import { toast } from "../parts/toast.ts";
import { patch, post, remove } from "../shell/client.ts";
import type { Registered } from "./endpoint-form.ts";
import { markOf, nextWords, receiverOf, unitOf } from "./endpoint-words.ts";
import { digestNames } from "./formats.ts";
import { Replay } from "./replay.ts";

interface EndpointProps {
  webhook: WebhookState;
  onEdit: () => void;
  onChanged: (registered: Registered) => Promise<void>;
}

type Open = "none" | "replay" | "secret" | "remove";

export function Endpoint({ webhook, onEdit, onChanged }: EndpointProps): VNode {
  const { id, name, url, destination, status, enabled } = webhook;
  const isFailed = status === "FAILED";
  const [kind, word] = markOf(webhook);
  const isOpen = useSignal<Open>("none");
  const open = (what: Open) => () => {
    isOpen.value = what;
  };
  const change = async (body: object) => {
    const { data, message } = await patch<{ data: Registered; message: string }>(`/webhooks/${id}`, body);
    toast(message);
    await onChanged(data);
  };
  return html`<section class="panel endpoint" aria-label="Endpoint">
    <div class="endpoint-head">
      <div><h2 class="breaks">${name ?? url}</h2>${name && html`<p class="soft breaks">${url}</p>`}</div>
      <${Mark} kind=${kind}>${word}<//>
    </div>
    ${
      isFailed &&
      html`<p class="problem">The endpoint failed too often or is gone, so nothing is sent. Its events are kept in order for 72 hours.
        Repair ${destination ? "the destination" : "your program"}, then make the endpoint active: the kept events are delivered first.</p>`
    }
    ${
      status === "UNCONFIRMED" &&
      html`<p class="soft">Magpie has sent a mail to the owner of this address. Nothing else is sent until the owner agrees. Events are kept in order for 72 hours.</p>`
    }
    ${!enabled && html`<p class="soft">Nothing is sent while it is paused. Its events are kept in order for 72 hours.</p>`}
    <${Facts} webhook=${webhook} />
    <div class="endpoint-actions">
      ${isFailed && html`<button type="button" class="is-main" onClick=${() => attempt(() => change({}))}>Make active</button>`}
      ${status === "UNCONFIRMED" && html`<button type="button" onClick=${() => attempt(() => change({ enabled: true }))}>Ask again</button>`}
      <button type="button" onClick=${() => attempt(() => sendTest(webhook))}>Send a test</button>
      <button type="button" onClick=${open("replay")}>Deliver again…</button>
      <button type="button" onClick=${onEdit}>Change…</button>
      <button type="button" onClick=${() => attempt(() => change({ enabled: !enabled }))}>${enabled ? "Pause" : "Continue"}</button>
      ${unitOf(webhook) === "request" && html`<button type="button" onClick=${open("secret")}>New secret…</button>`}
      <button type="button" onClick=${open("remove")}>Remove…</button>
    </div>
    ${isOpen.value === "replay" && html`<${Replay} webhook=${webhook} onClose=${open("none")} />`}
    ${
      isOpen.value === "secret" &&
      html`<${Confirm} title="Make a new secret?" action="Make a new secret" onClose=${open("none")}
        onConfirm=${() => change({ rotate_secret: true })}>
        <p>For 24 hours deliveries are signed with the old and the new secret, so that you have time to change your program.</p><//>`
    }
    ${
      isOpen.value === "remove" &&
      html`<${Confirm} title="Remove the endpoint?" action="Remove" onClose=${open("none")} onConfirm=${async () => {
        const { message } = await removeEndpoint(id);
        toast(message);
        await onChanged({});
      }}>
        <p>Magpie sends nothing more to it. Events can still be read from the streams.</p><//>`
    }
  </section>`;
}

function Facts({ webhook }: { webhook: WebhookState }): VNode {
  const { waiting, failures, next_attempt_at, batch, digest, public_keys } = webhook;
  return html`<dl class="facts">
    <div><dt>Waiting</dt><dd class="number">${plural(waiting, "event")}</dd></div>
    <div><dt>Failed in a row</dt><dd class="number">${count(failures)}</dd></div>
    <div><dt>Next attempt</dt><dd><${Time} at=${next_attempt_at} none=${nextWords(webhook)} /></dd></div>
    <div><dt>Sends to</dt><dd>${receiverOf(webhook)}</dd></div>
    <div><dt>Events</dt><dd class="breaks">${wantedWords(webhook)}</dd></div>
    ${unitOf(webhook) === "request" && public_keys.length > 0 && html`<div><dt>Public key</dt><dd><code>${public_keys[0]}</code></dd></div>`}
    <div><dt>Order</dt><dd>${orderWords(webhook)}</dd></div>
    <div><dt>Batches</dt><dd>${
      batch
        ? html`up to <span class="number">${count(batch.max_events)}</span> events within <span class="number">${count(batch.max_wait_ms)}</span> ms`
        : "none"
    }</dd></div>
    ${digest && html`<div><dt>Mails</dt><dd>${digestNames[digest].toLowerCase()}</dd></div>`}
  </dl>`;
}

function orderWords(webhook: WebhookState): string {
  if (unitOf(webhook) === "file") return "that of all events";
  return webhook.ordering === "none" ? "not guaranteed" : "within each source or channel";
}

/** How long a test event waits without a word about it. */
const noticeableMs = 5000;

async function removeEndpoint(id: string): Promise<{ message: string }> {
  await remove(`/webhooks/${id}`);
  return { message: "The endpoint is removed." };
}

async function sendTest({ id, status, batch, digest }: WebhookState): Promise<void> {
  const { message } = await post<{ message: string }>(`/webhooks/${id}/test`);
  const waits = status === "ACTIVE" && batch && !digest && batch.max_wait_ms >= noticeableMs;
  toast(waits ? `${message} It waits for others, ${batch.max_wait_ms / 1000} s at most.` : message);
}

async function attempt(run: () => Promise<void>): Promise<void> {
  try {
    await run();
  } catch (error) {
    toast.failed(error);
  }
}
