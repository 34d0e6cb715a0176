import { startHelper } from "./child.ts";
import { type Bench, median, verdict } from "./compare.ts";
import { cpuOf } from "./cpu-parts.ts";
import { type CrawlJob, checkCrawl, crawlAll } from "./crawl-run.ts";
import { installPeers } from "./peers/install.ts";
import { startProgram } from "./program.ts";
import { costsOf, ratioOfCosts, showCosts } from "./whole-side.ts";

const pages = 1000;
const concurrency = 8;
const rounds = 5;

/** A crawl of plain pages, Markdown each, by whole processes: beside Crawlee's CheerioCrawler with node-html-markdown. */
export const crawl: Bench = async () => {
  await installPeers();
  const site = await startHelper<never, string>("crawl-site.process.ts", ["none", String(pages)]);
  const peer = await startHelper<CrawlJob & { concurrency: number }, number>(
    "peers/cheerio-crawl.process.js",
  );
  const lanes = String(concurrency);
  const program = await startProgram([], { CRAWL_CONCURRENCY: lanes, CRAWL_HOST_CONCURRENCY: lanes });
  const job = { url: site.first, pages };
  const crawls: string[] = [];
  const mainMs: number[] = [];
  const crawlOnce = async () => {
    const { result, parts } = await cpuOf(program.pid, () => crawlAll(program, job));
    crawls.push(result.id);
    mainMs.push((parts["main thread"] ?? Number.NaN) / pages);
    return { units: pages, perSecond: result.perSecond };
  };
  try {
    const { magpie, crawlee } = await costsOf(rounds, {
      magpie: { pids: [program.pid], run: crawlOnce },
      crawlee: {
        pids: [peer.pid],
        run: async () => ({ units: pages, perSecond: await peer.ask({ ...job, concurrency }) }),
      },
    });
    for (const id of crawls) await checkCrawl(program, id, "http");
    const ratio = ratioOfCosts(magpie, crawlee, "perSecond");
    const cpu = ratioOfCosts(magpie, crawlee, "cpuMs");
    const text = `crawl, ${concurrency} at a time: magpie ${showCosts(magpie, "page")}; Crawlee's CheerioCrawler + node-html-markdown ${showCosts(crawlee, "page")}; ratio ${ratio.toFixed(2)}, of CPU ${cpu.toFixed(2)}`;
    // The first round warms up.
    const main = median(mainMs.slice(1));
    return [
      verdict(text, ratio, ">=", 3),
      verdict(`crawl: the main thread takes ${main.toFixed(2)} ms a page`, main, "<=", 2.5),
    ];
  } finally {
    await Promise.all([program.stop(), peer.stop(), site.stop()]);
  }
};
