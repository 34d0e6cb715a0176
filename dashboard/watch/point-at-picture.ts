/*
 * A picture of a page to point at. What is watched and what is left out is outlined; arrow keys go from part to part.
 *
 *   html`<${PointAtPicture} picture=${picture} outline=${outline} select=${[".price"]} remove=${[]} onChoose=${choose} />`
 */
import { useSignal } from "@preact/signals";
import type { VNode } from "preact";
import { useMemo, useRef } from "preact/hooks";
import type { OutlinePart } from "../../services/contracts/preview.contract.ts";
import { html } from "../html.ts";
import { Waiting } from "../parts/state.ts";
import { usePicture } from "../results/screenshot.ts";
import { type Picture, placesOf, targetsOf } from "./boxes.ts";
import { type Choose, Proposals } from "./proposals.ts";

interface PointProps {
  picture: Picture;
  outline: OutlinePart[];
  select: readonly string[];
  remove: readonly string[];
  onChoose: Choose;
}

export function PointAtPicture({ picture, outline, select, remove, onChoose }: PointProps): VNode {
  const { url, problem } = usePicture(picture.key);
  const targets = useMemo(() => targetsOf(picture, outline), [picture, outline]);
  const at = useSignal(-1);
  const near = useSignal(0);
  const pointed = useSignal("");
  const buttons = useRef<HTMLDivElement>(null);
  const go = (to: number) => {
    near.value = Math.min(targets.length - 1, Math.max(0, to));
    buttons.current?.querySelectorAll<HTMLElement>("button")[near.value]?.focus();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const by = { ArrowDown: 1, ArrowRight: 1, ArrowUp: -1, ArrowLeft: -1 }[event.key];
    if (by === undefined) return;
    event.preventDefault();
    go(near.value + by);
  };
  if (problem.value) return html`<p class="problem" role="alert">${problem.value}</p>`;
  if (!url.value) return html`<${Waiting} lines=${8} />`;
  const part = targets[at.value]?.part;
  return html`<section class="pointing" aria-label="Point at a picture of the page">
    <div class="pointing-page" tabindex="0" role="group" aria-label="Picture of the page">
      <div class="pointing-sheet" ref=${buttons} onKeyDown=${onKeyDown}>
        <img src=${url.value} alt="" />
        ${select.map(selector => html`<${Marks} key=${selector} picture=${picture} selector=${selector} kind="watched" />`)}
        ${remove.map(selector => html`<${Marks} key=${selector} picture=${picture} selector=${selector} kind="removed" />`)}
        ${targets.map(
          (
            { part: { text }, place, rank },
            index,
          ) => html`<button key=${index} type="button" class="pointing-part"
            style=${{ ...place, zIndex: rank + 1 }} aria-label=${text} aria-pressed=${index === at.value} tabindex=${index === near.value ? 0 : -1}
            onClick=${() => {
              near.value = index;
              at.value = index === at.value ? -1 : index;
            }}></button>`,
        )}
        ${pointed.value !== "" && html`<${Marks} picture=${picture} selector=${pointed.value} kind="pointed" />`}
      </div>
    </div>
    <div class="pointing-side" aria-live="polite">
      ${
        part
          ? html`<p class="breaks">“${part.text.length > 160 ? `${part.text.slice(0, 160)}…` : part.text}”</p>
            <${Proposals} part=${part} onChoose=${onChoose} onPoint=${(selector: string) => {
              pointed.value = selector;
            }} />`
          : html`<p class="soft">Click a part of the picture to watch it or to leave it out. Arrow keys go from part to part.</p>`
      }
      <ul class="pointing-legend">
        ${select.length > 0 && html`<li><span class="pointing-key is-watched" aria-hidden="true"></span>watched: <code class="breaks">${select.join(", ")}</code></li>`}
        ${remove.length > 0 && html`<li><span class="pointing-key is-removed" aria-hidden="true"></span>left out: <code class="breaks">${remove.join(", ")}</code></li>`}
        ${select.length + remove.length === 0 && html`<li>No part is chosen: the whole page is watched, but for what is no part of its content.</li>`}
      </ul>
    </div>
  </section>`;
}

function Marks({ picture, selector, kind }: { picture: Picture; selector: string; kind: string }): VNode {
  return html`${placesOf(picture, selector).map(
    (place, at) =>
      html`<span key=${at} class="pointing-mark is-${kind}" aria-hidden="true" style=${place}></span>`,
  )}`;
}
