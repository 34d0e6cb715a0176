/** Rows whose features are numbers of bins. */
export interface BinnedRows {
  rows: number;
  features: number;
  /** The bin of each row, a column per feature. */
  columns: Uint8Array[];
  /** Per feature, rising: a value is in bin n if n cuts are less than it. */
  cuts: Float32Array[];
}

/** Features that are read together: a line of the processor's cache. */
const together = 16;

interface BinOptions {
  bins?: number;
  /** The features that are binned, `to` excluded; all of them by default. */
  from?: number;
  to?: number;
}

/** Bins the features of rows (row-major) by quantile, each value for itself where a feature has few of them. */
export function binRows(
  features: Float32Array,
  width: number,
  { bins = 255, from = 0, to = width }: BinOptions = {},
): BinnedRows {
  const rows = width > 0 ? features.length / width : 0;
  const values = Array.from({ length: together }, () => new Float32Array(rows));
  const columns: Uint8Array[] = [];
  const cuts: Float32Array[] = [];
  for (let begin = from; begin < to; begin += together) {
    const part = values.slice(0, to - begin);
    for (let row = 0; row < rows; row++)
      for (let at = 0; at < part.length; at++) part[at]![row] = features[row * width + begin + at]!;
    for (const column of part) {
      const cut = cutPoints(sampleOf(column).sort(), bins);
      cuts.push(cut);
      columns.push(binned(column, cut));
    }
  }
  return { rows, features: to - from, columns, cuts };
}

function binned(column: Float32Array, cuts: Float32Array): Uint8Array {
  const bins = new Uint8Array(column.length);
  for (let row = 0; row < column.length; row++) bins[row] = binOf(column[row]!, cuts);
  return bins;
}

/** Every n-th value: enough to find quantiles. */
function sampleOf(column: Float32Array): Float32Array {
  const step = Math.ceil(column.length / 100_000);
  const sample = new Float32Array(Math.ceil(column.length / step));
  // What is not a number goes left in each split, as when it is scored.
  for (let at = 0; at < sample.length; at++)
    sample[at] = Number.isNaN(column[at * step]!) ? -Infinity : column[at * step]!;
  return sample;
}

/** At most `bins` - 1 cuts, between neighbouring values, with about equally many rows between them. */
function cutPoints(sorted: Float32Array, bins: number): Float32Array {
  const cuts: number[] = [];
  let distinct = 0;
  for (let at = 0; at < sorted.length; at++) if (at === 0 || sorted[at] !== sorted[at - 1]) distinct++;
  const isFew = distinct <= bins;
  let begin = 0;
  for (let at = 1; at < sorted.length && cuts.length < bins - 1; at++) {
    if (sorted[at] === sorted[at - 1]) continue;
    // What remains is shared by the bins that remain, so that a value of many rows costs one bin.
    const share = (sorted.length - begin) / (bins - cuts.length);
    if (!isFew && at - begin < share) continue;
    cuts.push(between(sorted[at - 1]!, sorted[at]!));
    begin = at;
  }
  return Float32Array.from(cuts);
}

/** A number that is not less than `low` and less than `high`, in the precision of the features. */
function between(low: number, high: number): number {
  const middle = Math.fround(low / 2 + high / 2);
  return middle >= low && middle < high ? middle : low;
}

function binOf(value: number, cuts: Float32Array): number {
  let low = 0;
  let high = cuts.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (value > cuts[middle]!) low = middle + 1;
    else high = middle;
  }
  return low;
}
