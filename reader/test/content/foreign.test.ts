import { extractText } from "../../page/extract-page.ts";
import { type PageScore, scorePage } from "../../train/measure.ts";
import { foreignPages, languages } from "../fixtures/foreign/pages.ts";

const bar = 0.94;

/** Scripts without spaces are compared by characters. */
const apart = (text: string) =>
  text.replace(/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/gu, " $& ");

const scores = foreignPages.map(page => ({
  ...page,
  score: scorePage(apart(extractText(page, true)), {
    ...{ name: page.design, set: "foreign", type: page.language },
    ...{ content: apart(page.content), without: [] },
  }),
}));

function meanF1(of: readonly { score: PageScore }[]): number {
  return of.reduce((sum, { score }) => sum + score.f1, 0) / of.length;
}

test("there are at least 120 pages in 15 languages, a third of them of designs that no rule was made with", () => {
  expect(foreignPages.length).toBeGreaterThanOrEqual(120);
  expect(languages.length).toBeGreaterThanOrEqual(15);
  expect(foreignPages.filter(({ isHeldOut }) => isHeldOut)).toHaveLength(foreignPages.length / 3);
});

test("pages in all languages are read as people would mark them", () => {
  for (const { code } of languages)
    process.stdout.write(
      `${code} ${meanF1(scores.filter(({ language }) => language === code)).toFixed(3)}\n`,
    );
  const open = meanF1(scores.filter(({ isHeldOut }) => !isHeldOut));
  const heldOut = meanF1(scores.filter(({ isHeldOut }) => isHeldOut));
  process.stdout.write(`known designs ${open.toFixed(3)}, others ${heldOut.toFixed(3)}\n`);
  expect(meanF1(scores)).toBeGreaterThanOrEqual(bar);
});
