/* The outcome of the request: the result, or a link to the job. */
import { useSignal } from "@preact/signals";
import type { VNode } from "preact";
import { useEffect } from "preact/hooks";
import type { FinishedScrape } from "../../services/contracts/scraper.contract.ts";
import { html } from "../html.ts";
import { Empty } from "../parts/state.ts";
import { duration } from "../parts/time.ts";
import { ResultFacts } from "../results/result-facts.ts";
import { ScrapeResult } from "../results/scrape-result.ts";
import { link, navigate } from "../shell/address.ts";
import { SecretOnce } from "../webhook/secret-once.ts";
import type { What } from "./load-options.ts";

export type Run =
  | { state: "none" }
  | { state: "running" }
  | { state: "finished"; job: FinishedScrape; tookMs: number }
  | { state: "accepted"; id: string; secret: string | undefined }
  | { state: "late"; id: string; message: string };

export function Outcome({ run, what }: { run: Run; what: What }): VNode {
  return html`<section class="panel outcome" aria-label="Result">
    <p class="unseen" role="status">${spoken(run)}</p>
    ${view(run, what)}
  </section>`;
}

function spoken(run: Run): string {
  if (run.state === "running") return "The page is being read.";
  return run.state === "finished" ? `Done in ${duration(run.tookMs / 1000)}.` : "";
}

function view(run: Run, what: What): VNode {
  switch (run.state) {
    case "none":
      return html`<${Empty} title=${what === "scrape" ? "The result appears here" : "A crawl opens on its own page"}>
        <p>${what === "scrape" ? "Type an address and press Scrape." : "Type an address and press Crawl: you see its pages as they are read."}</p><//>`;
    case "running":
      return html`<${Running} />`;
    case "finished":
      return html`<${Finished} job=${run.job} tookMs=${run.tookMs} />`;
    case "accepted":
      return html`<${Accepted} id=${run.id} secret=${run.secret} what=${what} />`;
    case "late":
      return html`<p class="problem" role="alert">${run.message}</p>
        <p><a href=${link(`/scrapes/${run.id}`)}>See the scrape</a>, which continues.</p>`;
  }
}

function Running(): VNode {
  const seconds = useSignal(0);
  useEffect(() => {
    const begun = performance.now();
    const timer = setInterval(() => {
      seconds.value = Math.floor((performance.now() - begun) / 1000);
    }, 250);
    return () => clearInterval(timer);
  }, []);
  return html`<div class="empty"><p class="empty-title">Reading the page</p>
    <p class="number" aria-hidden="true">${seconds.value} s</p></div>`;
}

function Finished({ job, tookMs }: { job: FinishedScrape; tookMs: number }): VNode {
  const { data, url, scrape_id, started_at, ended_at } = job;
  return html`<div class="outcome-head">
      <h2 class="breaks">${data.metadata.title || url}</h2>
      <${ResultFacts} metadata=${data.metadata} started_at=${started_at} ended_at=${ended_at} />
      <p class="soft outcome-links">Answered in <span class="number">${duration(tookMs / 1000)}</span> · <a href=${link(`/scrapes/${scrape_id}`)}>a link to this result</a></p>
    </div>
    <${ScrapeResult} key=${scrape_id} data=${data} />`;
}

/** Goes to the page of the job, after a secret that is shown once. */
function Accepted({ id, secret, what }: { id: string; secret: string | undefined; what: What }): VNode {
  const go = () => navigate(`/${what}s/${id}`);
  useEffect(() => {
    if (secret === undefined) go();
  }, [id]);
  return html`<p>The ${what} is accepted. <a href=${link(`/${what}s/${id}`)}>See the ${what}</a></p>
    ${secret !== undefined && html`<${SecretOnce} secret=${secret} onClose=${go} />`}`;
}
