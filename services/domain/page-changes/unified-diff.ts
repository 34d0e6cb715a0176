import { structuredPatch } from "diff";

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
