import type { Database } from "../store/sqlite/database.ts";
import type { Survives } from "../store/store.ts";

interface Step {
  /** Keeps its result, or throws. */
  run(): void;
  stands(): void;
  fails(error: unknown): void;
}

/** Steps that come together share one transaction, and so one wait for the disk where they must survive a loss of power. */
export class Batch {
  readonly #database: Database;
  readonly #survives: Survives | undefined;
  #steps: Step[] = [];

  constructor(database: Database, survives?: Survives) {
    this.#database = database;
    this.#survives = survives;
  }

  /** Runs `work` soon; resolves when what it wrote is kept. It may run twice, the first time undone. */
  join<Result>(work: () => Result): Promise<Result> {
    return new Promise((resolve, reject) => {
      let result: Result;
      const run = () => {
        result = work();
      };
      this.#steps.push({ run, stands: () => resolve(result), fails: reject });
      if (this.#steps.length === 1) setImmediate(() => this.flush());
    });
  }

  /** Runs what has come so far. */
  flush(): void {
    const steps = this.#steps;
    this.#steps = [];
    if (steps.length > 0) this.#commit(steps);
  }

  /** A step that throws takes only itself along. */
  #commit(steps: Step[]): void {
    try {
      this.#database.transaction(() => {
        for (const step of steps) step.run();
      });
    } catch (error) {
      if (steps.length === 1) for (const step of steps) step.fails(error);
      else for (const step of steps) this.#commit([step]);
      return;
    }
    if (this.#survives === "end of process") for (const step of steps) step.stands();
    else void this.#keep(steps);
  }

  async #keep(steps: Step[]): Promise<void> {
    try {
      await this.#database.kept();
    } catch (error) {
      for (const step of steps) step.fails(error);
      return;
    }
    for (const step of steps) step.stands();
  }
}
