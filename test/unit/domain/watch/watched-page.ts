import { judge, type Memory, type Verdict } from "../../../../services/domain/watch/judge.ts";
import { takeSnapshot } from "../../../../services/domain/watch/snapshot.ts";
import type { View } from "../../../../services/domain/watch/view.ts";

const url = "https://portal.example/page";
const hourMs = 3_600_000;

/** A watch of a page that is given as HTML, with the second checks that it asks for. */
export class WatchedPage {
  readonly verdicts: Verdict[] = [];
  private memory: Memory | undefined;
  private at = Date.UTC(2026, 10, 27);
  private readonly view: View;

  constructor(view: View = {}) {
    this.view = view;
  }

  /** A check, and the one that confirms it: `page` is asked again for the second one. Answers what they tell. */
  check(page: () => string): string[] {
    const verdict = this.once(page(), hourMs);
    const told = toldBy(verdict);
    return verdict.confirm ? [...told, ...toldBy(this.once(page(), 30_000))] : told;
  }

  get events(): number {
    return this.verdicts.filter(({ outcome }) => outcome === "changed").length;
  }

  private once(body: string, waitMs: number): Verdict {
    this.at += waitMs;
    const html = `<!doctype html><html lang="en"><title>Portal</title><body>${body}</body></html>`;
    const learned = {
      ...(this.memory?.main && { main: this.memory.main }),
      ...(this.memory?.recipe && { recipe: this.memory.recipe }),
    };
    const snapshot = takeSnapshot({ html, url, title: "Portal", language: "en" }, this.view, learned);
    if (!snapshot.ok) throw new Error(snapshot.reason);
    const verdict = judge(this.memory, snapshot, this.view, this.at);
    // As it is stored: the memory is JSON.
    this.memory = JSON.parse(JSON.stringify(verdict.memory)) as Memory;
    this.verdicts.push(verdict);
    return verdict;
  }
}

function toldBy({ change }: Verdict): string[] {
  return change ? [...change.added, ...change.removed] : [];
}
