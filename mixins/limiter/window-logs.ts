import { WindowLog } from "./window-log.ts";

/** The logs of all keys. Each use of one looks at two others and drops those that are empty: no timer, no pile. */
export class WindowLogs {
  readonly #logs = new Map<string, WindowLog>();
  #round = this.#logs.entries();

  open(key: string, now: number): WindowLog {
    this.#tidy(now);
    this.#tidy(now);
    const known = this.#logs.get(key);
    if (known) return known;
    const log = new WindowLog();
    this.#logs.set(key, log);
    return log;
  }

  peek(key: string): WindowLog | null {
    return this.#logs.get(key) ?? null;
  }

  delete(key: string): boolean {
    return this.#logs.delete(key);
  }

  get size(): number {
    return this.#logs.size;
  }

  #tidy(now: number): void {
    const { value } = this.#round.next();
    if (!value) this.#round = this.#logs.entries();
    else if (value[1].emptyAt <= now) this.#logs.delete(value[0]);
  }
}
