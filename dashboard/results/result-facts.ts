/* The facts of how a page was read, in a line. */
import type { VNode } from "preact";
import type { ScrapeData } from "../../services/contracts/page.contract.ts";
import { html } from "../html.ts";
import { took } from "../jobs/job-marks.ts";
import { plural } from "../parts/time.ts";

interface FactsProps {
  metadata: ScrapeData["metadata"];
  started_at?: string | undefined;
  ended_at?: string | undefined;
}

export function ResultFacts({ metadata, started_at, ended_at }: FactsProps): VNode {
  const { status_code, engine, content_type, word_count, proxy_location } = metadata;
  const facts = [
    took(started_at, ended_at),
    `status ${status_code}`,
    engine === "browser" ? "in a browser" : "plain fetch",
    content_type,
    word_count !== undefined && plural(word_count, "word"),
    proxy_location && `from ${proxy_location}`,
  ].filter(fact => typeof fact === "string" && fact !== "");
  return html`<p class="result-facts soft number">${facts.join(" · ")}</p>`;
}
