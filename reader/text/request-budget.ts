/**
 * What the expressions and selectors of one request may cost together, in units of some 3 µs: an instruction of a compiled
 * expression costs one, a CSS selector of four characters about the same. All of them together take some 20 ms of the
 * thread that serves everybody.
 */
export class RequestBudget {
  #left: number;

  constructor(units = 5000) {
    this.#left = units;
  }

  /** False when too little is left for it. */
  spend(units: number): boolean {
    this.#left -= units;
    return this.#left >= 0;
  }
}
