/* A source as the administrator sees it who has chosen no key: how its checks go, and for how many keys. */
import { useSignal } from "@preact/signals";
import type { VNode } from "preact";
import type { SourceSummary } from "../../services/contracts/source-lists.contract.ts";
import { html } from "../html.ts";
import type { Page } from "../parts/list.ts";
import { outside } from "../parts/markdown.ts";
import { Empty, Problem, Waiting } from "../parts/state.ts";
import { plural, Time } from "../parts/time.ts";
import { link, navigate } from "../shell/address.ts";
import { get } from "../shell/client.ts";
import { useLive } from "../shell/live.ts";
import { Head } from "../shell/page.ts";
import { kindInWords } from "../sources/kinds.ts";
import { checkNow, LeaveSource } from "../sources/leave-source.ts";
import { HealthMark } from "../sources/source-health.ts";
import { Countdown } from "./countdown.ts";

export function SourceOfAll({ id }: { id: string }): VNode {
  const isLeaving = useSignal(false);
  const live = useLive(
    signal => get<Page<SourceSummary>>("/internal/sources", { query: { query: id }, signal }),
    [id],
  );
  const source = live.data?.data.find(each => each.id === id);
  const leave = (is: boolean) => () => {
    isLeaving.value = is;
  };
  return html`<${Head} title=${source ? html`<span class="breaks">${source.name}</span>` : "Source"} lead=${html`<a href=${link("/sources")}>All sources</a>`}>
      ${
        source &&
        html`<button type="button" onClick=${() => checkNow(source, live.renew)}>Check now</button>
        <button type="button" class="is-dangerous" onClick=${leave(true)}>Stop tracking…</button>`
      }
    <//>
    <${Problem} error=${live.error} />
    ${!live.data && !live.error && html`<${Waiting} lines=${4} />`}
    ${live.data && !source && html`<${Empty} title="There is no such source"><p>It was removed, or its options were changed, which gives it another address.</p><//>`}
    ${source && html`<${Facts} source=${source} />`}
    ${source && isLeaving.value && html`<${LeaveSource} source=${source} onLeft=${() => navigate("/sources")} onClose=${leave(false)} />`}`;
}

function Facts({ source }: { source: SourceSummary }): VNode {
  const { health, problem, polled_at, due_at, last_event_at, externalId, keys } = source;
  const url = outside(externalId);
  return html`<section class="panel" aria-label="How it is watched"><dl class="facts">
      <div><dt>Kind</dt><dd>${kindInWords(source)}</dd></div>
      <div><dt>Health</dt><dd><${HealthMark} of=${source} /></dd></div>
      <div><dt>Last check</dt><dd><${Time} at=${polled_at} none="not yet" /></dd></div>
      <div><dt>Next check</dt><dd>${health === "gone" ? html`<span class="faint">none</span>` : html`<${Countdown} to=${due_at} />`}</dd></div>
      <div><dt>Latest change</dt><dd><${Time} at=${last_event_at} none="none yet" /></dd></div>
      <div><dt>Tracked by</dt><dd>${plural(keys, "key")}</dd></div>
      ${problem && html`<div class="is-wide"><dt>Problem</dt><dd class="breaks">${problem}</dd></div>`}
      <div class="is-wide"><dt>Address</dt><dd class="breaks">${url === undefined ? externalId : html`<a href=${url} target="_blank" rel="noopener noreferrer">${url}</a>`}</dd></div>
    </dl></section>
    <p class="part soft">What it said, its checks and its options belong to a key. Choose one that tracks it as the acting key to see them.</p>`;
}
