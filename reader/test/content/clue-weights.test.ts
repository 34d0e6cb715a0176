import { splitBlocks } from "../../content/blocks.ts";
import { ClueWeights, clueScores, cluesOf } from "../../content/clue-weights.ts";
import { type Outline, outlinePage } from "../../content/outline.ts";
import { parseHtml } from "../../html/parse-html.ts";
import { fixturePages } from "../fixtures/extract/pages.ts";

function outlineOf(html: string): Outline {
  const root = parseHtml(html);
  return outlinePage(root, splitBlocks(root));
}

/** All clues of some pages, each with a weight of its own. */
function weightsOf(outlines: readonly Outline[]): ClueWeights {
  const clues = [...new Set(outlines.flatMap(outline => [...cluesOf(outline).clues]))];
  return new ClueWeights(
    -0.5,
    Int32Array.from(clues),
    Float32Array.from(clues, (_, at) => ((at * 37) % 101) / 64 - 0.75),
  );
}

test("a page is read by the clues that training sees in it", () => {
  const outlines = fixturePages.slice(0, 8).map(({ html }) => outlineOf(html));
  const weights = weightsOf(outlines);
  for (const outline of outlines) {
    const { clues, ends } = cluesOf(outline);
    const sums = Array.from(ends, (end, block) =>
      clues
        .subarray(block === 0 ? 0 : ends[block - 1], end)
        .reduce((sum, clue) => sum + weights.of(clue), weights.base),
    );
    const scores = clueScores(outline, weights);
    expect(Array.from(scores, score => score.toFixed(3))).toEqual(sums.map(sum => sum.toFixed(3)));
  }
});

const block = (html: string, at = 0) => {
  const { clues, ends } = cluesOf(outlineOf(html));
  return new Set(clues.subarray(at === 0 ? 0 : ends[at - 1], ends[at]));
};

test.each([
  ["classes in other letters", '<p class="SideBar-box">One</p>', '<p class="sidebar-box">One</p>', false],
  ["numbers in a class", '<p class="item-12">One</p>', '<p class="item-7">One</p>', true],
  ["capitals of a text", "<p>READ MORE</p>", "<p>Read more</p>", true],
  ["the order of words", "<p>more read</p>", "<p>read more</p>", false],
  [
    "another label",
    '<div aria-label="Ads"><p>One</p></div>',
    '<div aria-label="Post"><p>One</p></div>',
    false,
  ],
  ["white space in a class", '<p class=" box  big ">One</p>', '<p class="box big">One</p>', true],
])("what makes the same clues: %s", (_, left, right, isSame) => {
  const [one, other] = [block(left), block(right)];
  expect(one.size === other.size && [...one].every(clue => other.has(clue))).toBe(isSame);
});

test("a heading is a clue of the text below it, up to the next one", () => {
  const html = "<h2>Related</h2><p>One</p><p>One</p><h2>Story</h2><p>One</p>";
  expect(block(html, 1)).toEqual(block(html, 2));
  expect(block(html, 4)).not.toEqual(block(html, 2));
});
