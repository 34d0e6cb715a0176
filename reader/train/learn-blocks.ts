import { cleanTree } from "../clean/clean-tree.ts";
import { type BlockModel, writeBlockModel } from "../content/block-model.ts";
import { splitBlocks } from "../content/blocks.ts";
import { rowNames, sharesOf } from "../content/classify.ts";
import { cluesOf } from "../content/clue-weights.ts";
import { featureNames, writeFeatures } from "../content/features.ts";
import { judgeOutline } from "../content/find-main.ts";
import { writeNeighbourhood } from "../content/neighbourhood.ts";
import { outlinePage } from "../content/outline.ts";
import type { PageContext } from "../content/page-context.ts";
import { parseHtml } from "../html/parse-html.ts";
import { readMetadata } from "../metadata/read-metadata.ts";
import { urlResolver } from "../page/page-links.ts";
import { type BinnedRows, binRows } from "./bin-rows.ts";
import { dealSites, type TrainingPage } from "./data-sets.ts";
import { labelBlocks, wordsOf } from "./label-blocks.ts";
import { type CluePage, type ClueRow, learnClues } from "./learn-clues.ts";
import type { Truth } from "./measure.ts";
import { type LabelledPage, TokenCounts } from "./token-odds.ts";
import { defaults, generator, type TrainOptions, trainOn } from "./train-trees.ts";

/** A page as training needs it. */
export interface PreparedPage extends LabelledPage, CluePage {
  context: PageContext;
  truth: Truth;
}

const unknownAddress = "https://page.invalid/";

export function preparePage({ html, ...page }: TrainingPage): PreparedPage {
  const root = parseHtml(html);
  const url = page.url || unknownAddress;
  const resolve = urlResolver(root, url);
  const { title, description, og } = readMetadata(root, resolve, url);
  const body = cleanTree(root, resolve);
  const outline = outlinePage(body, splitBlocks(body));
  const labels = labelBlocks(
    outline.blocks.map(({ text }) => text),
    page.content,
  );
  const context = { url: page.url, title, description, kind: og.type ?? "" };
  return { site: page.site, url: page.url, outline, labels, context, truth: page, ...cluesOf(outline) };
}

/** The content that a model finds in a page. */
export function contentOf({ outline, context }: PreparedPage, model: BlockModel): string {
  const { kept } = judgeOutline(model, outline, context);
  return outline.blocks
    .filter((_, at) => kept[at])
    .map(({ text }) => text)
    .join("\n");
}

/**
 * How many models make the first pass while the second learns: each scores sites that it has not seen. The more
 * there are, the more each is like the one that is shipped.
 */
const firstFolds = 6;
/** In how many parts sites get the odds of tokens that the other parts give. */
const tokenFolds = 12;
/** Chance picks the blocks that a page with more of them teaches. */
const mostBlocks = 250;

/**
 * Trees of the second pass; the first has a quarter of them, with steps twice as long. Each tree sees a part of what there
 * is: that takes a fifth of the time, and trees differ more.
 */
export const blockDefaults = {
  ...defaults,
  ...{ trees: 480, learningRate: 0.05, bins: 64, l2: 5, featureShare: 0.3, rowShare: 0.5 },
};

/**
 * Learns both passes and the clues, and returns the model's file. What the second pass sees of the first in training comes
 * from models, and odds of tokens, that have not seen the page's site: else it would trust them more than they deserve on
 * new pages.
 */
export function learnBlocks(pages: readonly PreparedPage[], given: Partial<TrainOptions> = {}): Uint8Array {
  const options = { ...blockDefaults, ...given };
  const forFirst = {
    ...options,
    ...{ trees: Math.ceil(options.trees / 4), learningRate: options.learningRate * 2 },
  };
  const tokens = new TokenCounts(pages);
  const table = new BlockTable(pages, options.seed);
  const all = pages.map(({ site }, at) => ({ site, at }));
  for (const part of dealSites(all, tokenFolds)) {
    const odds = tokens.without(new Set([...part].map(({ site }) => site)));
    for (const { at } of part) {
      const { outline, context } = pages[at]!;
      writeFeatures(table.rowsOf(at), width, outline, context, odds);
    }
  }
  const plain = binRows(table.features, width, { bins: options.bins, to: featureNames.length });
  for (const heldOut of dealSites(all, firstFolds)) {
    const seen = table.taught(all.filter(page => !heldOut.has(page)).map(({ at }) => at));
    const trees = trainOn(plain, table, forFirst, seen);
    for (const { at } of heldOut) {
      const rows = table.rowsOf(at);
      const { outline } = pages[at]!;
      writeNeighbourhood(
        rows,
        width,
        featureNames.length,
        outline,
        sharesOf(trees, rows, outline.blocks.length),
      );
    }
  }
  const taught = table.taught([...pages.keys()]);
  const first = trainOn(plain, table, forFirst, taught);
  const added = binRows(table.features, width, { bins: options.bins, from: featureNames.length });
  const second = trainOn(joinColumns(plain, added), table, options, table.unsure(taught));
  const clues = learnClues(pages, table.clueRows());
  return writeBlockModel({ first, second, odds: tokens.without([]), clues });
}

const width = rowNames.length;
const ownShare = rowNames.indexOf("score.own");
/** The second pass learns from more rows than it is asked about, which are those of 0.15 and more (docs/decisions/0093). */
const learntFrom = 0.02;
const longest = 200;
const shortest = 30;

/** A row for each block of all pages. */
class BlockTable {
  readonly features: Float32Array;
  readonly labels: Float32Array;
  readonly weights: Float32Array;
  /** The first row of each page, and the end of the last one. */
  private readonly begins: Int32Array;
  private readonly isTaught: Uint8Array;

  constructor(pages: readonly PreparedPage[], seed: number) {
    this.begins = new Int32Array(pages.length + 1);
    for (const at of pages.keys()) this.begins[at + 1] = this.begins[at]! + pages[at]!.outline.blocks.length;
    const count = this.begins[pages.length]!;
    this.features = new Float32Array(count * width);
    this.labels = new Float32Array(count);
    this.weights = new Float32Array(count);
    this.isTaught = new Uint8Array(count);
    const random = generator(seed);
    for (const at of pages.keys()) this.teach(pages[at]!, this.begins[at]!, random);
    this.scaleWeights();
  }

  rowsOf(page: number): Float32Array {
    return this.features.subarray(this.begins[page]! * width, this.begins[page + 1]! * width);
  }

  /** The rows that these pages teach. */
  taught(pages: readonly number[]): Int32Array {
    const rows: number[] = [];
    for (const page of pages)
      for (let row = this.begins[page]!; row < this.begins[page + 1]!; row++)
        if (this.isTaught[row]) rows.push(row);
    return Int32Array.from(rows);
  }

  /** The rows that teach the clues. */
  clueRows(): ClueRow[] {
    const rows: ClueRow[] = [];
    for (let page = 0; page + 1 < this.begins.length; page++)
      for (let row = this.begins[page]!; row < this.begins[page + 1]!; row++)
        if (this.isTaught[row])
          rows.push({
            ...{ page, block: row - this.begins[page]! },
            ...{ label: this.labels[row]!, weight: this.weights[row]! },
          });
    return rows;
  }

  /** The rows that the second pass may be asked about. */
  unsure(rows: Int32Array): Int32Array {
    return rows.filter(row => {
      const share = this.features[row * width + ownShare]!;
      return share > learntFrom && share < 1 - learntFrom;
    });
  }

  /**
   * A block weighs more the longer it is, as it does in F1, and the less content its page has: there each word costs more.
   * Pages whose content is not known teach nothing.
   */
  private teach({ outline, labels, truth }: PreparedPage, begin: number, random: () => number): void {
    this.labels.set(labels, begin);
    const content = wordsOf(truth.content).length;
    const share = Math.min(1, mostBlocks / outline.blocks.length);
    outline.blocks.forEach(({ shape }, block) => {
      const length = Math.min(shape.words + 1, longest) ** 0.7;
      this.weights[begin + block] = length / Math.sqrt(Math.max(shortest, content)) / share;
      this.isTaught[begin + block] = Number(content > 0 && random() < share);
    });
  }

  /** Makes the mean weight 1, which options count in. */
  private scaleWeights(): void {
    let [sum, count] = [0, 0];
    this.weights.forEach((weight, row) => {
      sum += this.isTaught[row]! * weight;
      count += this.isTaught[row]!;
    });
    for (const row of this.weights.keys()) this.weights[row]! *= count / Math.max(1e-9, sum);
  }
}

function joinColumns(left: BinnedRows, right: BinnedRows): BinnedRows {
  return {
    rows: left.rows,
    features: left.features + right.features,
    columns: [...left.columns, ...right.columns],
    cuts: [...left.cuts, ...right.cuts],
  };
}
