import { parseHtml } from "../../../../../reader/html/parse-html.ts";
import { reducePage } from "../../../../../services/domain/watch/eye/reduce-page.ts";
import { judge, type Memory, type WatchChange } from "../../../../../services/domain/watch/judge.ts";
import { type Seen, takeSnapshot } from "../../../../../services/domain/watch/snapshot.ts";
import type { View } from "../../../../../services/domain/watch/view.ts";

export const url = "https://miller.example/boot";

/** A page as it is kept. */
export function reduced(html: string): string {
  return reducePage(parseHtml(html, { withDrawings: true }));
}

/** What a view sees of a page. */
export function see(html: string, view: View = {}, learned: Pick<Memory, "main"> = {}): Seen {
  const seen = takeSnapshot({ html: reduced(html), url, title: "" }, view, learned);
  if (!seen.ok) throw new Error(seen.reason);
  return seen;
}

/** What a watch of these versions of a page, one each half a minute, tells. */
export function eventsOf(versions: readonly string[], view: View = {}): WatchChange[] {
  let memory: Memory | undefined;
  return versions.flatMap((html, at) => {
    const verdict = judge(memory, see(html, view, memory), view, at * 30_000);
    memory = verdict.memory;
    return verdict.change ?? [];
  });
}
