/*
 * The progress of a crawl as a bar and in numbers. The limit is not known here, so the bar shows the discovered pages.
 *
 *   html`<${ProgressBar} progress=${crawl.progress} />`
 */
import type { VNode } from "preact";
import type { CrawlProgress } from "../../services/contracts/crawler.contract.ts";
import { html } from "../html.ts";
import { count } from "../parts/time.ts";
import { ended, parts, segments, withoutPage } from "./progress-parts.ts";

export function ProgressBar({
  progress,
  isShort = false,
}: {
  progress: CrawlProgress;
  isShort?: boolean;
}): VNode {
  const shown = parts.filter(([name]) => progress[name] > 0);
  const words = shown.map(([name, word]) => `${count(progress[name])} ${word}`);
  return html`<div class="progress">
    <svg class="progress-bar" viewBox="0 0 100 6" preserveAspectRatio="none" role="img" aria-label=${words.join(", ") || "nothing yet"}>
      ${segments(progress).map(({ name, from, width }) => html`<rect key=${name} class="is-${name}" x=${from} width=${width} y="0" height="6" />`)}
    </svg>
    ${
      isShort
        ? html`<span class="number soft">${count(ended(progress))} of ${count(progress.discovered)}</span>${withoutPage(
            progress,
          ).map(words => html`<span key=${words} class="below number soft">${words}</span>`)}`
        : html`<ul class="progress-numbers">${parts.map(
            ([name, word]) =>
              html`<li key=${name}><span class="progress-key is-${name}" aria-hidden="true"></span><span class="number">${count(progress[name])}</span> ${word}</li>`,
          )}</ul>`
    }
  </div>`;
}
