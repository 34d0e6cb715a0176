import { existsSync } from "node:fs";
import type { BrowserBinary } from "../../mixins/browser/browser-process.ts";
import { findBrowser } from "../../mixins/browser/find-browser.ts";
import { type Helper, startHelper } from "./child.ts";
import { type Bench, interleave, median, type Outcome, rate, ratioOf, verdict } from "./compare.ts";
import { benchPages } from "./pages.ts";
import { startProgram } from "./program.ts";

const lanes = 4;
const rounds = 5;
const times = 4;
const fullChromium = "/usr/bin/chromium";

/** The browser of a side that is not Magpie. */
export interface PeerBrowser extends BrowserBinary {
  /** Beyond Puppeteer's own. */
  flags?: string[];
}

export interface BareRender {
  urls: string[];
  lanes: number;
}

/** Rendered scrapes against bare Puppeteer loops: reused pages, and a fresh context for each page on full Chromium. */
export const rendered: Bench = async () => {
  const site = await startHelper<never, string>("site.process.ts");
  const binary = await findBrowser(process.env.BROWSER_PATH, {
    searchPath: process.env.PATH ?? "",
    dataDir: "data",
  });
  if (binary === undefined) throw new Error("no browser on this machine");
  const reused = await startHelper<BareRender, number>("bare-render.process.ts", [
    "reused",
    JSON.stringify(binary),
  ]);
  const fresh = existsSync(fullChromium) ? await startFresh() : undefined;
  const program = await startProgram();
  try {
    const pages = benchPages("own").map(({ path }) => site.first + path);
    const urls = Array.from({ length: times }, () => pages).flat();
    const measured = await interleave(rounds, {
      magpie: () => rate(urls, lanes, url => expectBrowser(program.scrape(url))),
      reused: () => reused.ask({ urls, lanes }),
      // A single pass: this side takes many times as long as the others.
      fresh: async () => (await fresh?.ask({ urls: pages, lanes })) ?? Number.NaN,
    });
    return outcomes(measured, fresh !== undefined);
  } finally {
    await Promise.all([program.stop(), reused.stop(), fresh?.stop(), site.stop()]);
  }
};

function startFresh(): Promise<Helper<BareRender, number>> {
  const binary = { executablePath: fullChromium, kind: "full", env: {} };
  return startHelper("bare-render.process.ts", ["fresh", JSON.stringify(binary)]);
}

async function expectBrowser(scraped: Promise<{ engine: string }>): Promise<void> {
  const { engine } = await scraped;
  if (engine !== "browser") throw new Error(`a page was read by ${engine}, not the browser`);
}

function outcomes(
  { magpie, reused, fresh }: Record<"magpie" | "reused" | "fresh", number[]>,
  hasFull: boolean,
): Outcome[] {
  const ours = `rendered: magpie ${median(magpie).toFixed(1)}`;
  const first = ratioOf(magpie, reused);
  const text = `${ours}, puppeteer with reused pages ${median(reused).toFixed(1)} pages/s, ratio ${first.toFixed(2)}`;
  if (!hasFull)
    return [verdict(text, first, ">=", 0.6), { line: `rendered: no ${fullChromium} here, left out` }];
  const second = ratioOf(magpie, fresh);
  const other = `${ours}, fresh contexts on full Chromium ${median(fresh).toFixed(1)} pages/s, ratio ${second.toFixed(1)}`;
  return [verdict(text, first, ">=", 0.6), verdict(other, second, ">=", 3)];
}
