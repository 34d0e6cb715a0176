import fc from "fast-check";
import type { Area, Line } from "../../../../services/domain/watch/line.ts";
import { isLong } from "../../../support/long-run.ts";
import { line, WatchedLines } from "./watched-lines.ts";

/** What happens on a page between two checks. */
type Edit =
  | { kind: "insert"; at: number; word: number; area: Area }
  | { kind: "remove"; at: number }
  | { kind: "replace"; at: number; word: number }
  | { kind: "count"; at: number }
  | { kind: "move"; at: number; to: number };

const area = fc.constantFrom<Area>("main", "main", "aside", "footer");
const at = fc.nat(20);
const word = fc.nat(6);
const edit: fc.Arbitrary<Edit> = fc.oneof(
  fc.record({ kind: fc.constant("insert" as const), at, word, area }),
  fc.record({ kind: fc.constant("remove" as const), at }),
  fc.record({ kind: fc.constant("replace" as const), at, word }),
  fc.record({ kind: fc.constant("count" as const), at }),
  fc.record({ kind: fc.constant("move" as const), at, to: at }),
);
const words = ["boots", "hats", "gloves", "scarves", "coats", "socks", "belts"];

interface Entry {
  text: string;
  area: Area;
}

function applied(page: Entry[], change: Edit): Entry[] {
  const index = page.length === 0 ? 0 : change.at % page.length;
  const entry = page[index];
  if (change.kind === "insert")
    return page.toSpliced(index, 0, { text: `We sell ${words[change.word]}`, area: change.area });
  if (entry === undefined) return page;
  if (change.kind === "remove") return page.toSpliced(index, 1);
  if (change.kind === "replace") return page.with(index, { ...entry, text: `New ${words[change.word]}` });
  if (change.kind === "move") return page.toSpliced(index, 1).toSpliced(change.to % page.length, 0, entry);
  const count = Number(/\d+/.exec(entry.text)?.[0] ?? 0) + 1;
  return page.with(index, { ...entry, text: `${count} in the shop` });
}

/** A page as lines: the places are positions, as in a list without names. */
function lines(page: Entry[]): Line[] {
  const counts = new Map<Area, number>();
  return page.map(entry => {
    const count = (counts.get(entry.area) ?? 0) + 1;
    counts.set(entry.area, count);
    return line(entry.text, `${entry.area}>p${count === 1 ? "" : `:${count}`}`, entry.area);
  });
}

const sorted = (texts: Iterable<string>) => [...texts].sort();

/** The lines that were reported before, with those of an event. */
function told(before: string[], { added = [], removed = [] }: { added?: string[]; removed?: string[] }) {
  const left = [...before];
  for (const text of removed) {
    const index = left.indexOf(text);
    expect(index).toBeGreaterThanOrEqual(0);
    left.splice(index, 1);
  }
  return [...left, ...added];
}

const start: Entry[] = [
  ...words.map((each): Entry => ({ text: `About ${each}`, area: "main" })),
  { text: "Open on weekdays", area: "footer" },
  { text: "Read more", area: "aside" },
];

test("whatever a page does: events add up to what it says once it rests, and each fits the one before", () =>
  fc.assert(
    fc.property(fc.array(fc.array(edit, { maxLength: 3 }), { maxLength: 14 }), history => {
      const watch = new WatchedLines();
      let page = start;
      let known = sorted(start.map(({ text }) => text));
      const check = () => {
        const { change } = watch.check(lines(page));
        if (change && change.added.length + change.removed.length > 0) known = sorted(told(known, change));
      };
      check();
      for (const edits of history) {
        page = edits.reduce(applied, page);
        check();
      }
      // What rotates or is restless counts again once it rests.
      for (let rest = 0; rest < 45; rest += 1) check();
      expect(known).toEqual(sorted(page.map(({ text }) => text)));
      expect(watch.verdicts.at(-1)).toMatchObject({ outcome: "same", muted: [], confirm: false });
    }),
    { numRuns: isLong ? 4000 : 200 },
  ));
