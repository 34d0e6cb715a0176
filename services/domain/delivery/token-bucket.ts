/** How many events an endpoint gets at most. */
export interface Rate {
  per_second: number;
  /** Events that may come at once after a pause. */
  burst: number;
}

/** Fractions of tokens are sums of many small ones. */
const tolerance = 1e-6;

/**
 * A bucket of tokens, one for each event: it starts full. What is larger than the bucket needs a full one, and leaves a debt, so
 * that batches of any size keep the rate. Times are Unix milliseconds; a clock that is set back adds nothing.
 */
export class TokenBucket {
  readonly rate: Rate;
  #tokens: number;
  #at: number;

  constructor(rate: Rate, now: number) {
    this.rate = rate;
    this.#tokens = rate.burst;
    this.#at = now;
  }

  /** Takes a token for each of these events; false where there are too few. */
  take(events: number, now: number): boolean {
    this.#fill(now);
    if (this.#tokens + tolerance < this.#neededFor(events)) return false;
    this.#tokens -= events;
    return true;
  }

  /** When so many events may go. */
  readyAt(events: number, now: number): number {
    this.#fill(now);
    const missing = this.#neededFor(events) - this.#tokens;
    return missing <= 0 ? now : now + Math.ceil((missing / this.rate.per_second) * 1000);
  }

  isFull(now: number): boolean {
    this.#fill(now);
    return this.#tokens >= this.rate.burst;
  }

  #neededFor(events: number): number {
    return Math.min(events, this.rate.burst);
  }

  #fill(now: number): void {
    const gained = (Math.max(now - this.#at, 0) / 1000) * this.rate.per_second;
    this.#tokens = Math.min(this.#tokens + gained, this.rate.burst);
    this.#at = now;
  }
}
