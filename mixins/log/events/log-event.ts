/** The levels of the logger, the least important one first. */
export type Level = "debug" | "info" | "warn" | "error" | "fatal";

/** A line that the service may log. Its name is `noun.verb`, with the verb in the past. */
export interface LogEventRow {
  level: Level;
  /** What has happened, in Markdown. */
  meaning: string;
  /** What an operator does then, in Markdown. */
  action: string;
}

export type LogEventRows = Record<string, LogEventRow>;

/** The action where nothing has to be done. */
export const nothing = "Nothing.";
/** The action where the work is tried again by itself. */
export const retried = "Nothing at first: it is tried again. If it repeats, `error` says what to repair.";
