/* A monitor in words: when it is checked, what it checks, and what a check has found. */
import type { VNode } from "preact";
import type {
  Monitor,
  MonitorCheck,
  MonitorCounts,
  MonitoredKind,
  MonitorPage,
} from "../../services/contracts/monitors.contract.ts";
import { html } from "../html.ts";
import { Mark, type MarkKind } from "../parts/state.ts";
import { count, plural } from "../parts/time.ts";

export function scheduleWords({ schedule: { text, cron, time_zone } }: Pick<Monitor, "schedule">): string {
  return `${text ?? cron} (${time_zone})`;
}

const targetNames: Record<MonitoredKind, [one: string, many: string]> = {
  web: ["page", "pages"],
  site: ["site", "sites"],
  search: ["search", "searches"],
};

/** `2 pages, 1 search`. */
export function targetWords({ targets }: Pick<Monitor, "targets">): string {
  const kinds = new Map<MonitoredKind, number>();
  for (const { source, sids } of targets) kinds.set(source, (kinds.get(source) ?? 0) + sids.length);
  return [...kinds].map(([kind, of]) => plural(of, ...targetNames[kind])).join(", ");
}

const foundNames = ["changed", "new", "removed", "moved", "failed"] as const;
const foundWords = { changed: "changed", new: "new", removed: "gone", moved: "moved", failed: "failed" };

/** `3 changed, 1 new`, or that all is the same. */
export function countWords(counts: MonitorCounts): string {
  const found = foundNames.filter(name => counts[name] > 0);
  if (found.length > 0) return found.map(name => `${count(counts[name])} ${foundWords[name]}`).join(", ");
  return counts.pages === 0 ? "no page" : `${plural(counts.pages, "page")}, all the same`;
}

const checkMarks: Record<MonitorCheck["status"], [MarkKind, string]> = {
  running: ["quiet", "Running"],
  completed: ["good", "Completed"],
  partial: ["warn", "In part"],
  failed: ["bad", "Failed"],
  skipped: ["quiet", "Skipped"],
};

export function CheckMark({ status }: Pick<MonitorCheck, "status">): VNode {
  const [kind, word] = checkMarks[status];
  return html`<${Mark} kind=${kind}>${word}<//>`;
}

export const pageMarks: Record<MonitorPage["status"], [MarkKind, string]> = {
  changed: ["good", "Changed"],
  new: ["good", "New"],
  removed: ["bad", "Gone"],
  moved: ["warn", "Moved"],
  failed: ["bad", "Failed"],
  same: ["quiet", "Same"],
};

export function PageMark({ status }: Pick<MonitorPage, "status">): VNode {
  const [kind, word] = pageMarks[status];
  return html`<${Mark} kind=${kind}>${word}<//>`;
}
