/** What a stream has sent of the events of a second. */
export interface Sampled {
  sent: number;
  of: number;
}

/**
 * Chooses which events of a second a stream sends: all while they are few, and of many a random part. How many there will
 * be is taken from the second before, so that the choice is not only the first ones.
 */
export class Sampler {
  readonly #most: number;
  readonly #random: () => number;
  #share = 1;
  #sent = 0;
  #of = 0;

  /** `most` is the number of events that pass in a second. */
  constructor(most: number, random: () => number = Math.random) {
    this.#most = most;
    this.#random = random;
  }

  /** Whether to send the next event. `canSend`: the connection takes one. */
  choose(canSend = true): boolean {
    this.#of += 1;
    const isChosen =
      canSend && this.#sent < this.#most && (this.#share === 1 || this.#random() < this.#share);
    if (isChosen) this.#sent += 1;
    return isChosen;
  }

  /** Ends a second; null when everything was sent. */
  next(): Sampled | null {
    const [sent, of] = [this.#sent, this.#of];
    [this.#sent, this.#of] = [0, 0];
    this.#share = of > this.#most ? this.#most / of : 1;
    return sent < of ? { sent, of } : null;
  }
}
