import { type Helper, startHelper } from "../../test/bench/child.ts";
import { median, type Outcome, verdict } from "../../test/bench/compare.ts";
import { type PageScore, scorePage, scoreTable } from "../train/measure.ts";
import { overPages, pageSet } from "./page-set.ts";

const maxMs = 9;
const minRatio = 4;

const names = ["magpie", "readability + node-html-markdown", "defuddle", "node-html-markdown"] as const;
export type ReaderName = (typeof names)[number];

/** What a reader made of a page: its text, null where it failed, and the CPU time that it took. */
export interface Reading {
  text: string | null;
  ms: number;
  /** The least of several readings in a row: what else runs on a machine and its host only adds to a time. */
  leastMs: number;
}

/**
 * Main content of each page beside what people marked, and the CPU time from HTML to Markdown (of Defuddle to HTML): all
 * readers read one page after another, in turn, each in a process of its own, so that none collects another's garbage.
 */
export const reading = overPages("reading", async folder => {
  const scores: PageScore[] = [];
  const times = Object.fromEntries(names.map(name => [name, [] as number[]])) as Record<ReaderName, number[]>;
  const least: number[] = [];
  const failed = new Map<ReaderName, number>();
  const readers = await startReaders(folder);
  let count = 0;
  for (const page of pageSet(folder)) {
    count += 1;
    for (const name of inTurn(count)) {
      const { text, ms, leastMs } = await readers[name].ask("next");
      if (text === null) failed.set(name, (failed.get(name) ?? 0) + 1);
      scores.push(scorePage(text ?? "", { ...page, name: page.id, set: name }));
      times[name].push(ms);
      if (name === "magpie") least.push(leastMs);
    }
  }
  await Promise.all(names.map(name => readers[name].stop()));
  const failures = [...failed].map(([name, pages]) => `${name} failed on ${pages} pages`);
  return [
    { line: scoreTable(scores) },
    ...failures.map(line => ({ line: `reading: ${line}` })),
    ...speeds(times, least),
  ];
});

async function startReaders(folder: string): Promise<Record<ReaderName, Helper<string, Reading>>> {
  const started = names.map(async name => [
    name,
    await startHelper<string, Reading, string>("reading.process.ts", [name, folder]),
  ]);
  return Object.fromEntries(await Promise.all(started));
}

/** All readers, another one first for each page. */
function inTurn(page: number): ReaderName[] {
  const start = page % names.length;
  return [...names.slice(start), ...names.slice(0, start)];
}

/** Readers are compared by the first reading of each page; the bar of Magpie's time is for the least of several. */
function speeds(times: Record<ReaderName, number[]>, least: number[]): Outcome[] {
  const ours = median(least);
  return names.map(name => {
    const ratio = median(
      times[name]
        .map((ms, page) => ms / (times.magpie[page] || Number.NaN))
        .filter(each => !Number.isNaN(each)),
    );
    const text = `reading: ${name} ${median(times[name]).toFixed(1)} ms of CPU a page at the median, ${ratio.toFixed(2)} times magpie`;
    if (name === "magpie")
      return verdict(`${text}, the least of several readings ${ours.toFixed(1)} ms`, ours, "<=", maxMs);
    return name.startsWith("readability") ? verdict(text, ratio, ">=", minRatio) : { line: text };
  });
}
