import { startHelper } from "./child.ts";
import { type Bench, rate, verdict } from "./compare.ts";
import { benchPages } from "./pages.ts";
import { plainScrapers } from "./peers/page-peers.ts";
import { startProgram } from "./program.ts";
import { costsOf, ratioOfCosts, showCosts } from "./whole-side.ts";

const lanes = 4;
const rounds = 5;
const times = 10;
/** The peers that are measured beside: one that takes the whole page, and one that finds its main content. */
const bareLoop = "undici + node-html-markdown";
const goReader = "colly + go-readability + html-to-markdown";

/** Plain scrapes by whole processes, beside a bare loop and a reader in Go, and how many pages go the plain way at all. */
export const plain: Bench = async () => {
  const site = await startHelper<never, string>("site.process.ts");
  const [bare, go] = [await startPeer(bareLoop), await startPeer(goReader)];
  const program = await startProgram();
  try {
    const pages = benchPages("none").map(({ path }) => site.first + path);
    const urls = Array.from({ length: times }, () => pages).flat();
    const sideOf = (pids: number[], perSecond: () => Promise<number>) => ({
      pids,
      run: async () => ({ units: urls.length, perSecond: await perSecond() }),
    });
    const costs = await costsOf(rounds, {
      magpie: sideOf([program.pid], () =>
        rate(urls, lanes, url => expectEngine(program.scrape(url), "http")),
      ),
      bare: sideOf(bare.pids, () => bare.ask({ urls, lanes })),
      go: sideOf(go.pids, () => go.ask({ urls, lanes })),
    });
    const clock = ratioOfCosts(costs.magpie, costs.bare, "perSecond");
    const cpu = ratioOfCosts(costs.magpie, costs.go, "cpuMs");
    const text = `plain, ${lanes} at a time: magpie ${showCosts(costs.magpie, "page")}`;
    return [
      verdict(
        `${text}; ${bareLoop} ${showCosts(costs.bare, "page")}; ratio ${clock.toFixed(2)}`,
        clock,
        ">=",
        0.6,
      ),
      verdict(
        `plain: ${goReader} ${showCosts(costs.go, "page")}; magpie takes ${cpu.toFixed(2)} of its CPU`,
        cpu,
        "<=",
        1,
      ),
      { line: await share(site.first, program.scrape) },
    ];
  } finally {
    await Promise.all([program.stop(), bare.stop(), go.stop(), site.stop()]);
  }
};

async function startPeer(name: string) {
  const start = plainScrapers[name];
  if (!start) throw new Error(`There is no peer ${name}.`);
  return await start();
}

async function share(origin: string, scrape: (url: string) => Promise<{ engine: string }>): Promise<string> {
  const mixed = (["none", "trackers", "own"] as const).flatMap(benchPages);
  const engines = await Promise.all(mixed.map(async ({ path }) => (await scrape(origin + path)).engine));
  const count = engines.filter(engine => engine === "http").length;
  return `plain way: ${count} of ${mixed.length} pages of a mixed set (a third each: no scripts, trackers only, own scripts)`;
}

async function expectEngine(scraped: Promise<{ engine: string }>, wanted: string): Promise<void> {
  const { engine } = await scraped;
  if (engine !== wanted) throw new Error(`a page was read by ${engine}, not ${wanted}`);
}
