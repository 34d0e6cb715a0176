import { present } from "../json/fields.ts";

/** What Magpie says of a page that was compared. */
export interface PageChanges {
  status: "new" | "same" | "changed" | "removed";
  previous_at: string | null;
  visibility: "visible" | "hidden";
  diff?: string;
  json?: Record<string, { previous?: unknown; current?: unknown }>;
}

/** A page that was compared, as Firecrawl's clients read it. */
export function changeTrackingOf({ status, previous_at, visibility, diff, json }: PageChanges): object {
  return {
    previousScrapeAt: previous_at,
    changeStatus: status,
    visibility,
    ...present({ diff: diff === undefined ? undefined : { text: diff, json: parsedDiff(diff) }, json }),
  };
}

interface Change {
  type: "add" | "del" | "normal";
  content: string;
  [place: string]: unknown;
}

const kinds = { "+": "add", "-": "del", " ": "normal" } as const;

/** A unified diff as a list of files, of which a page is one, their chunks and the changes of each. */
export function parsedDiff(text: string): object {
  const chunks: { content: string; changes: Change[] }[] = [];
  let [before, after] = [0, 0];
  for (const line of text.split("\n")) {
    const [, oldStart, newStart] = /^@@ -(\d+)(?:,\d+)? \+(\d+)/.exec(line) ?? [];
    if (oldStart !== undefined && newStart !== undefined) {
      chunks.push({ content: line, changes: [] });
      [before, after] = [Number(oldStart), Number(newStart)];
      continue;
    }
    const type = kinds[(line[0] ?? " ") as keyof typeof kinds] ?? "normal";
    const places = type === "normal" ? { ln1: before, ln2: after } : { ln: type === "add" ? after : before };
    chunks.at(-1)?.changes.push({ type, [type]: true, ...places, content: line });
    if (type !== "add") before += 1;
    if (type !== "del") after += 1;
  }
  return { files: [{ from: null, to: null, chunks }] };
}
