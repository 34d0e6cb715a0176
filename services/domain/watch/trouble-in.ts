import { absenceOf, troubleOf } from "../page-diff/trouble-page.ts";
import type { Memory } from "./judge.ts";
import type { Line } from "./line.ts";
import type { Seen } from "./snapshot.ts";

/** Why a page that was read shows nothing but trouble, which is a failed check and no change; null where it does not. */
export function troubleIn(title: string, { lines }: Seen, before: Memory | undefined): string | null {
  return before ? troubleOf({ title, text: mainText(lines) }, mainText(before.lines)) : null;
}

/** Whether a page that was read says that nothing is there. */
export function isAbsent(title: string, { lines }: Seen, before: Memory | undefined): boolean {
  return absenceOf({ title, text: mainText(lines) }, before && mainText(before.lines));
}

/** The main content; all of the page where it has none. */
function mainText(lines: readonly Line[]): string {
  const main = lines.filter(({ area }) => area === "main");
  return (main.length > 0 ? main : lines).map(({ text }) => text).join("\n");
}
