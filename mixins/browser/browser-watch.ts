import { type BrowserProcess, endProcess, killGroup } from "./browser-process.ts";
import { chargeShared, judge, type PageBudget, tooLarge, type Verdict } from "./page-budget.ts";
import { lowerPriority, processesOf, sum } from "./process-usage.ts";

const samplesBetweenEnds = 4;
const samplesBeforeKill = 12;
/** A browser that answers nothing for so long is stuck, and with it every page that it shows. */
const maxSilenceMs = 10_000;
/** A browser that answers nothing for so long after a page flooded it is stuck: the pages of others cannot wait longer. */
const maxFloodedMs = 1500;
/** Its answer waits to be read when this process itself was busy for so long. */
const minSilentSamples = 8;
const minFloodedSamples = 4;

/** Holds browsers to their budget of memory and processor time, and ends those that are stuck. */
export class BrowserWatch {
  readonly #budget: PageBudget;
  /** Samples in a row in which the browsers used too much memory. */
  #samplesOver = 0;
  #measuredAt = performance.now();

  constructor(budget: PageBudget) {
    this.#budget = budget;
  }

  /** Measures every process of the browsers, and ends or slows those that use too much. */
  measure(browsers: BrowserProcess[]): void {
    for (const process of browsers) ask(process);
    const now = performance.now();
    const elapsedMs = now - this.#measuredAt;
    this.#measuredAt = now;
    for (const process of browsers) {
      process.uses = processesOf(process.pid, process.uses);
      // What a page has left in a flooded one is not of the pages that it still shows.
      if (process.isFlooded) for (const use of process.uses) use.sharedMs = 0;
      else chargeShared(process.uses, elapsedMs);
    }
    const verdict = judge(
      browsers.flatMap(({ uses }) => uses),
      this.#budget,
    );
    for (const process of browsers) carryOut(verdict, process);
    if (verdict.isOver) this.#relieve(browsers, verdict.toBlame);
    else this.#samplesOver = 0;
  }

  /** Ends one page a second, since memory comes back with a delay, and then the browser that uses the most. */
  #relieve(browsers: BrowserProcess[], toBlame: number | undefined): void {
    for (const process of browsers) process.retired = true;
    const sample = this.#samplesOver++;
    if (sample % samplesBetweenEnds !== 0) return;
    const culprit = browsers.find(({ uses }) => uses.some(({ pid }) => pid === toBlame));
    if (culprit !== undefined && toBlame !== undefined && sample < samplesBeforeKill)
      endPage(culprit, toBlame, tooLarge);
    else if (sample > 0) for (const { pid } of heaviest(browsers)) killGroup(pid);
  }
}

/** A page can keep the browser's own process busy, which counts as nobody's time. The pages of others start again elsewhere. */
function ask(process: BrowserProcess): void {
  const { unanswered, connection, pid } = process;
  if (unanswered !== undefined) {
    unanswered.samples += 1;
    const silentMs = performance.now() - unanswered.since;
    const [maxMs, minSamples] = process.isFlooded
      ? [maxFloodedMs, minFloodedSamples]
      : [maxSilenceMs, minSilentSamples];
    if (silentMs > maxMs && unanswered.samples >= minSamples) killGroup(pid);
    return;
  }
  process.unanswered = { since: performance.now(), samples: 0 };
  const answered = () => {
    process.unanswered = undefined;
  };
  connection.send("Browser.getVersion").then(answered, answered);
}

function carryOut({ yielding, ended, floods }: Verdict, process: BrowserProcess): void {
  for (const use of process.uses) {
    // New pages start in another one.
    if (floods.includes(use.pid)) Object.assign(process, { isFlooded: true, retired: true });
    lowerPriority(use, yielding.includes(use.pid));
    const message = ended.get(use.pid);
    if (message !== undefined) endPage(process, use.pid, message);
  }
}

/** The page sees the end of its renderer as a crash. */
function endPage(process: BrowserProcess, pid: number, message: string): void {
  process.endedRenderer = message;
  endProcess(pid);
}

/** The browser with the most memory, or none. */
function heaviest(browsers: BrowserProcess[]): BrowserProcess[] {
  return browsers.toSorted((a, b) => sum(b.uses) - sum(a.uses)).slice(0, 1);
}
