import { line, listed, WatchedLines } from "./watched-lines.ts";

const text = [..."abcdefgh"].map((each, n) => line(`A sentence about ${each}.`, `main>p:${n + 1}`));
const board = (...teams: string[]) => [
  ...listed(
    teams.map(team => `- ${team}`),
    "main>ol",
  ),
  ...text,
];

function moved(before: string[], after: string[]) {
  const watch = new WatchedLines();
  watch.check(board(...before));
  return watch.check(board(...after)).change;
}

test("a swap of neighbours has words, and the lines that moved are in both lists", () =>
  expect(moved(["Alpha", "Beta", "Gamma"], ["Beta", "Alpha", "Gamma"])).toMatchObject({
    added: ["- Alpha"],
    removed: ["- Alpha"],
    moved: ["Alpha: moved from 1st to 2nd"],
  }));

test("a line that rises says from where to where", () =>
  expect(moved(["A", "B", "C", "D", "E"], ["E", "A", "B", "C", "D"])?.moved).toEqual([
    "E: moved from 5th to 1st",
  ]));

test("a move beside other changes is told as a move, and is in neither list", () =>
  expect(moved(["A", "B", "C", "D"], ["D", "A", "New", "C"])).toMatchObject({
    added: ["- New"],
    removed: ["- B"],
    moved: ["D: moved from 4th to 1st"],
  }));

test("places are counted in the list, in words up to the hundreds", () => {
  const teams = Array.from(
    { length: 123 },
    (_, n) => `Team ${"abcdefghij"[n % 10]}${"klmnopqrstuvw"[Math.floor(n / 10)]}`,
  );
  const last = (at: number) => [teams[at] ?? "", ...teams.toSpliced(at, 1)];
  expect(
    [2, 10, 11, 12, 20, 21, 100, 110, 111, 121].map(at =>
      moved(teams, last(at))?.moved?.[0]?.replace(/.*from /, ""),
    ),
  ).toEqual(
    ["3rd", "11th", "12th", "13th", "21st", "22nd", "101st", "111th", "112th", "122nd"].map(
      rank => `${rank} to 1st`,
    ),
  );
});

test("a block of its own moves by lines of the page", () => {
  const watch = new WatchedLines();
  const notice = (at: number) => text.toSpliced(at, 0, line("The lift is broken.", "#lift"));
  watch.check(notice(1));
  expect(watch.check(notice(6)).change?.moved).toEqual(["The lift is broken.: moved from line 2 to line 7"]);
});

test("a change without moves has no word of them", () =>
  expect(moved(["A", "B"], ["A", "C"])).not.toHaveProperty("moved"));
