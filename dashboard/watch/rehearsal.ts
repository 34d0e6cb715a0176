/*
 * Tries options of a watch on the past of its source, before they are saved.
 *
 *   html`<${Rehearsal} id=${source.id} optionsNow=${() => changesOf(aim.value, before, kind)} />`
 */
import { useSignal } from "@preact/signals";
import type { VNode } from "preact";
import type { Rehearsal as Verdict } from "../../services/contracts/history.contract.ts";
import { html } from "../html.ts";
import { Problem } from "../parts/state.ts";
import { count, plural, Time } from "../parts/time.ts";
import { type ApiError, post } from "../shell/client.ts";
import { linesOfLists } from "../source/diff-lines.ts";
import { DiffView } from "../source/diff-view.ts";

interface RehearsalProps {
  id: string;
  /** The changes of the options; may throw where a text is invalid. */
  optionsNow: () => Record<string, unknown>;
}

const spans: [days: number, name: string][] = [
  [7, "7 days"],
  [30, "30 days"],
  [90, "90 days"],
  [365, "a year"],
];

export function Rehearsal({ id, optionsNow }: RehearsalProps): VNode {
  const days = useSignal(30);
  const found = useSignal<Verdict | undefined>(undefined);
  const problem = useSignal<ApiError | undefined>(undefined);
  const isBusy = useSignal(false);
  const ask = async () => {
    if (isBusy.value) return;
    isBusy.value = true;
    problem.value = undefined;
    try {
      const { tags: _, ...options } = optionsNow();
      const body = { days: days.value, ...(Object.keys(options).length > 0 && { options }) };
      const path = `/sources/${encodeURIComponent(id)}/rehearse`;
      const signal = AbortSignal.timeout(90_000);
      found.value = (await post<{ data: Verdict }>(path, body, { signal })).data;
    } catch (error) {
      found.value = undefined;
      problem.value = error as ApiError;
    }
    isBusy.value = false;
  };
  return html`<div class="rehearsal">
    <p class="rehearsal-ask"><button type="button" aria-disabled=${isBusy.value} onClick=${ask}>${isBusy.value ? "Trying…" : "Try these options on the past"}</button>
      <label><span class="unseen">How far back</span><select onChange=${(event: Event) => {
        days.value = Number((event.currentTarget as HTMLSelectElement).value);
      }}>${spans.map(([value, name]) => html`<option key=${value} value=${value} selected=${value === days.value}>${name}</option>`)}</select></label></p>
    <div aria-live="polite"><${Problem} error=${problem.value} />
      ${found.value && html`<${Outcome} verdict=${found.value} />`}</div>
  </div>`;
}

/** What the options would have made of the past. */
export function Outcome({ verdict }: { verdict: Verdict }): VNode {
  const { why, from, checks, events, held } = verdict;
  return html`<section class="panel rehearsed" aria-label="On the past">
    <p><strong>${why}</strong></p>
    ${from && html`<p class="soft">${plural(checks, "check")}, the first <${Time} at=${from} />.</p>`}
    ${events.length > 0 && html`<${Looked} title="Would have made an event" rows=${events} isOpen />`}
    ${held.length > 0 && html`<${Looked} title="Would have been held back or muted" rows=${held} />`}
  </section>`;
}

function Looked({
  title,
  rows,
  isOpen = false,
}: {
  title: string;
  rows: Verdict["events"];
  isOpen?: boolean;
}): VNode {
  return html`<details class="rehearsed-list" open=${isOpen}><summary>${title} (${count(rows.length)})</summary><ol>${rows.map(
    ({ at, version, reason, change }) => html`<li key=${`${at} ${version}`}>
      <p><${Time} at=${at} /> <span class="soft">${reason}</span></p>
      ${change && html`<${DiffView} lines=${linesOfLists(change.added, change.removed)} />`}
    </li>`,
  )}</ol></details>`;
}
