export interface PeriodicOptions {
  everyMs: number;
  /** Takes the error of a run that fails. */
  onError(error: unknown): void;
  /** Passes only the first of consecutive failures to `onError`. */
  reportsOnce?: boolean;
  /** Begins the first run at once; otherwise it begins after the first period. */
  startsAtOnce?: boolean;
}

export interface Periodic {
  /** Runs now, or joins the run under way. */
  run(): Promise<void>;
  /** Begins no more runs; resolves when the one under way has ended. */
  stop(): Promise<void>;
}

/**
 * Runs work periodically, one run at a time: a period that finds a run under way is skipped. The timer does not keep the
 * process alive.
 */
export function periodic(work: () => unknown, options: PeriodicOptions): Periodic {
  const { everyMs, onError, reportsOnce = false, startsAtOnce = false } = options;
  let running: Promise<void> | undefined;
  let isStopped = false;
  let isFailing = false;
  const attempt = async () => {
    try {
      await work();
      isFailing = false;
    } catch (error) {
      if (!isFailing || !reportsOnce) onError(error);
      isFailing = true;
    }
  };
  const run = (): Promise<void> => {
    if (!isStopped)
      running ??= attempt().finally(() => {
        running = undefined;
      });
    return running ?? Promise.resolve();
  };
  const timer = setInterval(() => void run(), everyMs).unref();
  if (startsAtOnce) void run();
  return {
    run,
    stop: async () => {
      isStopped = true;
      clearInterval(timer);
      await running;
    },
  };
}
