import { ClueWeights } from "../content/clue-weights.ts";
import { minimise } from "./minimise.ts";

/** A page whose blocks teach. */
export interface CluePage {
  site: string;
  /** The clues of its blocks, and where those of each block end. */
  clues: Int32Array;
  ends: Int32Array;
}

/** A block of a page: what share of it is content, and how much it weighs. */
export interface ClueRow {
  page: number;
  block: number;
  label: number;
  weight: number;
}

export const clueDefaults = { minSites: 10, most: 12_000, steps: 40, l2: 8e-4 };

/**
 * Learns the weights of clues together, so that clues which come together share what they say: logistic regression, with
 * a cost for each weight that keeps rare clues small.
 */
export function learnClues(
  pages: readonly CluePage[],
  rows: readonly ClueRow[],
  given: Partial<typeof clueDefaults> = {},
): ClueWeights {
  const { minSites, most, steps, l2 } = { ...clueDefaults, ...given };
  const places = placesOf(pages, minSites);
  const table = tableOf(pages, rows, places);
  const base = meanOdds(rows);
  const all = rows.reduce((sum, { weight }) => sum + weight, 0);
  const weights = minimise(places.size, steps, (at, slope) => {
    slope.fill(0);
    let cost = 0;
    rows.forEach(({ label, weight }, row) => {
      const [begin, end] = [table.begins[row]!, table.begins[row + 1]!];
      let score = base;
      for (let each = begin; each < end; each++) score += at[table.clues[each]!]!;
      cost += weight * (Math.max(score, 0) + Math.log1p(Math.exp(-Math.abs(score))) - label * score);
      const change = (weight * (1 / (1 + Math.exp(-score)) - label)) / all;
      for (let each = begin; each < end; each++) slope[table.clues[each]!]! += change;
    });
    let size = 0;
    for (let clue = 0; clue < at.length; clue++) {
      size += at[clue]! * at[clue]!;
      slope[clue]! += l2 * at[clue]!;
    }
    return cost / all + (l2 * size) / 2;
  });
  return strongest(base, [...places.keys()], weights, seenOf(table, rows, places.size), most);
}

/** The places of the known clues of each row, one row after the other. */
function tableOf(pages: readonly CluePage[], rows: readonly ClueRow[], places: ReadonlyMap<number, number>) {
  const known = pages.map(({ clues }) => Int32Array.from(clues, clue => places.get(clue) ?? -1));
  const begins = new Int32Array(rows.length + 1);
  const bounds = rows.map(({ page, block }) => boundsOf(pages[page]!, block));
  const clues = new Int32Array(bounds.reduce((sum, [begin, end]) => sum + end - begin, 0));
  let count = 0;
  rows.forEach(({ page }, row) => {
    const [begin, end] = bounds[row]!;
    for (let at = begin; at < end; at++) if (known[page]![at]! >= 0) clues[count++] = known[page]![at]!;
    begins[row + 1] = count;
  });
  return { clues, begins };
}

/** How much text has each clue. */
function seenOf(
  { clues, begins }: ReturnType<typeof tableOf>,
  rows: readonly ClueRow[],
  size: number,
): Float64Array {
  const seen = new Float64Array(size);
  rows.forEach(({ weight }, row) => {
    for (let at = begins[row]!; at < begins[row + 1]!; at++) seen[clues[at]!]! += weight;
  });
  return seen;
}

function boundsOf({ ends }: CluePage, block: number): [number, number] {
  return [block === 0 ? 0 : ends[block - 1]!, ends[block]!];
}

/** The clues that enough sites have, each with its place. */
function placesOf(pages: readonly CluePage[], minSites: number): Map<number, number> {
  const counts = new Map<number, number>();
  for (const own of Map.groupBy(pages, ({ site }) => site).values()) {
    const there = new Set<number>();
    for (const { clues } of own) for (const clue of clues) there.add(clue);
    for (const clue of there) counts.set(clue, (counts.get(clue) ?? 0) + 1);
  }
  const places = new Map<number, number>();
  for (const [clue, count] of counts) if (count >= minSites) places.set(clue, places.size);
  return places;
}

function meanOdds(rows: readonly ClueRow[]): number {
  let [yes, all] = [1e-3, 2e-3];
  for (const { label, weight } of rows) {
    yes += label * weight;
    all += weight;
  }
  return Math.log(yes / (all - yes));
}

/** Those that change most, by their weights and by how much text has them. */
function strongest(
  base: number,
  clues: readonly number[],
  weights: Float64Array,
  seen: Float64Array,
  most: number,
): ClueWeights {
  const strength = (at: number) => Math.abs(weights[at]!) * Math.sqrt(seen[at]!);
  const kept = [...clues.keys()].sort((a, b) => strength(b) - strength(a) || a - b).slice(0, most);
  return new ClueWeights(
    base,
    Int32Array.from(kept, at => clues[at]!),
    Float32Array.from(kept, at => weights[at]!),
  );
}
