import { readFileSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import { startHelper } from "./child.ts";
import { type Bench, verdict } from "./compare.ts";
import { beginCrawl, untilCrawl } from "./crawl-run.ts";
import { type Program, startProgram } from "./program.ts";

const few = 200;
const many = 20_000;
const barMb = 50;
const quietMs = 4000;

/**
 * What the service holds in the midst of a crawl that knows 20,000 pages, over what it holds when it knows 200. Both
 * have read as many pages then, and wait for one that the site keeps back.
 */
export const crawlMemory: Bench = async () => {
  const site = await startHelper<"release", string>("crawl-wide-site.process.ts");
  const program = await startProgram(["--expose-gc", "--import", "./test/bench/collect-on-signal.ts"], {
    CRAWL_CONCURRENCY: "8",
    CRAWL_HOST_CONCURRENCY: "8",
  });
  try {
    const measure = (discovered: number) =>
      holding(program, `${site.first}/${discovered}/`, discovered, site.ask);
    // What is set up once is so before.
    await measure(few);
    const before = await measure(few);
    const after = await measure(many);
    const growth = after - before;
    const text = `crawl memory: service ${before.toFixed(0)} MB with ${few} pages discovered, ${after.toFixed(0)} MB with ${many}, growth ${growth.toFixed(1)} MB`;
    return [verdict(text, growth, "<=", barMb)];
  } finally {
    await Promise.all([program.stop(), site.stop()]);
  }
};

async function holding(
  program: Program,
  url: string,
  discovered: number,
  release: (question: "release") => Promise<string>,
): Promise<number> {
  const id = await beginCrawl(program, url, few);
  await untilCrawl(program, id, ({ progress }) => {
    return progress.discovered >= discovered && progress.completed === few - 1 && progress.running === 1;
  });
  const megabytes = await settled(program.pid);
  await release("release");
  await untilCrawl(program, id, ({ status }) => status !== "crawling");
  return megabytes;
}

/** Anonymous memory once all threads have collected their garbage. */
async function settled(pid: number): Promise<number> {
  process.kill(pid, "SIGUSR2");
  await delay(quietMs);
  return Number(/^RssAnon:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, "latin1"))?.[1]) / 1024;
}
