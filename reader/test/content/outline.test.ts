import { splitBlocks } from "../../content/blocks.ts";
import { areas } from "../../content/landmark-areas.ts";
import { NameOdds } from "../../content/name-odds.ts";
import { type Frame, frameOf, outlinePage } from "../../content/outline.ts";
import { elementTokens } from "../../content/tokens.ts";
import { parseHtml } from "../../html/parse-html.ts";
import { fixturePages } from "../fixtures/extract/pages.ts";

const outlineOf = (html: string) => {
  const root = parseHtml(html);
  return outlinePage(root, splitBlocks(root));
};

function around(frame: Frame): Frame[] {
  return frame.parent === null ? [frame] : [frame, ...around(frame.parent)];
}

const sum = (values: number[]) => values.reduce((total, each) => total + each, 0);

test.each(fixturePages)("what each element of $name holds is what its blocks are", ({ html }) => {
  const { blocks, frames } = outlineOf(html);
  const ofSameHtml = outlineOf(html).frames;
  for (const frame of frames) {
    const own = blocks.filter(block => around(block.frame).includes(frame));
    expect(frame).toMatchObject({
      words: sum(own.map(({ shape }) => Math.max(1, shape.words))),
      linkWords: sum(own.map(({ linkWords }) => linkWords)),
      blocks: own.length,
      headings: own.filter(({ headingLevel }) => headingLevel > 0).length,
      firstBlock: frame.index === 0 ? 0 : blocks.indexOf(own[0]!),
    });
    expect(frames.indexOf(frame)).toBe(frame.index);
    expect(frameOf(frames, frame.element)).toBe(frame);
    expect(frameOf(ofSameHtml, frame.element)).toBeUndefined();
    expect(frame.outer).toBe(around(frame).find(({ blocks }) => blocks > frame.blocks) ?? null);
  }
});

test.each(fixturePages)("the odds of names in $name are those of their tokens", ({ html }) => {
  const { frames } = outlineOf(html);
  const tokens = [...new Set(frames.flatMap(({ element }) => elementTokens(element)))];
  const odds = new Map(tokens.flatMap((token, at) => (at % 5 === 1 ? [] : [[token, (at % 9) - 4.25]])));
  const names = new NameOdds(frames, odds);
  const own = (frame: Frame) => sum(elementTokens(frame.element).map(token => odds.get(token) ?? 0));
  for (const frame of frames) {
    const all = around(frame).map(own);
    expect(names.of(frame)).toBeCloseTo(own(frame), 9);
    expect(names.sums[frame.index]).toBeCloseTo(sum(all), 9);
    expect(names.least[frame.index]).toBeCloseTo(Math.min(0, ...all), 9);
    expect(names.most[frame.index]).toBeCloseTo(Math.max(0, ...all), 9);
  }
});

test("the areas around a block are those of elements and of roles; an id and many classes count as well", () => {
  const { blocks } = outlineOf(
    "<main><div role=navigation><ol><li>a</ol></div><p>b</main><div role=constructor>c",
  );
  const named = blocks.map(({ frame }) => areas.filter((_, at) => (frame.areas >> at) & 1));
  expect(named).toEqual([["main", "nav", "ul"], ["main"], []]);
  const classes = Array.from({ length: 14 }, (_, at) => `long-name-${at}`).join(" ");
  const { frames } = outlineOf(`<div class="${classes}" id="far-away">a</div>`);
  const tokens = elementTokens(frames[1]!.element);
  expect(tokens).not.toContain(".far-away");
  expect(new NameOdds(frames, new Map(tokens.map(token => [token, 1]))).of(frames[1]!)).toBe(tokens.length);
});

test("signatures ignore digits in classes, not in tags", () => {
  const { blocks } = outlineOf("<p class=a1>x</p><p class=a22>y</p><h2 class=a1>z</h2><h3 class=a1>w</h3>");
  const [first, second, third, fourth] = blocks.map(({ frame }) => frame.signature);
  expect([second === first, third === first, third === fourth]).toEqual([true, false, false]);
  expect(blocks.map(({ frame }) => frame.twins)).toEqual([2, 2, 1, 1]);
});
