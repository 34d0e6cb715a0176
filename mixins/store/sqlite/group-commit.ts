import type { Survives } from "../store.ts";
import type { Database } from "./database.ts";

interface Step {
  /** Keeps its result, or throws. */
  run(): void;
  resolve(): void;
  reject(error: unknown): void;
}

/** Steps of the same moment share one transaction, and one wait for the disk when they must survive a loss of power. */
export class GroupCommit {
  readonly #database: Database;
  readonly #survives: Survives | undefined;
  #steps: Step[] = [];

  constructor(database: Database, survives?: Survives) {
    this.#database = database;
    this.#survives = survives;
  }

  /** Runs `work` soon; resolves when its writes are durable. It may run twice, with the first run rolled back. */
  join<Result>(work: () => Result): Promise<Result> {
    return new Promise((resolve, reject) => {
      let result: Result;
      const run = () => {
        result = work();
      };
      this.#steps.push({ run, resolve: () => resolve(result), reject: reject });
      if (this.#steps.length === 1) setImmediate(() => this.flush());
    });
  }

  /** Runs the steps that wait. */
  flush(): void {
    const steps = this.#steps;
    this.#steps = [];
    if (steps.length > 0) this.#commit(steps);
  }

  /** A step that throws fails alone. */
  #commit(steps: Step[]): void {
    try {
      this.#database.transaction(() => {
        for (const step of steps) step.run();
      });
    } catch (error) {
      if (steps.length === 1) for (const step of steps) step.reject(error);
      else for (const step of steps) this.#commit([step]);
      return;
    }
    if (this.#survives === "end of process") for (const step of steps) step.resolve();
    else void this.#keep(steps);
  }

  async #keep(steps: Step[]): Promise<void> {
    try {
      await this.#database.kept();
    } catch (error) {
      for (const step of steps) step.reject(error);
      return;
    }
    for (const step of steps) step.resolve();
  }
}
