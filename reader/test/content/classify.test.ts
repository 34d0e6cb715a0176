import type { BlockModel } from "../../content/block-model.ts";
import { splitBlocks } from "../../content/blocks.ts";
import { rowNames, scoreBlocks } from "../../content/classify.ts";
import { ClueWeights } from "../../content/clue-weights.ts";
import { featureNames } from "../../content/features.ts";
import { outlinePage } from "../../content/outline.ts";
import { parseHtml } from "../../html/parse-html.ts";
import { packTrees } from "../../learn/boosted-trees.ts";

/** One block with a link has the score 2, all others -2. */
const model: BlockModel = {
  first: packTrees(featureNames.length, 0, []),
  second: packTrees(rowNames.length, 0, [
    {
      value: 0,
      split: {
        feature: rowNames.indexOf("own.links"),
        threshold: 0.5,
        children: [{ value: -2 }, { value: 2 }],
      },
    },
  ]),
  odds: new Map(),
  clues: new ClueWeights(0, new Int32Array(0), new Float32Array(0)),
};

/** Before their calibration. */
function scoresOf(html: string, given = model): number[] {
  const root = parseHtml(html);
  const outline = outlinePage(root, splitBlocks(root));
  const page = { url: "https://a.example/", title: "", description: null, kind: "" };
  const { shares } = scoreBlocks(given, outline, page);
  return Array.from(shares, share => {
    const calibrated = Math.log(share / (1 - share));
    return Math.round((1000 * (calibrated + 0.45)) / 0.85 / 0.75) / 1000;
  });
}

test("half of a block's score is the mean over the blocks that are made alike, by their words", () => {
  const row = (text: string) => `<li class="tile"><p>${text}</p></li>`;
  const tiles = row("<a href=/>one two three</a>") + row("four five six") + row("seven");
  // Each block weighs a word more than it has: (4 × 2 - 4 × 2 - 2 × 2) / 10 = -0.4.
  expect(scoresOf(`<ul>${tiles}</ul>`)).toEqual([0.8, -1.2, -1.2]);
});

test("a block that is made like no other keeps its score", () => {
  expect(scoresOf("<p><a href=/>one two</a></p><h2>three</h2><blockquote>four</blockquote>")).toEqual([
    2, -2, -2,
  ]);
});

test("shares are less sure than the trees", () => {
  const root = parseHtml("<p><a href=/>one two</a></p>");
  const page = { url: "https://a.example/", title: "", description: null, kind: "" };
  const [share] = scoreBlocks(model, outlinePage(root, splitBlocks(root)), page).shares;
  expect(share).toBeCloseTo(1 / (1 + Math.exp(0.45 - 0.85 * 0.75 * 2)), 6);
});

test.each([
  [-1.8, -1.8],
  [-1.7, -2],
  [1.7, -2],
  [1.8, 1.8],
])("a block to which the first pass gives log odds of %f has %f", (first, expected) => {
  const sure = { ...model, first: packTrees(featureNames.length, first, []) };
  expect(scoresOf("<p>one two</p>", sure)).toEqual([expected]);
});
