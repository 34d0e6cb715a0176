import { type BrowserProcess, endProcess, killGroup } from "./browser-process.ts";
import { judge, type PageBudget, tooLarge, type Verdict } from "./page-budget.ts";
import { lowerPriority, processesOf, sum } from "./process-usage.ts";

const looksBetweenEnds = 4;
const looksBeforeKill = 12;

/** Holds browsers to their budget of memory and processor time. */
export class BrowserWatch {
  readonly #budget: PageBudget;
  /** Looks in a row at which the browsers used too much memory. */
  #looksOver = 0;

  constructor(budget: PageBudget) {
    this.#budget = budget;
  }

  /** Measures every process of the browsers, and ends or slows those that use too much. */
  look(browsers: BrowserProcess[]): void {
    for (const process of browsers) process.uses = processesOf(process.pid, process.uses);
    const verdict = judge(
      browsers.flatMap(({ uses }) => uses),
      this.#budget,
    );
    for (const process of browsers) carryOut(verdict, process);
    if (verdict.isOver) this.#relieve(browsers, verdict.toBlame);
    else this.#looksOver = 0;
  }

  /** Ends one page a second, since memory comes back with a delay, and then the browser that uses the most. */
  #relieve(browsers: BrowserProcess[], toBlame: number | undefined): void {
    for (const process of browsers) process.retired = true;
    const look = this.#looksOver++;
    if (look % looksBetweenEnds !== 0) return;
    const culprit = browsers.find(({ uses }) => uses.some(({ pid }) => pid === toBlame));
    if (culprit !== undefined && toBlame !== undefined && look < looksBeforeKill)
      endPage(culprit, toBlame, tooLarge);
    else if (look > 0) for (const { pid } of heaviest(browsers)) killGroup(pid);
  }
}

function carryOut({ yielding, ended }: Verdict, process: BrowserProcess): void {
  for (const use of process.uses) {
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
