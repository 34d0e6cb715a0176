import { type Helper, startHelper } from "../../test/bench/child.ts";
import { median, type Outcome, verdict } from "../../test/bench/compare.ts";
import {
  type PageReaderName,
  pageReaderNames,
  startPageReader,
} from "../../test/bench/peers/page-readers.ts";
import { type PageScore, scorePage, scoreTable } from "../train/measure.ts";
import { overPages, pageSet } from "./page-set.ts";

const maxMs = 9;
const minRatio = 4;

const ownNames = ["magpie", "readability + node-html-markdown", "defuddle", "node-html-markdown"] as const;
export type OwnReaderName = (typeof ownNames)[number];
/** What is read here, and programs in other languages. */
type ReaderName = OwnReaderName | PageReaderName;

/** What a reader made of a page: its text, null where it failed, and the CPU time that it took. */
export interface Reading {
  text: string | null;
  ms: number;
  /** The least of several readings in a row: what else runs on a machine and its host only adds to a time. */
  leastMs: number;
}

/**
 * Main content of each page beside what people marked, by the pages' types, and the CPU time from HTML to Markdown (of
 * Defuddle to HTML): all readers read one page after another, in turn, each in a process of its own, so that none
 * collects another's garbage. A reader that cannot be installed is left out with a line that says so.
 */
export const reading = overPages("reading", async folder => {
  const { installed, skipped } = await installedPeers();
  const names: ReaderName[] = [...ownNames, ...installed];
  const scores: PageScore[] = [];
  const times = new Map(names.map(name => [name, [] as number[]]));
  const least: number[] = [];
  const failed = new Map<ReaderName, number>();
  const readers = await startReaders(names, folder);
  let count = 0;
  for (const page of pageSet(folder)) {
    count += 1;
    for (const [name, reader] of inTurn(readers, count)) {
      const { text, ms, leastMs } = await reader.ask("next");
      if (text === null) failed.set(name, (failed.get(name) ?? 0) + 1);
      scores.push(scorePage(text ?? "", { ...page, name: page.id, set: name }));
      times.get(name)?.push(ms);
      if (name === "magpie") least.push(leastMs);
    }
  }
  await Promise.all(readers.map(([, reader]) => reader.stop()));
  const failures = [...failed].map(([name, pages]) => `${name} found nothing on ${pages} pages`);
  return [
    { line: scoreTable(scores) },
    ...[...skipped, ...failures].map(line => ({ line: `reading: ${line}` })),
    ...speeds(times, least),
  ];
});

/** The peers that this machine has or can get, and a line for each of the others. */
async function installedPeers(): Promise<{ installed: PageReaderName[]; skipped: string[] }> {
  const installed: PageReaderName[] = [];
  const skipped: string[] = [];
  for (const name of pageReaderNames) {
    try {
      await (await startPageReader(name)).stop();
      installed.push(name);
    } catch (error) {
      const [reason] = (error instanceof Error ? error.message : String(error)).split("\n");
      skipped.push(`${name} is left out, it cannot be installed: ${reason}`);
    }
  }
  return { installed, skipped };
}

type StartedReader = [ReaderName, Helper<string, Reading>];

function startReaders(names: ReaderName[], folder: string): Promise<StartedReader[]> {
  const start = async (name: ReaderName): Promise<StartedReader> => [
    name,
    await startHelper<string, Reading, string>("../../reader/bench/reading.process.ts", [name, folder]),
  ];
  return Promise.all(names.map(start));
}

/** All readers, another one first for each page. */
function inTurn(readers: StartedReader[], page: number): StartedReader[] {
  const start = page % readers.length;
  return [...readers.slice(start), ...readers.slice(0, start)];
}

/** Readers are compared by the first reading of each page; the bar of Magpie's time is for the least of several. */
function speeds(times: Map<ReaderName, number[]>, least: number[]): Outcome[] {
  const ours = median(least);
  const magpie = times.get("magpie") ?? [];
  return [...times].map(([name, own]) => {
    const ratio = median(
      own.map((ms, page) => ms / (magpie[page] || Number.NaN)).filter(each => !Number.isNaN(each)),
    );
    const text = `reading: ${name} ${median(own).toFixed(1)} ms of CPU a page at the median, ${ratio.toFixed(2)} times magpie`;
    if (name === "magpie")
      return verdict(`${text}, the least of several readings ${ours.toFixed(1)} ms`, ours, "<=", maxMs);
    return name.startsWith("readability") ? verdict(text, ratio, ">=", minRatio) : { line: text };
  });
}
