import type { Logger } from "moleculer";

const windowMs = 60_000;
/** Lines of one event in a minute. */
const defaultMost = 20;

interface Window {
  began: number;
  lines: number;
  leftOut: number;
}

/**
 * Logs lines that a page or a stranger can cause at will: of each event so many a minute. The first line after that has
 * the number of those that were left out, as `leftOut`.
 */
export class SparseLog {
  readonly #logger: Pick<Logger, "warn" | "error">;
  readonly #most: number;
  readonly #now: () => number;
  readonly #windows = new Map<string, Window>();

  constructor(
    logger: Pick<Logger, "warn" | "error">,
    most = defaultMost,
    now: () => number = () => performance.now(),
  ) {
    this.#logger = logger;
    this.#most = most;
    this.#now = now;
  }

  warn(event: string, fields: object): void {
    const taken = this.#take(event);
    if (taken) this.#logger.warn(event, { ...fields, ...taken });
  }

  error(event: string, fields: object): void {
    const taken = this.#take(event);
    if (taken) this.#logger.error(event, { ...fields, ...taken });
  }

  /** What the line says beside its fields; undefined when it is left out. */
  #take(event: string): { leftOut?: number } | undefined {
    const now = this.#now();
    const window = this.#windows.get(event);
    if (window && now - window.began < windowMs) {
      window.lines += 1;
      if (window.lines <= this.#most) return {};
      window.leftOut += 1;
      return undefined;
    }
    this.#windows.set(event, { began: now, lines: 1, leftOut: 0 });
    return window && window.leftOut > 0 ? { leftOut: window.leftOut } : {};
  }
}
