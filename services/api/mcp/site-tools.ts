import type {
  Monitor,
  MonitorCheck,
  MonitorCheckDetail,
  MonitorPage,
} from "../../contracts/monitors.contract.ts";
import type { WatchedPage } from "../../contracts/site-pages.contract.ts";
import { reads, type Tool } from "./tools.ts";

/* Tools for the pages of sites, and for monitors. */

export const sitePagesTool: Tool = {
  name: "list_site_pages",
  title: "List the pages of a tracked site",
  description:
    "Lists the pages of a tracked site with their state and latest change; `get_versions` with `item` reads one.",
  shows: ["id", "prefix", "state", "changed_since"],
  hints: { ...reads, openWorldHint: false },
  text: ({ data, next_cursor }: { data: WatchedPage[]; next_cursor: string | null }) => ({
    facts: `${data.length} pages.`,
    content: data.map(pageText).join("\n"),
    next: next_cursor,
  }),
};

function pageText({ url, title, state, changed_at, moved_to }: WatchedPage): string {
  const more = [moved_to && `now at ${moved_to}`, changed_at && `changed ${changed_at}`].filter(Boolean);
  return [`${url}: ${state}`, ...more, title].filter(Boolean).join("; ");
}

export const monitorsTool: Tool = {
  name: "monitors",
  title: "Read monitors and their checks",
  description:
    "Lists the monitors of the key: sources that are checked together. With `id` and `check` it returns what a check found, page by page.",
  shows: ["id", "check", "status"],
  hints: { ...reads, openWorldHint: false },
  text: (answer: { data: Monitor[]; next_cursor: string | null } | { data: MonitorCheckDetail }) =>
    "next_cursor" in answer
      ? {
          facts: `${answer.data.length} monitors.`,
          content: answer.data.map(monitorText).join("\n"),
          next: answer.next_cursor,
        }
      : {
          facts: checkText(answer.data),
          content: answer.data.pages.map(foundText).join("\n"),
          next: answer.data.next_cursor,
        },
};

export const runMonitorTool: Tool = {
  name: "run_monitor",
  title: "Check a monitor now",
  description: "Begins a check of a monitor, which `monitors` has when it has ended.",
  hints: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: true },
  text: ({ data, message }: { data: MonitorCheck; message: string }) => ({
    facts: `${message} check: ${data.id}.`,
  }),
};

function monitorText({ id, name, schedule, next_check_at, last_check, goal, targets }: Monitor): string {
  const checked = targets.flatMap(({ source, sids }) => sids.slice(0, 5).map(sid => `${source} ${sid}`));
  return [
    `id ${id}: ${name}`,
    schedule.text ?? schedule.cron,
    `next check ${next_check_at ?? "none"}`,
    ...(last_check ? [`last check ${last_check.id}: ${checkText(last_check)}`] : []),
    ...(goal === null ? [] : [`goal: ${goal}`]),
    ...checked,
  ].join("; ");
}

const countNames = ["same", "new", "changed", "moved", "removed", "failed"] as const;

function checkText({ status, counts }: Pick<MonitorCheck, "status" | "counts">): string {
  const found = countNames.map(name => `${counts[name]} ${name}`);
  return `${status}, ${counts.pages} pages: ${found.join(", ")}.`;
}

function foundText({ url, status, title, error, version, change, judgement }: MonitorPage): string {
  const found = { title, error, version, change, judgement };
  const told = Object.fromEntries(
    Object.entries(found).filter(([, value]) => value !== null && value !== undefined),
  );
  return `${url}: ${status} ${JSON.stringify(told)}`;
}
