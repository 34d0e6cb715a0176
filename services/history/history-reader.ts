import { openThreads } from "../../mixins/runtime/threads.ts";
import { fail } from "../contracts/errors.ts";
import type { View } from "../domain/watch/view.ts";
import type { Comparison } from "./forms/compare-versions.ts";
import type { LineDiff } from "./forms/line-diff.ts";
import type { FormsTask, VersionForms } from "./forms/version-forms.ts";
import type { HistoryTasks } from "./history.worker.ts";
import type { RehearsedItem } from "./rehearsal/judge-items.ts";
import type { JudgedCheck, RehearsalStep, RehearsedStep } from "./rehearsal/judge-pages.ts";

/**
 * Works on kept pages in worker threads, those of one key one after the other. Throws `overloaded` when too much of a key
 * waits, and `upstream_error` for what exceeds its time or memory.
 */
export interface HistoryReader {
  forms(task: FormsTask, keyId: string, signal: AbortSignal): Promise<VersionForms>;
  diff(task: Comparison, keyId: string, signal: AbortSignal): Promise<LineDiff | string>;
  /** Judges a stretch of a rehearsal. */
  rehearse(step: RehearsalStep, keyId: string, signal: AbortSignal): Promise<RehearsedStep>;
  rehearseItems(
    task: { items: RehearsedItem[]; view: View },
    keyId: string,
    signal: AbortSignal,
  ): Promise<JudgedCheck[]>;
  close(): Promise<void>;
}

const taskMs = 10_000;

export function openHistoryReader(maxMs = taskMs): HistoryReader {
  const threads = openThreads<HistoryTasks>({
    program: new URL("./history.worker.ts", import.meta.url),
    maxThreads: 2,
    maxPerGroup: 1,
    maxWaiting: 16,
    memoryMb: 512,
    messages: {
      tooLarge: "This version is too large to be read.",
      busy: "Too many versions are being read for this key. Try again soon.",
    },
  });
  const inTime = <T>(task: Promise<T>, signal: AbortSignal): Promise<T> =>
    task.catch(error => {
      throw error.name === "TimeoutError" && !signal.aborted ? tooSlow(error) : error;
    });
  return {
    forms: (task, group, signal) => inTime(threads.run("forms", task, { group, signal, maxMs }), signal),
    diff: (task, group, signal) => inTime(threads.run("diff", task, { group, signal, maxMs }), signal),
    rehearse: (step, group, signal) =>
      inTime(threads.run("rehearse", step, { group, signal, maxMs }), signal),
    rehearseItems: (task, group, signal) =>
      inTime(threads.run("rehearseItems", task, { group, signal, maxMs }), signal),
    close: () => threads.close(),
  };
}

function tooSlow(cause: unknown): Error {
  return fail(
    "upstream_error",
    "This takes too long: the versions are large, or the selectors slow.",
    {},
    cause,
  );
}
