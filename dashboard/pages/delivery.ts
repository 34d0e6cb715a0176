/* One attempt to deliver: the request, the answer, and a button that sends it again. */
import { useSignal } from "@preact/signals";
import type { VNode } from "preact";
import type { Delivery } from "../../services/contracts/deliveries.contract.ts";
import { typeName } from "../events/type-names.ts";
import { WhatHappened } from "../events/what-happened.ts";
import { html } from "../html.ts";
import { JsonTree } from "../parts/json-tree.ts";
import { Copy, Problem, Waiting } from "../parts/state.ts";
import { count, Time } from "../parts/time.ts";
import { toast } from "../parts/toast.ts";
import { link, navigate } from "../shell/address.ts";
import { get, post } from "../shell/client.ts";
import { useLive } from "../shell/live.ts";
import { Head, type Page } from "../shell/page.ts";
import { answerOf, Outcome } from "../webhook/attempt-columns.ts";

type Shown = Delivery & { body: Record<string, unknown> | null };

function DeliveryPage({ id }: { id: string }): VNode {
  const path = `/webhook/deliveries/${encodeURIComponent(id)}`;
  const live = useLive(signal => get<{ data: Shown }>(path, { signal }), [path], { renewMs: 30_000 });
  const attempt = live.data?.data;
  return html`<${Head} title=${attempt ? typeName(attempt.type) : "Delivery"} lead=${html`<a href=${link("/deliveries")}>All attempts</a>`}>
      ${attempt && html`<${Again} path=${path} />`}
    <//>
    <${Problem} error=${live.error} />
    ${!attempt && !live.error && html`<${Waiting} lines=${6} />`}
    ${attempt && html`<${Attempt} attempt=${attempt} />`}`;
}

function Again({ path }: { path: string }): VNode {
  const isBusy = useSignal(false);
  const retry = async () => {
    if (isBusy.value) return;
    isBusy.value = true;
    try {
      const { data, message } = await post<{ data: { delivery_id?: string }; message: string }>(
        `${path}/retry`,
      );
      toast(message);
      navigate(data.delivery_id ? `/deliveries/${data.delivery_id}` : "/deliveries");
    } catch (error) {
      toast.failed(error);
    }
    isBusy.value = false;
  };
  return html`<button type="button" class="is-main" aria-disabled=${isBusy.value} onClick=${retry}>Send it again</button>`;
}

function Attempt({ attempt }: { attempt: Shown }): VNode {
  const { url, event_id, attempt: number, duration_ms, at, answer, body } = attempt;
  return html`<section class="panel"><dl class="facts">
      <div><dt>Outcome</dt><dd><${Outcome} attempt=${attempt} /></dd></div>
      <div><dt>Answer</dt><dd>${answerOf(attempt) || "none"}</dd></div>
      <div><dt>Attempt</dt><dd class="number">${count(number)}</dd></div>
      <div><dt>Duration</dt><dd class="number">${count(Math.round(duration_ms))} ms</dd></div>
      <div><dt>When</dt><dd><${Time} at=${at} /></dd></div>
      <div class="is-wide"><dt>Sent to</dt><dd class="breaks">${url ?? "not known"}</dd></div>
      <div class="is-wide"><dt>Event</dt><dd class="breaks"><a href=${link("/deliveries", { event_id })}><code>${event_id}</code></a></dd></div>
    </dl></section>
    <section class="part" aria-labelledby="answered"><div class="part-head"><h2 id="answered">Body of the answer</h2></div>
      ${answer ? html`<pre class="text" tabindex="0">${answer}</pre>` : html`<p class="soft">There was no answer, or it had no body.</p>`}
    </section>
    <section class="part" aria-labelledby="sent"><div class="part-head"><h2 id="sent">What was sent</h2></div>
      ${body ? html`<div class="panel"><${Sent} body=${body} /></div>` : html`<p class="soft">The body is no longer kept.</p>`}
    </section>`;
}

/** An event as what happened; anything else, such as several events in one request, as JSON. */
function Sent({ body }: { body: Record<string, unknown> }): VNode {
  if (typeof body.type === "string" && typeof body.data === "object" && body.data !== null)
    return html`<${WhatHappened} event=${body} />`;
  return html`<div class="tab-actions"><${Copy} text=${JSON.stringify(body, null, 2)} label="Copy the JSON" /></div>
    <${JsonTree} value=${body} open=${4} />`;
}

export const deliveryPage: Page = {
  path: "/deliveries/:id",
  title: "Delivery",
  roles: ["admin", "owner", "key"],
  asKey: ["admin", "owner"],
  view: DeliveryPage,
};
