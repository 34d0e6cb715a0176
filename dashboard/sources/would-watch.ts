/* The preview of a source before it is tracked: the entries of a feed or an account, the pages of a site, the text of a page. */
import type { VNode } from "preact";
import type { Preview } from "../../services/contracts/preview.contract.ts";
import type { SourceKind } from "../../services/contracts/source.ts";
import { html } from "../html.ts";
import { Markdown, outside } from "../parts/markdown.ts";
import { plural, Time } from "../parts/time.ts";
import type { Previewed } from "../watch/preview.ts";
import { kindInWords, kindOf } from "./kinds.ts";

export function WouldWatch({ preview }: { preview: Previewed }): VNode {
  const { name, url, text, items, view, message } = preview;
  const address = url === null ? undefined : outside(url);
  const entries = entryNames[kindOf(preview)] ?? "Entries";
  return html`<section class="would-watch panel" aria-label="What would be watched">
    <h3 class="breaks">${name}</h3>
    <p class="soft">${kindInWords(preview)}${
      address &&
      html` · <a class="breaks" href=${address} target="_blank" rel="noopener noreferrer">${address}</a>`
    }</p>
    ${preview.source === "SITE" && html`<p class="soft">${message}</p>`}
    ${view && view.would_fire !== null && html`<p class=${view.would_fire || view.change ? "soft" : "problem"}>${view.why}</p>`}
    ${view?.past && html`<p class="soft">${view.past.why}</p>`}
    ${view?.fields && html`<${Fields} fields=${view.fields} />`}
    ${view && view.lines_ignored > 0 && html`<p class="soft">${plural(view.lines_ignored, "line")} ${view.lines_ignored === 1 ? "is" : "are"} ignored.</p>`}
    ${items && items.length > 0 && html`<${Items} items=${items} label=${entries} />`}
    ${items?.length === 0 && html`<p>There are no ${entries.toLowerCase()} now. Each new one becomes an event.</p>`}
    ${text !== null && html`<div class="would-watch-text" tabindex="0" role="region" aria-label="Text of the page"><${Markdown} text=${text} /></div>`}
    ${text === null && items === null && html`<p>What is published from now on becomes an event.</p>`}
  </section>`;
}

const entryNames: Partial<Record<SourceKind, string>> = { site: "Pages", search: "Results" };

function Fields({ fields }: { fields: Record<string, unknown> }): VNode {
  return html`<dl class="facts">${Object.entries(fields).map(
    ([name, value]) =>
      html`<div key=${name}><dt>${name}</dt><dd class="breaks">${typeof value === "string" ? value : JSON.stringify(value)}</dd></div>`,
  )}</dl>`;
}

function Items({ items, label }: { items: NonNullable<Preview["items"]>; label: string }): VNode {
  return html`<div class="would-watch-items" tabindex="0" role="region" aria-label=${label}><ol>
    ${items.map(({ title, url, published_at }, at) => {
      const address = url === null ? undefined : outside(url);
      return html`<li key=${at}>
        ${
          address === undefined
            ? html`<span class="breaks">${title ?? "Untitled"}</span>`
            : html`<a class="breaks" href=${address} target="_blank" rel="noopener noreferrer">${title ?? address}</a>`
        }
        ${published_at && html`<span class="faint"><${Time} at=${published_at} /></span>`}
      </li>`;
    })}
  </ol></div>`;
}
