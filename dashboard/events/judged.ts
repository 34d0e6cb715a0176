/*
 * What a language model says of a change, by the goal of its watch.
 *
 *   html`<${Judged} verdict=${happened.verdict} />`
 *   isDismissed(event)     whether it says that the goal is not concerned
 */
import type { VNode } from "preact";
import { html } from "../html.ts";
import { Mark, type MarkKind } from "../parts/state.ts";
import { type Verdict, verdictIn } from "./happened.ts";

export function Judged({ verdict }: { verdict: Verdict }): VNode {
  const { confidence, reason, summary, goal } = verdict;
  const [kind, words] = wordsOf(verdict);
  return html`<section class="judged" aria-label="Judgement">
    <p><${Mark} kind=${kind}>${words}<//>${
      confidence !== undefined &&
      html` <span class="faint number">${Math.round(confidence * 100)} % sure</span>`
    }</p>
    ${summary && html`<p>${summary}</p>`}
    ${reason && html`<p class="soft">${reason}</p>`}
    ${goal && html`<p class="faint breaks">Goal: ${goal}</p>`}
  </section>`;
}

function wordsOf({ isMeaningful }: Verdict): [MarkKind, string] {
  if (isMeaningful === undefined) return ["warn", "Not judged"];
  return isMeaningful ? ["good", "Meaningful"] : ["quiet", "Not meaningful"];
}

export function isDismissed({ data }: { data: Record<string, unknown> }): boolean {
  return verdictIn(data)?.isMeaningful === false;
}
