/** One piece of work after another. */
export class Turns {
  #last: Promise<unknown> = Promise.resolve();

  take<Result>(work: () => Promise<Result>): Promise<Result> {
    const mine = this.#last.then(work);
    this.#last = mine.catch(() => "told to whoever asked for it");
    return mine;
  }
}
