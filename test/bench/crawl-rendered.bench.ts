import { findBrowser } from "../../mixins/browser/find-browser.ts";
import { startHelper } from "./child.ts";
import { type Bench, interleave, median, ratioOf, verdict } from "./compare.ts";
import { type CrawlJob, crawlRate } from "./crawl-run.ts";
import { installPeers } from "./peers/install.ts";
import { startProgram } from "./program.ts";

const pages = 300;
const concurrency = 4;
const rounds = 3;

/** A crawl of pages with scripts of their own, against Crawlee's PuppeteerCrawler on the same browser. */
export const crawlRendered: Bench = async () => {
  await installPeers();
  const binary = await findBrowser(process.env.BROWSER_PATH, {
    searchPath: process.env.PATH ?? "",
    dataDir: "data",
  });
  if (binary === undefined) throw new Error("no browser on this machine");
  const site = await startHelper<never, string>("crawl-site.process.ts", ["own", String(pages)]);
  const peer = await startHelper<CrawlJob & { concurrency: number }, number>(
    "peers/puppeteer-crawl.process.js",
    [JSON.stringify(binary)],
  );
  const lanes = String(concurrency);
  const settings = { CRAWL_CONCURRENCY: lanes, CRAWL_HOST_CONCURRENCY: lanes, BROWSER_PAGES: lanes };
  const program = await startProgram([], settings);
  try {
    const job = { url: site.first, pages };
    const { magpie, crawlee } = await interleave(rounds, {
      magpie: () => crawlRate(program, job, "browser"),
      crawlee: () => peer.ask({ ...job, concurrency }),
    });
    const ratio = ratioOf(magpie, crawlee);
    const text = `crawl rendered: magpie ${median(magpie).toFixed(1)}, Crawlee's PuppeteerCrawler + node-html-markdown ${median(crawlee).toFixed(1)} pages/s, ${concurrency} at a time, ratio ${ratio.toFixed(2)}`;
    return [verdict(text, ratio, ">=", 1.5)];
  } finally {
    await Promise.all([program.stop(), peer.stop(), site.stop()]);
  }
};
