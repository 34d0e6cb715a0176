import { createTwoFilesPatch, FILE_HEADERS_ONLY } from "diff";
import { escapeHtml } from "../../../reader/text/escape-html.ts";
import type { DiffLine, DiffPart, LineDiff } from "./line-diff.ts";

/** A version that is compared: when it was seen, and what it says. */
export interface ComparedVersion {
  /** ISO 8601. */
  at: string;
  title: string;
  lines: readonly string[];
}

/** A unified diff; of versions that differ too much, one version after the other. */
export function unifiedDiff(before: ComparedVersion, after: ComparedVersion): string {
  const options = { context: 3, maxEditLength: 1000, headerOptions: FILE_HEADERS_ONLY };
  const [old, current] = [before, after].map(({ lines }) => lines.map(line => `${line}\n`).join(""));
  const patch = createTwoFilesPatch(before.at, after.at, old ?? "", current ?? "", "", "", options);
  if (patch !== undefined) return patch;
  const marked = [...before.lines.map(line => `-${line}`), ...after.lines.map(line => `+${line}`)];
  return [`--- ${before.at}`, `+++ ${after.at}`, ...marked, ""].join("\n");
}

const style = `
:root { color-scheme: light dark; }
body { font: 15px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 60rem; padding: 0 1rem; }
h1 { font-size: 1.2rem; }
ol { list-style: none; margin: 0; padding: 0; }
li { border-inline-start: 3px solid transparent; overflow-wrap: anywhere; padding: .1rem .75rem; white-space: pre-wrap; }
ins, .added { background: light-dark(#d9f2e1, #12391f); text-decoration: none; }
del, .removed { background: light-dark(#fbdcdc, #4a1717); }
.added { border-color: #2c9c52; } .removed { border-color: #cf4444; } .changed { border-color: #c08a1e; }
.moved { border-color: #5b7bd5; background: light-dark(#e4eafb, #1c2748); }
.gap { color: light-dark(#666, #999); }
`;

/** The comparison as a page by itself, without scripts: what changed by words, in colour. */
export function htmlDiff(
  before: ComparedVersion | null,
  after: ComparedVersion,
  { lines }: LineDiff,
): string {
  const since = before ? `${before.at} – ` : "";
  const rows = lines.map(row).join("\n");
  return `<!doctype html>
<html><head><meta charset="utf-8"><title>${escapeHtml(after.title)}</title><style>${style}</style></head>
<body><h1>${escapeHtml(after.title)}</h1><p>${escapeHtml(since + after.at)}</p>
<ol>
${rows}
</ol></body></html>
`;
}

function row({ kind, parts, skipped = 0 }: DiffLine): string {
  if (kind === "gap") return `<li class="gap">… ${skipped === 1 ? "1 line" : `${skipped} lines`}</li>`;
  return `<li class="${kind}">${parts.map(inner).join("")}</li>`;
}

function inner({ kind, text }: DiffPart): string {
  const tag = { same: undefined, added: "ins", removed: "del" }[kind];
  return tag ? `<${tag}>${escapeHtml(text)}</${tag}>` : escapeHtml(text);
}
