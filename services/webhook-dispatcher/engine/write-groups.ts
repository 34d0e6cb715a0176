import { setImmediate as nextTurn } from "node:timers/promises";

/** What arrives within this time is written together: each group has its cost. */
export const groupMs = 20;
const groupSize = 256;
/** Patient ones that go along with others: their cost is there anyway, and becomes little more. */
const companions = 4;
/** Patient ones that nobody took along go in small groups with pauses between: whatever else goes on has to wait. */
const patientGroupSize = 16;
const pauseMs = 10;

interface Waiting<Step> {
  step: Step;
  /** By the process's clock. */
  dueAt: number;
}

/** Groups steps for whom each group has a cost. Steps that wait equally long keep their order. */
export class WriteGroups<Step> {
  readonly #write: (group: Step[]) => Promise<void>;
  readonly #hasty: Waiting<Step>[] = [];
  readonly #patient: Waiting<Step>[] = [];
  #running: Promise<void> | undefined;
  #dueAt = Number.POSITIVE_INFINITY;
  #patientFrom = 0;
  #hurry: (() => void) | undefined;
  #longestMs = Number.POSITIVE_INFINITY;

  /** `write` does not reject. */
  constructor(write: (group: Step[]) => Promise<void>) {
    this.#write = write;
  }

  /** The step is written within about `waitMs`; one that may wait longer than `groupMs` is patient. */
  add(step: Step, waitMs: number): void {
    const withinMs = Math.min(waitMs, this.#longestMs);
    const dueAt = performance.now() + withinMs;
    (withinMs > groupMs ? this.#patient : this.#hasty).push({ step, dueAt });
    this.#isDueAt(dueAt);
    this.#running ??= this.#run();
  }

  /** What waits is written at once, and nothing that comes is patient. */
  hasten(): void {
    this.#longestMs = 0;
    this.hurry();
  }

  /** What waits is written at once. */
  hurry(): void {
    const now = performance.now();
    this.#hasty.unshift(...this.#patient.splice(0).map(({ step }) => ({ step, dueAt: now })));
    if (this.#hasty.length > 0) this.#isDueAt(now);
  }

  /** Resolves when all that was added is written; what waits for company waits no more. */
  async idle(): Promise<void> {
    while (this.#running) {
      this.hurry();
      await this.#running;
    }
  }

  #isDueAt(dueAt: number): void {
    if (dueAt >= this.#dueAt) return;
    this.#dueAt = dueAt;
    this.#hurry?.();
  }

  async #run(): Promise<void> {
    while (this.#hasty.length + this.#patient.length > 0) {
      await this.#untilDue();
      await this.#write(this.#nextGroup());
      await nextTurn();
    }
    this.#dueAt = Number.POSITIVE_INFINITY;
    this.#running = undefined;
  }

  async #untilDue(): Promise<void> {
    for (let left = this.#dueAt - performance.now(); left > 0; left = this.#dueAt - performance.now())
      await new Promise<void>(resolve => {
        const timer = setTimeout(resolve, left);
        this.#hurry = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    this.#hurry = undefined;
  }

  #nextGroup(): Step[] {
    const hasty = this.#hasty.splice(0, groupSize);
    const patient = this.#patient.splice(0, hasty.length > 0 ? companions : patientGroupSize);
    if (hasty.length === 0) this.#patientFrom = performance.now() + pauseMs;
    this.#dueAt = Math.min(earliest(this.#hasty), Math.max(earliest(this.#patient), this.#patientFrom));
    return [...patient, ...hasty].map(({ step }) => step);
  }
}

function earliest(waiting: Waiting<unknown>[]): number {
  return waiting.reduce((found, { dueAt }) => Math.min(found, dueAt), Number.POSITIVE_INFINITY);
}
