/** Lets work that bears one name be done one at a time, in the order of its coming, in this process. */
export class Turns {
  readonly #ends = new Map<string, Promise<void>>();

  take<Result>(name: string, work: () => Promise<Result>): Promise<Result> {
    const run = (this.#ends.get(name) ?? Promise.resolve()).then(work);
    // What comes of one turn is no matter of the next one's.
    const end = run.then(
      () => undefined,
      () => undefined,
    );
    this.#ends.set(name, end);
    void end.then(() => {
      if (this.#ends.get(name) === end) this.#ends.delete(name);
    });
    return run;
  }
}
