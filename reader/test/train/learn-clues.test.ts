import { learnClues } from "../../train/learn-clues.ts";

/** A page of three blocks on a site of its own: the clues 1 and 9 are content, 2 and 9 are not, 3 says nothing. */
const pageOf = (at: number) => ({
  site: `site${at}.example`,
  clues: Int32Array.of(1, 9, 2, 9, 3, 100 + at),
  ends: Int32Array.of(2, 4, 6),
});
const pages = Array.from({ length: 20 }, (_, at) => pageOf(at));
const rows = pages.flatMap((_, page) =>
  [1, 0, page % 2].map((label, block) => ({ page, block, label, weight: 1 })),
);

test("clues have the weights that content gives them, together", () => {
  const weights = learnClues(pages, rows);
  expect(weights.of(1)).toBeGreaterThan(1);
  expect(weights.of(2)).toBeLessThan(-1);
  for (const each of [3, 9]) expect(Math.abs(weights.of(each))).toBeLessThan(0.2);
  expect(learnClues(pages, rows)).toEqual(weights);
});

test("what few sites have is no clue, and of the others the strongest are kept", () => {
  expect([...learnClues(pages, rows).clues]).not.toContain(100);
  expect(learnClues(pages, rows, { most: 2 }).clues.toSorted()).toEqual(Int32Array.of(1, 2));
  expect(learnClues(pages, rows, { minSites: 21 }).clues).toHaveLength(0);
});
