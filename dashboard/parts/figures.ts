/*
 * A row of numbers with their names.
 *
 *   html`<${Figures} figures=${[{ name: "Sources", value: 12, href: link("/sources"), note: "2 fail" }]} />`
 */
import type { ComponentChildren, VNode } from "preact";
import { html } from "../html.ts";
import { count } from "./time.ts";

export interface Figure {
  name: string;
  /** Null where it could not be read. */
  value: number | null;
  /** The address that the name links to. */
  href?: string;
  note?: ComponentChildren;
}

export function Figures({ figures }: { figures: Figure[] }): VNode {
  return html`<dl class="figures">${figures.map(
    ({ name, value, href, note }) => html`<div key=${name}>
      <dt>${href ? html`<a href=${href}>${name}</a>` : name}</dt>
      <dd class="number">${value === null ? html`<span aria-hidden="true">–</span><span class="unseen">not known</span>` : count(value)}</dd>
      <dd class="figure-note">${note}</dd>
    </div>`,
  )}</dl>`;
}
