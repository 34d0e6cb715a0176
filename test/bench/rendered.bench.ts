import { existsSync } from "node:fs";
import { type BrowserBinary, browserArguments } from "../../mixins/browser/browser-process.ts";
import { findBrowser } from "../../mixins/browser/find-browser.ts";
import { type Helper, startHelper } from "./child.ts";
import { type Bench, interleave, median, type Outcome, rate, ratioOf, verdict } from "./compare.ts";
import { type CpuParts, cpuOf } from "./cpu-parts.ts";
import { benchPages } from "./pages.ts";
import { startProgram } from "./program.ts";

const lanes = 4;
const rounds = 5;
const times = 4;
/** Passes over the pages before anything is measured: a service renders for days, and V8 compiles in the first minute. */
const warmUps = 10;
/** Beside the loop, and beside the one that writes Markdown. */
const bars = { reused: 0.45, markdown: 0.6 };
const goal = 0.65;
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

interface Cost {
  perSecond: number;
  /** Milliseconds a page, by part. */
  cpu: CpuParts;
}

/**
 * Rendered scrapes against bare Puppeteer loops: reused pages with Magpie's flags, the same with Markdown, and a fresh
 * context for each page on full Chromium. The reuse loop is compared by CPU time: Magpie runs its browser at a low
 * priority, so that on a machine with other work a count by the clock also measures that work.
 */
export const rendered: Bench = async () => {
  const site = await startHelper<never, string>("site.process.ts");
  const binary = await findBrowser(process.env.BROWSER_PATH, {
    searchPath: process.env.PATH ?? "",
    dataDir: "data",
  });
  if (binary === undefined) throw new Error("no browser on this machine");
  // All but what leads to the proxy of the guard.
  const flags = browserArguments.filter(flag => !flag.startsWith("--proxy-"));
  const reused = await startLoop("reused", { ...binary, flags });
  const markdown = await startLoop("markdown", { ...binary, flags });
  const full: BrowserBinary = { executablePath: fullChromium, kind: "full", env: {} };
  const fresh = existsSync(fullChromium) ? await startLoop("fresh", full) : undefined;
  const program = await startProgram();
  try {
    const pages = benchPages("own").map(({ path }) => site.first + path);
    const urls = Array.from({ length: times }, () => pages).flat();
    const warmed = Array.from({ length: warmUps }, () => pages).flat();
    await rate(warmed, lanes, url => expectBrowser(program.scrape(url)));
    for (const loop of [reused, markdown]) await loop.ask({ urls: warmed, lanes });
    const measured = await interleave<Name, Cost>(rounds, {
      magpie: () =>
        cost(program.pid, urls.length, () => rate(urls, lanes, url => expectBrowser(program.scrape(url)))),
      reused: () => cost(reused.pid, urls.length, () => reused.ask({ urls, lanes })),
      markdown: () => cost(markdown.pid, urls.length, () => markdown.ask({ urls, lanes })),
      // A single pass: this side takes many times as long as the others.
      fresh: async () =>
        fresh === undefined
          ? { perSecond: Number.NaN, cpu: {} }
          : await cost(fresh.pid, pages.length, () => fresh.ask({ urls: pages, lanes })),
    });
    return outcomes(measured, fresh !== undefined);
  } finally {
    await Promise.all([program.stop(), reused.stop(), markdown.stop(), fresh?.stop(), site.stop()]);
  }
};

type Name = "magpie" | "reused" | "markdown" | "fresh";

function startLoop(mode: string, browser: PeerBrowser): Promise<Helper<BareRender, number>> {
  return startHelper("bare-render.process.ts", [mode, JSON.stringify(browser)]);
}

async function cost(pid: number, pages: number, run: () => Promise<number>): Promise<Cost> {
  const { result: perSecond, parts } = await cpuOf(pid, run);
  return {
    perSecond,
    cpu: Object.fromEntries(Object.entries(parts).map(([part, ms]) => [part, ms / pages])),
  };
}

async function expectBrowser(scraped: Promise<{ engine: string }>): Promise<void> {
  const { engine } = await scraped;
  if (engine !== "browser") throw new Error(`a page was read by ${engine}, not the browser`);
}

function outcomes(measured: Record<Name, Cost[]>, hasFull: boolean): Outcome[] {
  const { magpie, reused, markdown, fresh } = measured;
  const [clock, others] = [magpie, reused].map(side => side.map(({ perSecond }) => perSecond));
  const ratio = ratioOf(reused.map(total), magpie.map(total));
  const beside = (side: Cost[]) => `${median(side.map(total)).toFixed(1)} ms of CPU a page`;
  const text =
    `rendered: magpie ${beside(magpie)}, puppeteer with reused pages ${beside(reused)}, ratio ${ratio.toFixed(2)}, ` +
    `goal ${goal}; by the clock ${median(clock ?? []).toFixed(1)} and ${median(others ?? []).toFixed(1)} pages/s, ` +
    `ratio ${ratioOf(clock ?? [], others ?? []).toFixed(2)}`;
  const same = ratioOf(markdown.map(total), magpie.map(total));
  const lines: Outcome[] = [
    verdict(text, ratio, ">=", bars.reused),
    verdict(
      `rendered: the loop that also writes Markdown ${beside(markdown)}, ratio ${same.toFixed(2)}`,
      same,
      ">=",
      bars.markdown,
    ),
    { line: `rendered, ms of CPU a page: magpie: ${profile(magpie)}` },
    { line: `rendered, ms of CPU a page: reused pages: ${profile(reused)}` },
  ];
  if (!hasFull) return [...lines, { line: `rendered: no ${fullChromium} here, left out` }];
  const slow = fresh.map(({ perSecond }) => perSecond);
  const second = ratioOf(clock ?? [], slow);
  const other = `rendered: fresh contexts on full Chromium ${median(slow).toFixed(1)} pages/s, ratio ${second.toFixed(1)}`;
  return [...lines, verdict(other, second, ">=", 3)];
}

function total({ cpu }: Cost): number {
  return Object.values(cpu).reduce((sum, ms) => sum + ms, 0);
}

/** The medians of the parts, the largest first. */
function profile(side: Cost[]): string {
  const parts = [...new Set(side.flatMap(({ cpu }) => Object.keys(cpu)))];
  return parts
    .map(part => ({ part, ms: median(side.map(({ cpu }) => cpu[part] ?? 0)) }))
    .toSorted((a, b) => b.ms - a.ms)
    .map(({ part, ms }) => `${part} ${ms.toFixed(1)}`)
    .join(", ");
}
