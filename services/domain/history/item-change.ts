import type { KeyedLine } from "../watch/align.ts";
import { changeOf, differenceOf } from "../watch/line-difference.ts";
import { keyed } from "../watch/lined-page.ts";
import type { KeptItem } from "./item-forms.ts";

/** How an item has changed. */
export interface ItemChange {
  added: string[];
  removed: string[];
  /** Unified diff of the lines. */
  diff: string;
  truncated?: true;
}

/** How two versions of an item differ; undefined where only noise does. */
export function itemChange(before: KeptItem, after: KeptItem): ItemChange | undefined {
  const [old, current] = [before, after].map(item => ({ hash: "", lines: linesOf(item), rest: "" }));
  const difference = old && current && differenceOf(old, current);
  if (!difference) return undefined;
  const { added, removed, diff, truncated } = changeOf(difference, old, current);
  return { added, removed, diff, ...(truncated && { truncated }) };
}

function linesOf({ title, url, author, text = "", enclosures = [] }: KeptItem): KeyedLine[] {
  const lines = (place: string, texts: (string | null | undefined)[]) =>
    texts.flatMap(each => (each?.trim() ? { place, text: each.trim(), area: "main" as const } : []));
  return keyed(
    [
      ...lines("title", [title]),
      ...lines("url", [url]),
      ...lines("author", [author]),
      ...lines("text", (text ?? "").split("\n")),
      ...lines(
        "enclosures",
        enclosures.map(file => file.url),
      ),
    ],
    false,
  );
}
