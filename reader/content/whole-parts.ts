import { type ElementNode, findElement, isElement } from "../html/tree.ts";
import { type Frame, frameOf, type Outline, type OutlinedBlock, sumOver } from "./outline.ts";
import { judgeTable, type Verdicts, type Weigh } from "./whole-tables.ts";

/** What is kept of a page, where some of its parts are kept or dropped as one. */
export interface WholeParts {
  /** For each block whether it is content. */
  kept: boolean[];
  stays: Verdicts;
}

/**
 * Keeps or drops as one what says nothing, or something else, without its parts: rows of tables, terms with their
 * definitions. What advertises in a cell is judged by itself.
 */
export function withWholeParts(outline: Outline, kept: readonly boolean[]): WholeParts {
  const { blocks, frames } = outline;
  const stays: Verdicts = new Map();
  if (!frames.some(({ element: { name } }) => name === "table" || name === "dl"))
    return { kept: [...kept], stays };
  const tables = outermostTables(frames);
  const isApart = blocks.map(
    (block, at) => kept[at] !== true && tables[block.frame.index]! >= 0 && advertises(block),
  );
  const words = sumOver(outline, ({ shape }, at) => (isApart[at] ? 0 : shape.words));
  const keptWords = sumOver(outline, ({ shape }, at) => (kept[at] ? shape.words : 0));
  const weigh: Weigh = element => {
    const at = frameOf(frames, element)?.index ?? -1;
    return { words: words[at] ?? 0, kept: keptWords[at] ?? 0 };
  };
  frames.forEach(({ element }, at) => {
    if (tables[at] === at) judgeTable(element, weigh, stays);
    if (tables[at]! < 0 && element.name === "dl") judgeTerms(element, weigh, stays);
  });
  const verdicts = inherited(frames, stays);
  const isKept = ({ frame }: OutlinedBlock, at: number) =>
    isApart[at] ? false : (verdicts[frame.index] ?? kept[at] === true);
  return { kept: blocks.map(isKept), stays };
}

/** For each element the place of the outermost table that it is in or is, or -1. */
function outermostTables(frames: readonly Frame[]): Int32Array {
  const tables = new Int32Array(frames.length);
  frames.forEach(({ element, parent }, at) => {
    const above = parent === null ? -1 : tables[parent.index]!;
    tables[at] = above < 0 && element.name === "table" ? at : above;
  });
  return tables;
}

/** What was decided of each element, or of the nearest one around it. */
function inherited(frames: readonly Frame[], stays: Verdicts): (boolean | undefined)[] {
  const verdicts: (boolean | undefined)[] = [];
  for (const { element, parent } of frames)
    verdicts.push(stays.get(element) ?? (parent === null ? undefined : verdicts[parent.index]));
  return verdicts;
}

const advertising = /(?:^|[\s_-])(?:ads?|adsbygoogle|advert\w*|sponsor(?:ed)?)(?:$|[\s_-])/i;

/** Whether a block in a cell, or an element around it there, is named as an advertisement. */
function advertises({ frame }: OutlinedBlock): boolean {
  for (let at: Frame | null = frame; at !== null && at.element.name !== "tr"; at = at.parent) {
    const { element } = at;
    if (advertising.test(`${element.getAttribute("class")} ${element.getAttribute("id")}`)) return true;
  }
  return false;
}

const large = new Set("table dl h1 h2 h3 h4 h5 h6 form article section main".split(" "));

/** Terms stay where at least half of the words of their definitions are kept. Definitions with parts of a page are pages. */
function judgeTerms(list: ElementNode, weigh: Weigh, stays: Verdicts): void {
  for (const pair of pairsOf(list)) {
    if (pair.some(item => findElement(item, ({ name }) => large.has(name)))) continue;
    const definitions = pair.filter(({ name }) => name === "dd").map(weigh);
    const words = definitions.reduce((sum, each) => sum + each.words, 0);
    const kept = definitions.reduce((sum, each) => sum + each.kept, 0);
    if (words > 0) for (const item of pair) stays.set(item, 2 * kept >= words);
  }
}

/** Terms with the definitions after them, which a `div` may group. */
function pairsOf(list: ElementNode): ElementNode[][] {
  const pairs: ElementNode[][] = [];
  let last = "dd";
  const add = (item: ElementNode): void => {
    if (item.name === "div") for (const inner of item.childNodes.filter(isElement)) add(inner);
    if (item.name !== "dt" && item.name !== "dd") return;
    if (item.name === "dt" && last === "dd") pairs.push([]);
    pairs.at(-1)?.push(item);
    last = item.name;
  };
  for (const item of list.childNodes.filter(isElement)) add(item);
  return pairs;
}
