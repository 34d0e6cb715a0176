/* What a source is and how its checks go: the panel at the top of its page. */
import type { ComponentChildren, VNode } from "preact";
import type { SourceDetail } from "../../services/contracts/history.contract.ts";
import { html } from "../html.ts";
import { numberText } from "../parts/line-chart.ts";
import { count, duration, plural, Time } from "../parts/time.ts";
import { kindInWords, kindOf } from "../sources/kinds.ts";
import { HealthMark } from "../sources/source-health.ts";
import { Countdown } from "./countdown.ts";
import { wordsOfOptions } from "./option-words.ts";

export function SourceFacts({ source }: { source: SourceDetail }): VNode {
  const {
    problem,
    polled_at,
    interval_ms,
    last_event_at,
    versions,
    bytes,
    events,
    watched_from,
    tags,
    values,
  } = source;
  const isAtRest = source.health === "gone" || source.options?.paused === true;
  return html`<section class="panel source-facts" aria-label="How it is watched">
    <dl class="facts">
      <${Fact} name="Kind">${kindInWords(source)}<//>
      <${Fact} name="Health"><${HealthMark} of=${source} /><//>
      <${Fact} name="Last check"><${Time} at=${polled_at} none="not yet" /><//>
      <${Fact} name="Next check"><${NextCheck} source=${source} /><//>
      ${interval_ms !== null && !isAtRest && html`<${Fact} name="Checked about every">${duration(interval_ms / 1000)}<//>`}
      <${Fact} name="Latest change"><${Time} at=${last_event_at} none="none yet" /><//>
      <${Fact} name="Versions kept"><span class="number">${count(versions)}</span>${bytes > 0 && html` <span class="faint">${size(bytes)}</span>`}<//>
      <${Fact} name="Events made"><span class="number">${count(events)}</span><//>
      <${Fact} name="Watched since"><${Time} at=${watched_from} /><//>
      ${Object.entries(values).map(
        ([name, value]) =>
          html`<${Fact} key=${name} name=${name === "value" ? "Number now" : name}><span class="breaks">${valueText(value)}</span><//>`,
      )}
      ${problem && html`<div class="is-wide"><dt>Problem</dt><dd class="breaks">${problem}</dd></div>`}
    </dl>
    <dl class="source-options">${wordsOfOptions(kindOf(source), source.options ?? {}).map(
      ([title, text]) => html`<div key=${title}><dt>${title}</dt><dd class="breaks">${text}</dd></div>`,
    )}
      ${tags.length > 0 && html`<div><dt>Tags</dt><dd><span class="tags">${tags.map(tag => html`<span key=${tag} class="tag">${tag}</span>`)}</span></dd></div>`}
    </dl>
  </section>`;
}

function Fact({ name, children }: { name: string; children?: ComponentChildren }): VNode {
  return html`<div><dt>${name}</dt><dd>${children}</dd></div>`;
}

function NextCheck({ source }: { source: SourceDetail }): VNode {
  const { health, due_at, options = {} } = source;
  if (options.paused) return html`<strong>Paused</strong> <span class="below soft">It is not checked.</span>`;
  if (health === "gone")
    return html`<span class="faint">none: the source says that it will not come back</span>`;
  return html`<${Countdown} to=${due_at} />`;
}

export function valueText(value: unknown): string {
  if (typeof value === "number") return numberText(value);
  if (value === null || value === undefined) return "not found";
  return typeof value === "string" ? value : JSON.stringify(value);
}

function size(bytes: number): string {
  if (bytes < 1024) return plural(bytes, "byte");
  return bytes < 1024 * 1024
    ? `${count(Math.round(bytes / 1024))} KB`
    : `${(bytes / 1024 / 1024).toFixed(1)} MB`;
}
