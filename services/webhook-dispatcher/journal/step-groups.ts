import { setImmediate as yieldToLoop } from "node:timers/promises";

/** Milliseconds in which steps are collected for which nothing waits: each group has a cost. */
export const groupMs = 60;
/** Milliseconds in which steps are collected that a lane waits for. */
export const promptGroupMs = 20;
const groupSize = 256;
/** Deferred steps that join a group that is written anyway: they add little to its cost. */
const companions = 4;
/** Deferred steps that found no group are written in small groups with pauses, since other work waits for them. */
const deferredGroupSize = 16;
const pauseMs = 10;

interface Waiting<Step> {
  step: Step;
  /** Milliseconds of the process's clock. */
  dueAt: number;
}

/** Collects steps into groups, because each group has a cost. Steps that wait equally long keep their order. */
export class StepGroups<Step> {
  readonly #write: (group: Step[]) => Promise<void>;
  readonly #prompt: Waiting<Step>[] = [];
  readonly #deferred: Waiting<Step>[] = [];
  #running: Promise<void> | undefined;
  #dueAt = Number.POSITIVE_INFINITY;
  #deferredFrom = 0;
  #wake: (() => void) | undefined;
  #longestMs = Number.POSITIVE_INFINITY;

  /** `write` must not reject. */
  constructor(write: (group: Step[]) => Promise<void>) {
    this.#write = write;
  }

  /** Adds a step, to be written within about `waitMs`; beyond `groupMs` it is deferred. */
  add(step: Step, waitMs: number): void {
    const withinMs = Math.min(waitMs, this.#longestMs);
    const dueAt = performance.now() + withinMs;
    (withinMs > groupMs ? this.#deferred : this.#prompt).push({ step, dueAt });
    this.#isDueAt(dueAt);
    this.#running ??= this.#run();
  }

  /** Writes waiting steps at once and defers no more. */
  stopBatching(): void {
    this.#longestMs = 0;
    this.flush();
  }

  /** Writes waiting steps at once. */
  flush(): void {
    const now = performance.now();
    this.#prompt.unshift(...this.#deferred.splice(0).map(({ step }) => ({ step, dueAt: now })));
    if (this.#prompt.length > 0) this.#isDueAt(now);
  }

  /** Resolves when all added steps are written, which happens at once. */
  async idle(): Promise<void> {
    while (this.#running) {
      this.flush();
      await this.#running;
    }
  }

  #isDueAt(dueAt: number): void {
    if (dueAt >= this.#dueAt) return;
    this.#dueAt = dueAt;
    this.#wake?.();
  }

  async #run(): Promise<void> {
    while (this.#prompt.length + this.#deferred.length > 0) {
      await this.#untilDue();
      await this.#write(this.#nextGroup());
      await yieldToLoop();
    }
    this.#dueAt = Number.POSITIVE_INFINITY;
    this.#running = undefined;
  }

  async #untilDue(): Promise<void> {
    for (let left = this.#dueAt - performance.now(); left > 0; left = this.#dueAt - performance.now())
      await new Promise<void>(resolve => {
        const timer = setTimeout(resolve, left);
        this.#wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    this.#wake = undefined;
  }

  #nextGroup(): Step[] {
    const prompt = this.#prompt.splice(0, groupSize);
    const deferred = this.#deferred.splice(0, prompt.length > 0 ? companions : deferredGroupSize);
    if (prompt.length === 0) this.#deferredFrom = performance.now() + pauseMs;
    this.#dueAt = Math.min(earliest(this.#prompt), Math.max(earliest(this.#deferred), this.#deferredFrom));
    return [...deferred, ...prompt].map(({ step }) => step);
  }
}

function earliest(waiting: Waiting<unknown>[]): number {
  let found = Number.POSITIVE_INFINITY;
  for (const { dueAt } of waiting) if (dueAt < found) found = dueAt;
  return found;
}

/** Lanes that are written at a time: enough for a slow store, and not too many for a small one. */
export const lanesAtOnce = 16;

/**
 * Writes the steps of each lane in order and different lanes in parallel, so that a lane that waits blocks no other.
 * Steps that arrive while their lane is written are written together next.
 */
export class LaneGroups<Step extends { laneId: string }> {
  readonly #write: (group: Step[]) => Promise<void>;
  /** The waiting steps of each key, in order of arrival; a lane that is being written is here only if it has more steps. */
  readonly #waiting = new Map<string, Step[]>();
  readonly #writing = new Map<string, Promise<void>>();

  readonly #atOnce: number;

  /** `write` must not reject. */
  constructor(write: (group: Step[]) => Promise<void>, atOnce = lanesAtOnce) {
    this.#write = write;
    this.#atOnce = atOnce;
  }

  add(steps: Step[]): void {
    for (const step of steps) {
      const waiting = this.#waiting.get(step.laneId);
      if (waiting) waiting.push(step);
      else this.#waiting.set(step.laneId, [step]);
    }
    this.#begin();
  }

  /** Resolves when all added steps are written. */
  async idle(): Promise<void> {
    while (this.#writing.size > 0) await Promise.all(this.#writing.values());
  }

  #begin(): void {
    for (const [laneId, steps] of this.#waiting) {
      if (this.#writing.size >= this.#atOnce) return;
      if (this.#writing.has(laneId)) continue;
      this.#waiting.delete(laneId);
      this.#writing.set(laneId, this.#one(laneId, steps));
    }
  }

  async #one(laneId: string, steps: Step[]): Promise<void> {
    await this.#write(steps);
    this.#writing.delete(laneId);
    this.#begin();
  }
}
