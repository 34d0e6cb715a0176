import { startHelper } from "./child.ts";
import { type Bench, interleave, median, ratioOf, verdict } from "./compare.ts";
import { type CrawlJob, crawlRate } from "./crawl-run.ts";
import { installPeers } from "./peers/install.ts";
import { startProgram } from "./program.ts";

const pages = 2000;
const concurrency = 8;
const rounds = 3;

/** A crawl of plain pages, markdown each, against Crawlee's CheerioCrawler with node-html-markdown. */
export const crawl: Bench = async () => {
  await installPeers();
  const site = await startHelper<never, string>("crawl-site.process.ts", ["none", String(pages)]);
  const peer = await startHelper<CrawlJob & { concurrency: number }, number>(
    "peers/cheerio-crawl.process.js",
  );
  const lanes = String(concurrency);
  const program = await startProgram([], { CRAWL_CONCURRENCY: lanes, CRAWL_HOST_CONCURRENCY: lanes });
  try {
    const job = { url: site.first, pages };
    const { magpie, crawlee } = await interleave(rounds, {
      magpie: () => crawlRate(program, job, "http"),
      crawlee: () => peer.ask({ ...job, concurrency }),
    });
    const ratio = ratioOf(magpie, crawlee);
    const text = `crawl: magpie ${median(magpie).toFixed(1)}, Crawlee's CheerioCrawler + node-html-markdown ${median(crawlee).toFixed(1)} pages/s, ${concurrency} at a time, ratio ${ratio.toFixed(2)}`;
    return [verdict(text, ratio, ">=", 1.5)];
  } finally {
    await Promise.all([program.stop(), peer.stop(), site.stop()]);
  }
};
