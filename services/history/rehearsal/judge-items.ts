import { readItem } from "../../domain/history/item-forms.ts";
import { itemJudge } from "../../domain/watch/item-judge.ts";
import { shownLine } from "../../domain/watch/patterns.ts";
import type { View } from "../../domain/watch/view.ts";
import type { JudgedCheck } from "./judge-pages.ts";

/** A version of an item of a feed. */
export interface RehearsedItem {
  id: string;
  /** Milliseconds since the epoch. */
  at: number;
  content: string;
  /** The item was known before. */
  isUpdate: boolean;
}

/** Judges the kept items of a feed as polls would have judged them. Each is judged once, so nothing is remembered. */
export function rehearseItems({ items, view }: { items: RehearsedItem[]; view: View }): JudgedCheck[] {
  const counts = itemJudge(view);
  return items.map(({ id, at, content, isUpdate }) => {
    const { title = null, text } = readItem(content);
    const lines = (text ?? "").split("\n").map(shownLine);
    const fires = counts({ title, text: lines.join("\n"), isUpdate });
    const kind = isUpdate ? "changed" : "new";
    return {
      at,
      version: id,
      outcome: fires ? "changed" : "held",
      reason: fires ? `The item is ${kind}.` : `The item is ${kind}, and the options leave it out.`,
      change: fires ? { added: [title ?? lines[0] ?? ""], removed: [] } : null,
    };
  });
}
