import { startHelper } from "./child.ts";
import { type Bench, type Outcome, rate, verdict } from "./compare.ts";
import { benchPages } from "./pages.ts";
import { descendants, kilobytes } from "./processes.ts";
import { type Program, startProgram } from "./program.ts";

const lanes = 4;
const scrapes = 2000;
const warmUp = 200;
/** Seven plain pages, then three rendered ones: 1,400 and 600 in all. */
const plainOfTen = 7;
const growthBarMb = 30;
const browserBarMb = 2048;
/** Two browsers while one replaces the other; each has a zygote or two, a network and a storage process, and a renderer for each of eight sessions and four pages that open. */
const processBar = 2 * 20;
const quietMs = 4000;

/** What the service and its browsers hold after 200 scrapes and after 2,000. */
export const memoryGrowth: Bench = async () => {
  const site = await startHelper<never, string>("site.process.ts");
  const program = await startProgram(["--expose-gc", "--import", "./test/bench/collect-on-signal.ts"]);
  const peak = { processes: 0, browserMb: 0 };
  const watch = setInterval(() => notePeak(program.pid, peak), 1000);
  try {
    const urls = mixedUrls(site.first);
    await rate(urls.slice(0, warmUp), lanes, program.scrape);
    const before = await settled(program, urls.slice(0, 20));
    await rate(urls.slice(warmUp), lanes, program.scrape);
    const after = await settled(program, urls.slice(0, 20));
    return outcomes(before, after, peak);
  } finally {
    clearInterval(watch);
    await Promise.all([program.stop(), site.stop()]);
  }
};

function mixedUrls(origin: string): string[] {
  const [plain, own] = [benchPages("none"), benchPages("own")];
  return Array.from({ length: scrapes }, (_, at) => {
    const set = at % 10 < plainOfTen ? plain : own;
    return `${origin}${set[at % set.length]?.path}?n=${at}`;
  });
}

function outcomes(before: number, after: number, peak: { processes: number; browserMb: number }): Outcome[] {
  const growth = after - before;
  return [
    verdict(
      `memory growth: service ${before.toFixed(0)} MB after ${warmUp} scrapes, ${after.toFixed(0)} MB after ${scrapes}, growth ${growth.toFixed(1)} MB`,
      growth,
      "<=",
      growthBarMb,
    ),
    verdict(
      `memory growth: browsers at most ${peak.browserMb.toFixed(0)} MB`,
      peak.browserMb,
      "<=",
      browserBarMb,
    ),
    verdict(`memory growth: browser processes at most ${peak.processes}`, peak.processes, "<=", processBar),
  ];
}

/**
 * Anonymous memory of the service process in MB: heaps of all threads, buffers, allocator. Files that are mapped are
 * left out, as the kernel drops and reads them at will. Taken after garbage was collected; a thread that waits for work
 * hears of that with its next page, hence the few scrapes.
 */
async function settled({ pid, scrape }: Program, urls: string[]): Promise<number> {
  process.kill(pid, "SIGUSR2");
  await rate(urls, lanes, scrape);
  process.kill(pid, "SIGUSR2");
  await new Promise(resolve => setTimeout(resolve, quietMs));
  return kilobytes(pid, "status", "RssAnon") / 1024;
}

/** The service's children and theirs are browsers and their parts. */
function notePeak(pid: number, peak: { processes: number; browserMb: number }): void {
  const browsers = descendants(pid);
  const sum = browsers.reduce((total, id) => total + kilobytes(id, "smaps_rollup", "Pss"), 0);
  peak.processes = Math.max(peak.processes, browsers.length);
  peak.browserMb = Math.max(peak.browserMb, sum / 1024);
}
