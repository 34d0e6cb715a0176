import { fail } from "../../../contracts/errors.ts";
import type { Pages } from "./fetch-page.ts";
import type { Watch } from "./watch-channels.ts";

/** Whether Telegram answers at all: a single channel that cannot be read says nothing of the others. */
export class Reach {
  readonly #watch: Omit<Watch, "cursors">;
  readonly #stands: () => void;
  isStanding = false;
  #heard: Pages["standing"];
  #heardAt: number;

  constructor(watch: Omit<Watch, "cursors">, stands: () => void) {
    this.#watch = watch;
    this.#stands = stands;
    this.#heard = { ...watch.pages.standing };
    this.#heardAt = watch.tools.now();
  }

  /**
   * Tells once that something was answered, or that there is nothing to ask, and what is to be read since then; throws
   * when nothing is answered for long.
   */
  async judge(unread: string[]): Promise<void> {
    const { pages, pace, tools, listener } = this.#watch;
    const { answers, faults } = pages.standing;
    const isAnswered = answers > this.#heard.answers;
    if (isAnswered) [this.#heard, this.#heardAt] = [{ answers, faults }, tools.now()];
    else if (faults > this.#heard.faults && tools.now() - this.#heardAt >= pace.silenceMs)
      throw fail("connector_unavailable", "Telegram cannot be reached now.");
    const begins = !this.isStanding && (isAnswered || listener.tracked().length === 0);
    if (begins) this.#stands();
    this.isStanding ||= begins;
    if (begins || (this.isStanding && unread.length > 0)) await listener.onGap(unread);
  }
}
