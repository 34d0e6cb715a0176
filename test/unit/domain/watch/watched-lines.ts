import { judge, type Memory, type Verdict } from "../../../../services/domain/watch/judge.ts";
import type { Area, Line } from "../../../../services/domain/watch/line.ts";
import type { Seen } from "../../../../services/domain/watch/snapshot.ts";
import type { View } from "../../../../services/domain/watch/view.ts";

export const line = (text: string, place: string, area: Area = "main"): Line => ({ text, place, area });

/** Lines of a list, one below the other. */
export const listed = (texts: readonly string[], list: string, area: Area = "main"): Line[] =>
  texts.map((text, n) => line(text, n === 0 ? `${list}>li` : `${list}>li:${n + 1}`, area));

export function seen(lines: Line[]): Seen {
  const text = lines.map(each => each.text).join("\n");
  return { ok: true, hash: text, text, lines, rest: "", ignored: 0 };
}

const hourMs = 3_600_000;

/** A watch of a page that is given as lines. */
export class WatchedLines {
  readonly verdicts: Verdict[] = [];
  private memory: Memory | undefined;
  private at = Date.UTC(2026, 10, 27);
  private readonly view: View;

  constructor(view: View = {}) {
    this.view = view;
  }

  /** One check, an hour after the one before, or half a minute where that asked for it. */
  check(lines: Line[], waitMs = this.verdicts.at(-1)?.confirm ? 30_000 : hourMs, value?: number): Verdict {
    this.at += waitMs;
    const snapshot = { ...seen(lines), ...(value !== undefined && { value }) };
    const verdict = judge(this.memory, snapshot, this.view, this.at);
    // As it is stored: the memory is JSON.
    this.memory = JSON.parse(JSON.stringify(verdict.memory)) as Memory;
    this.verdicts.push(verdict);
    return verdict;
  }

  /** A check, and the one that confirms it; `page` is asked again for the second one. */
  checkConfirmed(page: () => Line[]): Verdict {
    const verdict = this.check(page());
    return verdict.confirm ? this.check(page()) : verdict;
  }

  get told(): Verdict[] {
    return this.verdicts.filter(({ outcome }) => outcome === "changed");
  }

  get added(): string[] {
    return this.told.flatMap(({ change }) => change?.added ?? []);
  }
}
