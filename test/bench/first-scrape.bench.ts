import { setTimeout as delay } from "node:timers/promises";
import { startHelper } from "./child.ts";
import { type Bench, median, type Outcome, verdict } from "./compare.ts";
import { benchPages } from "./pages.ts";
import { startProgram } from "./program.ts";

const rounds = 5;
const nth = 10;
const bar = 2.5;
/** To read what the program prints, and to paste its line, takes as long. */
const pauseMs = 5000;
const ways = { plain: "none", rendered: "own" } as const;

/** The first scrape after a start with the default settings beside the tenth, plain and rendered: a program of its own for each round. */
export const firstScrape: Bench = async () => {
  const site = await startHelper<never, string>("site.process.ts");
  const outcomes: Outcome[] = [];
  try {
    for (const [way, scripts] of Object.entries(ways)) {
      const [{ path } = { path: "" }] = benchPages(scripts);
      const times: number[][] = [];
      for (let round = 0; round < rounds; round += 1) times.push(await firstTimes(site.first + path));
      const nthOf = (n: number) => median(times.map(each => each[n - 1] ?? Number.NaN));
      const [first, tenth] = [nthOf(1), nthOf(nth)];
      const text = `first-scrape: ${way}, ${first.toFixed(0)} ms the first, ${tenth.toFixed(0)} ms the tenth, factor ${(first / tenth).toFixed(2)}`;
      outcomes.push(verdict(text, first / tenth, "<=", bar));
    }
    return outcomes;
  } finally {
    await site.stop();
  }
};

async function firstTimes(url: string): Promise<number[]> {
  const program = await startProgram();
  const times: number[] = [];
  try {
    await delay(pauseMs);
    for (let n = 0; n < nth; n += 1) {
      const before = performance.now();
      await program.scrape(url);
      times.push(performance.now() - before);
    }
    return times;
  } finally {
    await program.stop();
  }
}
