import { f1, figures, precision, scoreOf } from "../../bench/schemas.ts";
import { schemaPages } from "../fixtures/schemas/pages.ts";

test("there are ninety pages of as many designs; a third of them are held out", () => {
  const [developed, heldOut] = [schemaPages["developed on"], schemaPages["held out"]];
  const all = [...developed, ...heldOut];
  expect(all.length).toBeGreaterThanOrEqual(90);
  expect(heldOut.length * 3).toBeGreaterThanOrEqual(all.length);
  expect(new Set(all.map(({ name }) => name)).size).toBe(all.length);
  for (const { html } of all) expect(html).not.toMatch(/ld\+json|itemprop|itemscope|property=|<meta name/);
});

test.each([
  ["developed on", 0.95, 0.98],
  ["held out", 0.85, 0.95],
] as const)(
  "values that schemas ask for, %s: F1 of %d or more at a precision of %d or more",
  (part, leastF1, leastPrecision) => {
    const score = scoreOf(schemaPages[part]);
    const said = figures(score);
    expect({ said, wrong: score.wrong, enough: f1(score) >= leastF1 }).toEqual({
      said,
      wrong: score.wrong,
      enough: true,
    });
    expect({ said, wrong: score.wrong, precise: precision(score) >= leastPrecision }).toEqual({
      said,
      wrong: score.wrong,
      precise: true,
    });
  },
);
