/*
 * The parts of a page as a list to point at: a click proposes the selector of a part, or of an element around it.
 *
 *   html`<${PointAt} outline=${outline} chosen=${[".price"]} onChoose=${(selector, use) => …} />`      use: "select" or "remove"
 */
import { useSignal } from "@preact/signals";
import type { VNode } from "preact";
import type { OutlinePart } from "../../services/contracts/preview.contract.ts";
import { html } from "../html.ts";
import { type Choose, Proposals } from "./proposals.ts";

interface PointAtProps {
  outline: OutlinePart[];
  /** The selectors that are already chosen. */
  chosen: readonly string[];
  onChoose: Choose;
}

export function PointAt({ outline, chosen, onChoose }: PointAtProps): VNode {
  const at = useSignal(-1);
  const part = outline[at.value];
  return html`<section class="point-at" aria-label="Point at a part of the page">
    <p class="soft">Click a part of the page to watch it or to leave it out.</p>
    <ol class="point-at-page" tabindex="0">
      ${outline.map(
        ({ tag, text, selector }, index) => html`<li key=${index} class="point-at-part is-${tag}">
          <button type="button" aria-pressed=${index === at.value} class=${chosen.includes(selector) ? "is-chosen" : ""}
            onClick=${() => {
              at.value = index === at.value ? -1 : index;
            }}>${text}</button>
          ${index === at.value && part && html`<${Proposals} part=${part} onChoose=${onChoose} />`}
        </li>`,
      )}
    </ol>
  </section>`;
}
