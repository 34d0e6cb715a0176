import { unifiedDiff } from "./unified-diff.ts";

/** What is kept of a page to compare the next one with. */
export interface KeptText {
  markdown: string;
  json?: Record<string, unknown>;
}

export type ChangeMode = "diff" | "json";

/** How a page differs from the one before. */
export interface PageDifference {
  isChanged: boolean;
  diff?: string;
  json?: Record<string, { previous: unknown; current: unknown }>;
}

/** Compares two readings of a page. White space alone is no change. CPU-bound: call it in a thread. */
export function comparePages(
  before: KeptText,
  after: KeptText,
  modes: readonly ChangeMode[],
): PageDifference {
  if (wordsOf(before) === wordsOf(after)) return { isChanged: false };
  return {
    isChanged: true,
    ...(modes.includes("diff") && { diff: unifiedDiff(before.markdown, after.markdown) }),
    ...(modes.includes("json") && after.json && { json: fieldsOf(before.json ?? {}, after.json) }),
  };
}

function wordsOf({ markdown }: KeptText): string {
  return markdown.replace(/\s+/g, " ").trim();
}

/** Each field with both its values, whether they differ or not. A field that was not read has the value null. */
function fieldsOf(before: Record<string, unknown>, after: Record<string, unknown>): PageDifference["json"] {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  const values = (name: string) => ({ previous: before[name] ?? null, current: after[name] ?? null });
  return Object.fromEntries(names.map(name => [name, values(name)]));
}
