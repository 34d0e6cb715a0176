/** Fills the frontier of one crawl in the embedded store, and measures its steps. */
import { statSync } from "node:fs";
import { join } from "node:path";
import { openEmbeddedFrontier } from "../../mixins/frontier/embedded.frontier.ts";
import type { Candidate, Frontier } from "../../mixins/frontier/frontier.ts";
import { collectGarbage } from "../support/collect-garbage.ts";
import { type Cost, timedSteps } from "./growth.ts";
import { measureStalls } from "./stalls.ts";

export interface FrontierQuestion {
  folder: string;
  pages: number;
}

const [id, fence] = ["crw_bench", 1];
/** Links of one page. */
const links = 100;
const mostSteps = 500;

process.once("message", async ({ folder, pages }: FrontierQuestion) => {
  process.send?.(await measure(folder, pages));
});
process.once("disconnect", () => process.exit());
process.send?.("ready");

async function measure(folder: string, pages: number): Promise<Cost[]> {
  const path = join(folder, "magpie.db");
  const frontier = openEmbeddedFrontier(path);
  await frontier.open(id, fence, { limit: pages, maxDiscovered: 2 * pages });
  collectGarbage();
  const before = process.memoryUsage().rss;
  const adding = await timedSteps(`offer of ${links} new pages`, pages / links, n =>
    frontier.offer(id, fence, offered(n)),
  );
  collectGarbage();
  const memory = process.memoryUsage().rss - before;
  const costs: Cost[] = [
    { name: "bytes on disk of a page", value: statSync(path).size / pages, unit: "B" },
    { name: "memory beyond that of an empty frontier", value: memory / 1024 / 1024, unit: "MB" },
    ...adding,
    ...(await use(frontier, pages)),
  ];
  const stalls = measureStalls();
  costs.push(
    ...(await whole("skip of 1,000 pages at the end", pages, () => frontier.finish(id, fence, "limit"))),
  );
  costs.push(...(await whole("removal of 1,000 pages", pages, () => frontier.drop(id))));
  const { longestMs, longestCpuMs } = stalls();
  await frontier.close();
  return [
    ...costs,
    { name: "longest stall of end and removal", value: longestMs, unit: "ms" },
    { name: "longest stall of end and removal, CPU", value: longestCpuMs, unit: "ms" },
  ];
}

async function use(frontier: Frontier, pages: number): Promise<Cost[]> {
  const steps = Math.min(mostSteps, pages / links);
  return [
    ...(await timedSteps(`offer of ${links} known pages`, steps, n =>
      frontier.offer(id, fence, offered((n * 7919) % (pages / links))),
    )),
    ...(await timedSteps("8 pages taken and ended with links", steps, async n => {
      const taken = await frontier.take(id, fence, 8, Date.now());
      const outcome = { state: "completed" as const };
      await Promise.all(
        taken.map(({ key }) => frontier.settle(id, fence, key, outcome, offered(n % (pages / links)))),
      );
    })),
    ...(await timedSteps("status", steps, () => frontier.counts(id))),
    ...(await timedSteps("page of results", steps, n =>
      frontier.settled(id, { after: n, limit: 100, states: ["completed"] }),
    )),
  ];
}

/** The CPU time of a thousand pages of a step over all. */
async function whole(name: string, pages: number, step: () => Promise<unknown>): Promise<Cost[]> {
  const cpu = process.cpuUsage();
  await step();
  const { user, system } = process.cpuUsage(cpu);
  return [{ name: `${name}, CPU`, value: (user + system) / pages, unit: "ms" }];
}

/** Keys do not come in their order, as on real sites. */
function offered(n: number): Candidate[] {
  return Array.from({ length: links }, (_, at) => {
    const page = n * links + at;
    const path = `${((page * 2_654_435_761) % 4_294_967_296).toString(16)}/an-article-with-a-name-${page}`;
    const url = `https://www.site.example/${path}`;
    return { key: url, url, depth: 1 + (n % 5), hops: 0, from: "https://www.site.example/", external: false };
  });
}
