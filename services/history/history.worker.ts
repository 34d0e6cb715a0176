/** Runs in worker threads: work on kept pages takes as long as they are large. Each task loads what it needs. */
import { serveTasks } from "../../mixins/runtime/thread-worker.ts";
import type { Comparison } from "../domain/history/compare-versions.ts";
import type { RehearsedItem } from "../domain/history/item-rehearsal.ts";
import type { RehearsalStep } from "../domain/history/rehearsal.ts";
import type { KeptVersion } from "../domain/history/version-forms.ts";
import type { View } from "../domain/watch/view.ts";

const tasks = {
  forms: async ({ kept, view }: { kept: KeptVersion; view: View }) =>
    (await import("../domain/history/version-forms.ts")).formsOf(kept, view),
  diff: async (comparison: Comparison) =>
    (await import("../domain/history/compare-versions.ts")).compareVersions(comparison),
  rehearse: async (step: RehearsalStep) =>
    (await import("../domain/history/rehearsal.ts")).rehearseStep(step),
  rehearseItems: async (task: { items: RehearsedItem[]; view: View }) =>
    (await import("../domain/history/item-rehearsal.ts")).rehearseItems(task),
};

export type HistoryTasks = typeof tasks;

export default serveTasks(tasks);
