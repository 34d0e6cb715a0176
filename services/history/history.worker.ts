/** Runs in worker threads: work on kept pages takes as long as they are large. Each task loads what it needs. */
import { serveTasks } from "../../mixins/runtime/thread-worker.ts";
import type { View } from "../domain/watch/view.ts";
import type { Comparison } from "./forms/compare-versions.ts";
import type { FormsTask } from "./forms/version-forms.ts";
import type { RehearsedItem } from "./rehearsal/judge-items.ts";
import type { RehearsalStep } from "./rehearsal/judge-pages.ts";

const tasks = {
  forms: async (task: FormsTask) => (await import("./forms/version-forms.ts")).formsOf(task),
  diff: async (comparison: Comparison) =>
    (await import("./forms/compare-versions.ts")).compareVersions(comparison),
  rehearse: async (step: RehearsalStep) => (await import("./rehearsal/judge-pages.ts")).rehearseStep(step),
  rehearseItems: async (task: { items: RehearsedItem[]; view: View }) =>
    (await import("./rehearsal/judge-items.ts")).rehearseItems(task),
};

export type HistoryTasks = typeof tasks;

export default serveTasks(tasks);
