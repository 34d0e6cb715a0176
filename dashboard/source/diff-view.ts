/*
 * What changed, by words. Signs and lines through the words say the same as the colours.
 *
 *   html`<${DiffView} lines=${lines} moved=${["“Sunday” moved from 3rd to 1st"]} />`
 */
import { useSignal } from "@preact/signals";
import type { VNode } from "preact";
import { html } from "../html.ts";
import { plural } from "../parts/time.ts";
import { type DiffLine, folded } from "./diff-lines.ts";

interface DiffProps {
  lines: readonly DiffLine[];
  moved?: readonly string[];
}

export function DiffView({ lines, moved = [] }: DiffProps): VNode {
  if (lines.length === 0 && moved.length === 0) return html`<p class="soft">Nothing differs.</p>`;
  return html`<div class="diff" role="region" aria-label="What changed" tabindex="0">
    <ol>${folded(lines).map((each, at) =>
      each.kind === "line"
        ? html`<${Line} key=${at} line=${each.line} />`
        : html`<${Fold} key=${at} lines=${each.lines} />`,
    )}</ol>
    ${
      moved.length > 0 &&
      html`<div class="diff-moved"><h3>Moved</h3><ul>${moved.map(text => html`<li key=${text} class="breaks"><span aria-hidden="true" class="diff-sign">↕</span>${text}</li>`)}</ul></div>`
    }
  </div>`;
}

const signs: Record<DiffLine["kind"], [sign: string, spoken: string]> = {
  same: ["", ""],
  added: ["+", "Added: "],
  removed: ["−", "Removed: "],
  changed: ["±", "Changed: "],
  moved: ["↕", "Moved: "],
  gap: ["", ""],
};

function Line({ line: { kind, parts, skipped = 0 } }: { line: DiffLine }): VNode {
  if (kind === "gap") return html`<li class="diff-fold soft">${plural(skipped, "unchanged line")}</li>`;
  const [sign, spoken] = signs[kind];
  return html`<li class="diff-line is-${kind}">
    <span class="diff-sign" aria-hidden="true">${sign}</span>
    <span class="diff-text breaks">${spoken && html`<span class="unseen">${spoken}</span>`}${parts.map(
      (part, at) => partOf(kind, part, at),
    )}</span>
  </li>`;
}

/** In a line that is new or gone as a whole, marks on each word would say nothing more. */
function partOf(kind: DiffLine["kind"], part: DiffLine["parts"][number], at: number): VNode | string {
  if (kind !== "changed" || part.kind === "same") return part.text;
  return part.kind === "added"
    ? html`<ins key=${at}>${part.text}</ins>`
    : html`<del key=${at}>${part.text}</del>`;
}

function Fold({ lines }: { lines: DiffLine[] }): VNode {
  const isOpen = useSignal(false);
  if (isOpen.value) return html`${lines.map((line, at) => html`<${Line} key=${at} line=${line} />`)}`;
  return html`<li class="diff-fold"><button type="button" class="link" onClick=${() => {
    isOpen.value = true;
  }}>Show ${plural(lines.length, "unchanged line")}</button></li>`;
}
