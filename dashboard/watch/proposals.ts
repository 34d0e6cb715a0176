/* What may be chosen at a part of a page: the part, or an element around it. */
import type { VNode } from "preact";
import type { OutlinePart } from "../../services/contracts/preview.contract.ts";
import { html } from "../html.ts";

export type Choose = (selector: string, use: "select" | "remove") => void;

interface ProposalsProps {
  part: OutlinePart;
  onChoose: Choose;
  /** Called with the selector of a proposal that the pointer or the focus is at, and with "" when it leaves. */
  onPoint?: (selector: string) => void;
}

export function Proposals({ part, onChoose, onPoint = () => undefined }: ProposalsProps): VNode {
  const offered = [{ tag: part.tag, selector: part.selector }, ...part.within];
  return html`<ul class="point-at-proposals">
    ${offered.map(
      ({ selector }, depth) => html`<li key=${selector}
        onPointerEnter=${() => onPoint(selector)} onPointerLeave=${() => onPoint("")}
        onFocusIn=${() => onPoint(selector)} onFocusOut=${() => onPoint("")}>
        <code class="breaks">${selector}</code><span class="faint">${depth === 0 ? "this part" : depth === 1 ? "the element around it" : "more around it"}</span>
        <button type="button" class="is-small" aria-label="Watch it: ${selector}" onClick=${() => onChoose(selector, "select")}>Watch it</button>
        <button type="button" class="is-small" aria-label="Leave it out: ${selector}" onClick=${() => onChoose(selector, "remove")}>Leave it out</button>
      </li>`,
    )}
  </ul>`;
}
