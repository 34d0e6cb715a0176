/* One scrape: its state, and its result once there is one. */
import type { VNode } from "preact";
import { useState } from "preact/hooks";
import type { ScrapeJob } from "../../services/contracts/scraper.contract.ts";
import { html } from "../html.ts";
import { Cancel } from "../jobs/cancel.ts";
import { JobMark } from "../jobs/job-marks.ts";
import { Problem, Waiting } from "../parts/state.ts";
import { ResultFacts } from "../results/result-facts.ts";
import { ScrapeResult } from "../results/scrape-result.ts";
import { link } from "../shell/address.ts";
import { get } from "../shell/client.ts";
import { useLive } from "../shell/live.ts";
import { Head, type Page } from "../shell/page.ts";

const pendingMs = 1500;
/** A scrape that has ended does not change. */
const endedMs = 3_600_000;

function Scrape({ id }: { id: string }): VNode {
  const [isEnded, setEnded] = useState(false);
  const live = useLive(
    async signal => {
      const job = await get<ScrapeJob>(`/web/scrape/${encodeURIComponent(id)}`, { signal });
      setEnded(job.status !== "pending");
      return job;
    },
    [id, isEnded],
    { isKept: true, renewMs: isEnded ? endedMs : pendingMs },
  );
  const job = live.data;
  return html`<${Head} title="Scrape" lead=${html`<a href=${link("/scrapes")}>All scrapes</a>`}>
      ${job?.status === "pending" && html`<${Cancel} kind="scrape" id=${id} name="this scrape" onCancelled=${live.renew} />`}
      ${job && html`<a class="button" href=${link("/playground", { url: job.url })}>Open in the playground</a>`}
    <//>
    <${Problem} error=${live.error} />
    ${!job && !live.error && html`<${Waiting} lines=${6} />`}
    ${job && html`<${Job} job=${job} />`}`;
}

function Job({ job }: { job: ScrapeJob }): VNode {
  const { url, status, data, error, started_at, ended_at } = job;
  return html`<div class="job-head" role="status"><h2 class="breaks">${data?.metadata.title || url}</h2><${JobMark} state=${status} code=${data?.metadata.status_code} /></div>
    <p class="soft breaks">${url}</p>
    ${data && html`<${ResultFacts} metadata=${data.metadata} started_at=${started_at} ended_at=${ended_at} />`}
    ${error && html`<p class="problem">${error.message} <span class="faint"><code>${error.code}</code></span></p>`}
    ${data && html`<div class="panel job-result"><${ScrapeResult} data=${data} /></div>`}
    ${status === "pending" && html`<p class="soft">The page is being read, or waits in the queue. The result appears here as soon as it is ready.</p>`}`;
}

export const scrapePage: Page = {
  path: "/scrapes/:id",
  title: "Scrape",
  roles: ["admin", "owner", "key"],
  asKey: ["admin", "owner"],
  view: Scrape,
};
