import { startHelper } from "./child.ts";
import { type Bench, interleave, median, rate, ratioOf, verdict } from "./compare.ts";
import { benchPages } from "./pages.ts";
import { startProgram } from "./program.ts";

const lanes = 4;
const rounds = 7;
const times = 10;

/** Plain scrapes against a bare loop of undici and node-html-markdown, and how many pages go the plain way at all. */
export const plain: Bench = async () => {
  const site = await startHelper<never, string>("site.process.ts");
  const bare = await startHelper<{ urls: string[]; lanes: number }, number>("bare-plain.process.ts");
  const program = await startProgram();
  try {
    const pages = benchPages("none").map(({ path }) => site.first + path);
    const urls = Array.from({ length: times }, () => pages).flat();
    const measured = await interleave(rounds, {
      magpie: () => rate(urls, lanes, url => expectEngine(program.scrape(url), "http")),
      bare: () => bare.ask({ urls, lanes }),
    });
    const ratio = ratioOf(measured.magpie, measured.bare);
    const text = `plain: magpie ${median(measured.magpie).toFixed(1)}, undici + node-html-markdown ${median(measured.bare).toFixed(1)} pages/s, ratio ${ratio.toFixed(2)}`;
    return [verdict(text, ratio, ">=", 0.6), { line: await share(site.first, program.scrape) }];
  } finally {
    await Promise.all([program.stop(), bare.stop(), site.stop()]);
  }
};

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
