import { type LoggerFor, logEvent } from "./log-events.ts";

const windowMs = 60_000;
/** Lines of one event in a minute. */
const defaultMost = 20;

type SparseEvent =
  | "browser.failed"
  | "guessing.detected"
  | "judgement.failed"
  | "model.failed"
  | "session.refused";

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
  readonly #logger: LoggerFor<SparseEvent>;
  readonly #most: number;
  readonly #now: () => number;
  readonly #windows = new Map<string, Window>();

  constructor(
    logger: LoggerFor<SparseEvent>,
    most = defaultMost,
    now: () => number = () => performance.now(),
  ) {
    this.#logger = logger;
    this.#most = most;
    this.#now = now;
  }

  log(event: SparseEvent, fields: object): void {
    const taken = this.#take(event);
    if (taken) logEvent(this.#logger, event, { ...fields, ...taken });
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
