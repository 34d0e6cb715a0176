/** A difference as Firecrawl's clients have it: the text of a unified diff, and its parts. */
export interface GitDiff {
  text: string;
  json: { files: DiffFile[] };
}

interface DiffFile {
  from: string;
  to: string;
  additions: number;
  deletions: number;
  chunks: Chunk[];
}

interface Chunk {
  content: string;
  oldStart: number;
  oldLines: number;
  newStart: number;
  newLines: number;
  changes: Change[];
}

type Change =
  | { type: "normal"; normal: true; ln1: number; ln2: number; content: string }
  | { type: "add"; add: true; ln: number; content: string }
  | { type: "del"; del: true; ln: number; content: string };

const hunk = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/;
const [from, to] = ["previous", "current"];

/** Reads a unified diff, with or without the names of its files. */
export function gitDiff(unified: string): GitDiff {
  const lines = unified.split("\n");
  const first = lines.findIndex(line => hunk.test(line));
  const body = first < 0 ? [] : lines.slice(first);
  const chunks: Chunk[] = [];
  let [old, current] = [0, 0];
  for (const line of body) {
    const found = hunk.exec(line);
    if (found) {
      const [, oldStart, oldLines = "1", newStart, newLines = "1"] = found;
      [old, current] = [Number(oldStart), Number(newStart)];
      const sizes = {
        oldStart: old,
        oldLines: Number(oldLines),
        newStart: current,
        newLines: Number(newLines),
      };
      chunks.push({ content: line, ...sizes, changes: [] });
      continue;
    }
    const changes = chunks.at(-1)?.changes;
    if (line.startsWith("+")) changes?.push({ type: "add", add: true, ln: current++, content: line });
    else if (line.startsWith("-")) changes?.push({ type: "del", del: true, ln: old++, content: line });
    else if (line.startsWith(" "))
      changes?.push({ type: "normal", normal: true, ln1: old++, ln2: current++, content: line });
  }
  const all = chunks.flatMap(({ changes }) => changes);
  const additions = all.filter(({ type }) => type === "add").length;
  const deletions = all.filter(({ type }) => type === "del").length;
  return {
    text: [`--- ${from}`, `+++ ${to}`, ...body].join("\n"),
    json: { files: [{ from, to, additions, deletions, chunks }] },
  };
}
