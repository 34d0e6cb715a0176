import type { Doc, Store } from "../../mixins/store/store.ts";
import { fail } from "../../services/contracts/errors.ts";

const writes = ["insert", "insertMany", "change", "update", "upsert", "updateMany", "remove", "removeMany"];

/**
 * A process that dies just before one of its writes: nothing that it does afterwards has an effect. One that sleeps instead
 * goes on with that write after `wake`. A third kind does the write, but never gets its answer.
 */
export class Life {
  /** Writes so far. */
  writes = 0;
  isOver = false;
  readonly #last: number;
  readonly #sleep: { begins: PromiseWithResolvers<void>; ends: PromiseWithResolvers<void> } | undefined;

  readonly #end: "death" | "sleep" | "lost answer";

  constructor(lastWrite = Number.POSITIVE_INFINITY, end: "death" | "sleep" | "lost answer" = "death") {
    this.#last = lastWrite;
    this.#end = end;
    if (end === "sleep") this.#sleep = { begins: Promise.withResolvers(), ends: Promise.withResolvers() };
  }

  /** Resolves when it sleeps. */
  get asleep(): Promise<void> {
    return this.#sleep?.begins.promise ?? Promise.withResolvers<void>().promise;
  }

  wake(): void {
    this.#sleep?.ends.resolve();
  }

  /** The store as the process sees it. */
  with<D extends Doc>(store: Store<D>): Store<D> {
    return new Proxy(store, {
      get: (_, key) => {
        const value = Reflect.get(store, key) as unknown;
        if (typeof value !== "function") return value;
        if (key === "collection") return (name: string) => this.with(store.collection(name));
        return this.step(value.bind(store), writes.includes(String(key)));
      },
    });
  }

  step<Args extends unknown[], Result>(
    work: (...args: Args) => Promise<Result>,
    isWrite = true,
  ): (...args: Args) => Promise<Result> {
    return async (...args) => {
      if (this.isOver) throw new Error("The process is dead");
      const isLast = isWrite && this.writes === this.#last;
      this.isOver = isLast && this.#end === "death";
      if (this.isOver) throw new Error("The process is dead");
      if (isWrite) this.writes += 1;
      if (isLast) this.#sleep?.begins.resolve();
      if (isLast) await this.#sleep?.ends.promise;
      const result = await work(...args);
      if (isLast && this.#end === "lost answer") throw fail("overloaded", "The database cannot be reached.");
      return result;
    };
  }
}
