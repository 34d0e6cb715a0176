import { present } from "../json/fields.ts";
import { gitDiff } from "./git-diff.ts";

/*
 * Checks of monitors and what they found, as Firecrawl's clients and the receivers of its webhooks have them.
 */

/** What a check found of a page, as events and answers have it. */
export interface FoundPage {
  id: string;
  target: string;
  url: string;
  title: string | null;
  status: "same" | "new" | "changed" | "moved" | "removed" | "failed";
  http_status: number | null;
  error: string | null;
  moved_from: string | null;
  version: string | null;
  previous_version: string | null;
  change: Record<string, unknown> | null;
  judgement?: Judged;
  at: string;
}

interface Judged {
  judged: boolean;
  meaningful?: boolean;
  confidence?: number;
  reason?: string;
  summary?: string;
}

export interface Counts {
  pages: number;
  same: number;
  new: number;
  changed: number;
  moved: number;
  removed: number;
  failed: number;
}

/** Theirs has no pages that moved: they changed. */
export const statusNames = {
  same: "same",
  new: "new",
  changed: "changed",
  moved: "changed",
  removed: "removed",
  failed: "error",
} as const;

export const checkNames = {
  running: "running",
  completed: "completed",
  partial: "partial",
  failed: "failed",
  skipped: "skipped_overlap",
} as const;
export type CheckState = keyof typeof checkNames;

export function summaryOf({ pages, same, new: fresh, changed, moved, removed, failed }: Counts) {
  return { totalPages: pages, same, changed: changed + moved, new: fresh, removed, error: failed };
}

/** A page in the list of a check. */
export function checkPage(page: FoundPage) {
  const { id, target, url, title, status, http_status, error, moved_from, version, previous_version, at } =
    page;
  const snapshot = snapshotOf(page);
  return {
    id,
    targetId: target,
    url,
    status: statusNames[status],
    previousScrapeId: previous_version,
    currentScrapeId: version,
    statusCode: http_status,
    error,
    metadata: present({ title: title ?? undefined, movedFrom: moved_from ?? undefined }),
    judgment: judgmentOf(page),
    diff: diffOf(page) ?? null,
    ...(snapshot && { snapshot }),
    createdAt: at,
  };
}

/** A page in a webhook. */
export function webhookPage(monitorId: string, checkId: string, page: FoundPage) {
  const { url, status, previous_version, version, error } = page;
  const judgment = judgmentOf(page);
  const snapshot = snapshotOf(page);
  return {
    monitorId,
    checkId,
    url,
    status: statusNames[status],
    previousScrapeId: previous_version,
    currentScrapeId: version,
    error,
    isMeaningful: judgment?.meaningful ?? null,
    judgment,
    diff: diffOf(page) ?? null,
    ...(snapshot && { snapshot }),
  };
}

/** What each field was and is, where the watch has fields; else the lines. */
function diffOf({ change }: FoundPage): { text?: string; json?: unknown } | undefined {
  const { diff, fields } = change ?? {};
  const lines = typeof diff === "string" && diff !== "" ? gitDiff(diff) : undefined;
  const named = typeof fields === "object" && fields !== null ? fieldsOf(fields) : undefined;
  if (named) return { json: named };
  return lines;
}

function fieldsOf(fields: object): Record<string, { previous: unknown; current: unknown }> {
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => {
      const { from = null, to = null } = Object(value) as { from?: unknown; to?: unknown };
      return [name, { previous: from, current: to }];
    }),
  );
}

function snapshotOf({ change }: FoundPage): { json: unknown } | undefined {
  const fields = change?.fields;
  if (typeof fields !== "object" || fields === null) return undefined;
  const now = Object.entries(fields).map(([name, value]) => [name, Object(value).to ?? null]);
  return { json: Object.fromEntries(now) };
}

/** From these shares on, what they call high and medium. */
const [high, medium] = [0.75, 0.4];
const longestLines = 2000;

function judgmentOf({ judgement, change }: FoundPage) {
  if (!judgement?.judged) return null;
  const { meaningful = false, confidence = 0, reason = "", summary = reason } = judgement;
  const level = confidence >= high ? "high" : confidence >= medium ? "medium" : "low";
  const [before, after] = [linesOf(change?.removed), linesOf(change?.added)];
  const type = before === null ? "added" : after === null ? "removed" : "changed";
  const meaningfulChanges = meaningful ? [{ type, before, after, reason: summary }] : [];
  return { meaningful, confidence: level, reason, meaningfulChanges };
}

function linesOf(lines: unknown): string | null {
  if (!Array.isArray(lines) || lines.length === 0) return null;
  return lines.join("\n").slice(0, longestLines);
}
