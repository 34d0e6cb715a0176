import { areas } from "./landmark-areas.ts";
import { NameOdds } from "./name-odds.ts";
import type { Frame, Outline, OutlinedBlock } from "./outline.ts";
import { type Landmarks, landmarks, type PageContext, pageFeatures, pageNames } from "./page-context.ts";
import { type TextOdds, TextReader } from "./text-odds.ts";
import type { TokenOdds } from "./tokens.ts";

const levels = 5;
const tagNames = "p li div td tr dt dd pre blockquote figcaption summary span a section article".split(" ");

const ownNames = [
  ..."words chars_per_word link_share links strong_share digit_share capital_share capitalised_share".split(
    " ",
  ),
  ..."sentence_ends commas separators prices ends_sentence ends_colon copyright_sign date_like address_like".split(
    " ",
  ),
  ..."short_words wide_share title_share of_title description_share repeated heading_level words_a_sentence".split(
    " ",
  ),
  ..."text_mean text_min text_max text_start ellipsis question".split(" "),
];
const placeNames = [
  ..."index words_before words_after from_h1 after_h1 has_h1 from_heading heading_above depth list_depth".split(
    " ",
  ),
  ..."from_longest".split(" "),
];
const tokenNames = [
  ..."names_sum names_min names_max names_0 names_1 names_2 names_3 names_level0 names_level1 names_level2".split(
    " ",
  ),
];
const levelNames =
  "words share link_share words_a_block prose_share position blocks twins headings above".split(" ");
const neighbourNames = "words link_share names text ends_sentence same_parent same_signature heading".split(
  " ",
);
const neighbours = [-3, -2, -1, 1, 2, 3];

/** The names of the features, in the order of a row. */
export const featureNames: readonly string[] = [
  ...ownNames.map(name => `own.${name}`),
  ...tagNames.map(name => `tag.${name}`),
  ...areas.map(name => `in.${name}`),
  ...placeNames.map(name => `place.${name}`),
  ...tokenNames.map(name => `class.${name}`),
  ...Array.from({ length: levels }, (_, level) => levelNames.map(name => `level${level}.${name}`)).flat(),
  ...neighbours.flatMap(step => neighbourNames.map(name => `near${step > 0 ? "+" : ""}${step}.${name}`)),
  ...pageNames.map(name => `page.${name}`),
];

/** Writes a row of features for each block, `width` apart. */
export function writeFeatures(
  rows: Float32Array,
  width: number,
  outline: Outline,
  page: PageContext,
  odds: TokenOdds,
): void {
  const { blocks } = outline;
  const names = new NameOdds(outline.frames, odds);
  const marks = landmarks(outline, page);
  const reader = new TextReader(odds, marks.title, marks.description);
  const texts = blocks.map(({ text, shape }) => reader.read(text, shape.words));
  const pageRow = pageFeatures(outline, page, odds);
  for (let at = 0; at < blocks.length; at++) {
    const row = new RowWriter(rows, at * width);
    const block = blocks[at] as OutlinedBlock;
    writeOwn(row, block, texts[at] as TextOdds, marks);
    writePlace(row, block, at, outline, marks);
    writeNames(row, block, names);
    let frame: Frame | null = block.frame;
    for (let level = 0; level < levels; level++) {
      writeLevel(row, block, at, frame, outline);
      frame = frame === null ? null : frame.outer;
    }
    for (const step of neighbours) writeNeighbour(row, block, blocks[at + step], texts[at + step], names);
    row.putAll(pageRow);
  }
}

class RowWriter {
  private readonly rows: Float32Array;
  private at: number;

  constructor(rows: Float32Array, at: number) {
    this.rows = rows;
    this.at = at;
  }

  put(value: number): void {
    this.rows[this.at++] = value;
  }

  flag(value: boolean): void {
    this.rows[this.at++] = value ? 1 : 0;
  }

  skip(count: number, value: number): void {
    for (let left = count; left > 0; left--) this.put(value);
  }

  putAll(values: number[]): void {
    for (const value of values) this.put(value);
  }
}

const dateLike =
  /\b(?:19|20)\d\d\b|\b\d{1,2}[/.:]\d{2}\b|\b(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.? \d{1,2}\b|\bago\b/i;
/** The part of it that has no digits. */
const longAgo = /\bago\b/i;
const addressLike = /@[\w-]+\.|https?:|www\.|\+\d/;

function writeOwn(row: RowWriter, block: OutlinedBlock, text: TextOdds, marks: Landmarks): void {
  const { shape, text: own } = block;
  const words = Math.max(1, shape.words);
  const letters = Math.max(1, shape.letters);
  const brief = own.length < 200 ? own : own.slice(0, 200);
  row.put(Math.log2(1 + words));
  row.put(own.length / words);
  row.put(block.linkChars / own.length);
  row.put(Math.min(20, block.links));
  row.put(block.strongChars / own.length);
  row.put(shape.digits / own.length);
  row.put(shape.capitals / letters);
  row.put(shape.capitalised / words);
  row.put(shape.sentenceEnds / words);
  row.put(shape.commas / words);
  row.put(shape.separators / words);
  row.put(Math.min(5, shape.prices));
  row.flag(shape.endsSentence);
  row.flag(own.endsWith(":") || own.endsWith("："));
  row.flag(brief.includes("©"));
  row.flag(shape.digits > 0 ? dateLike.test(brief) : longAgo.test(brief));
  row.flag(addressLike.test(brief));
  row.put(shape.shortWords / words);
  row.put(shape.wide / letters);
  row.put(text.words === 0 ? 0 : text.inTitle / text.words);
  row.put(text.inTitle / Math.max(1, marks.title.size));
  row.put(text.words === 0 ? 0 : text.inDescription / text.words);
  row.put(Math.min(10, marks.repeats.get(own) ?? 1));
  row.put(block.headingLevel);
  row.put(words / Math.max(1, shape.sentenceEnds));
  row.put(text.mean);
  row.put(text.min);
  row.put(text.max);
  row.put(text.start);
  row.flag(own.endsWith("…") || own.endsWith("..."));
  row.flag(own.endsWith("?") || own.endsWith("？"));
}

function writePlace(
  row: RowWriter,
  block: OutlinedBlock,
  at: number,
  outline: Outline,
  marks: Landmarks,
): void {
  const tag = block.parent.name;
  for (const name of tagNames) row.flag(tag === name);
  for (let area = 0; area < areas.length; area++) row.put((block.frame.areas >> area) & 1);
  const total = Math.max(1, outline.words);
  row.put(at / outline.blocks.length);
  row.put(block.wordsBefore / total);
  row.put(1 - (block.wordsBefore + block.shape.words) / total);
  row.put(marks.h1 < 0 ? 0 : clip(at - marks.h1, 100));
  row.flag(marks.h1 >= 0 && at > marks.h1);
  row.flag(marks.h1 >= 0);
  const heading = marks.headingAt[at] ?? -1;
  row.put(heading < 0 ? 100 : clip(at - heading, 100));
  row.put(heading < 0 ? 0 : (outline.blocks[heading]?.headingLevel ?? 0));
  row.put(block.frame.depth + 1);
  row.put(block.frame.lists);
  row.put(clip(at - marks.longestAt, 100));
}

function clip(value: number, limit: number): number {
  return Math.max(-limit, Math.min(limit, value));
}

function writeNames(row: RowWriter, { frame }: OutlinedBlock, names: NameOdds): void {
  row.put(names.sums[frame.index]!);
  row.put(names.least[frame.index]!);
  row.put(names.most[frame.index]!);
  let above: Frame | null = frame;
  for (let up = 0; up < 4; up++) {
    row.put(names.of(above));
    above = above === null ? null : above.parent;
  }
  let outer: Frame | null = frame;
  for (let level = 0; level < 3; level++) {
    row.put(names.of(outer));
    outer = outer === null ? null : outer.outer;
  }
}

function writeLevel(
  row: RowWriter,
  block: OutlinedBlock,
  at: number,
  frame: Frame | null,
  outline: Outline,
): void {
  if (frame === null) {
    row.skip(levelNames.length, -1);
    return;
  }
  const words = Math.max(1, frame.words);
  row.put(Math.log2(words));
  row.put(frame.words / Math.max(1, outline.words));
  row.put(frame.linkWords / words);
  row.put(words / frame.blocks);
  row.put(frame.proseWords / words);
  row.put((at - frame.firstBlock) / frame.blocks);
  row.put(Math.log2(1 + frame.blocks));
  row.put(Math.min(50, frame.twins));
  row.put(frame.headings / frame.blocks);
  row.put(frame.depth / (block.frame.depth + 1));
}

function writeNeighbour(
  row: RowWriter,
  { frame }: OutlinedBlock,
  other: OutlinedBlock | undefined,
  text: TextOdds | undefined,
  names: NameOdds,
): void {
  if (other === undefined || text === undefined) {
    row.skip(neighbourNames.length, -1);
    return;
  }
  row.put(Math.log2(1 + other.shape.words));
  row.put(other.linkChars / other.text.length);
  row.put(names.sums[other.frame.index]!);
  row.put(text.mean);
  row.flag(other.shape.endsSentence);
  row.flag(other.frame.outer === frame.outer);
  row.flag(other.frame.signature === frame.signature);
  row.put(other.headingLevel);
}
