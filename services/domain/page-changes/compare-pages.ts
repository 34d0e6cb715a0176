import { structuredPatch } from "diff";

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

/** Limits of one comparison: its time grows with the square of the edits. */
const bounds = { context: 3, maxEditLength: 4000, timeout: 5000 } as const;
/** Characters of a diff that is returned. */
const maxLength = 1024 * 1024;

/** How two texts differ, line by line, as `git diff` writes it without the names of files; empty where they do not differ. */
export function unifiedDiff(before: string, after: string): string {
  const patch = structuredPatch("", "", ended(before), ended(after), "", "", bounds);
  const hunks = patch?.hunks ?? [wholeOf(before, after)];
  const text = hunks
    .flatMap(({ oldStart, oldLines, newStart, newLines, lines }) => [
      `@@ -${oldStart},${oldLines} +${newStart},${newLines} @@`,
      ...lines.filter(line => !line.startsWith("\\")),
    ])
    .join("\n");
  return text.length <= maxLength ? text : text.slice(0, text.lastIndexOf("\n", maxLength));
}

function ended(text: string): string {
  return text === "" || text.endsWith("\n") ? text : `${text}\n`;
}

/** Texts that differ too much to be compared: one after the other. */
function wholeOf(before: string, after: string) {
  const [gone, come] = [before.split("\n"), after.split("\n")];
  const lines = [...gone.map(line => `-${line}`), ...come.map(line => `+${line}`)];
  return { oldStart: 1, oldLines: gone.length, newStart: 1, newLines: come.length, lines };
}
