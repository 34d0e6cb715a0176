/** How well a text has a page's content, and no other. */
export interface PageScore {
  name: string;
  /** The data set, and the page's type in it. */
  set: string;
  type: string;
  precision: number;
  recall: number;
  f1: number;
  /** The share of the texts that are not content which it has; undefined where none are known. */
  leak: number | undefined;
  /** It has less than a tenth of the content. */
  isWiped: boolean;
}

export interface Truth {
  name: string;
  set: string;
  type: string;
  content: string;
  without: string[];
}

/** Compares words without their order, as WCXB does. */
export function scorePage(text: string, { name, set, type, content, without }: Truth): PageScore {
  const [found, wanted] = [countWords(text), countWords(content)];
  let common = 0;
  for (const [word, count] of wanted.words) common += Math.min(count, found.words.get(word) ?? 0);
  const isEmpty = found.total === 0 && wanted.total === 0;
  const precision = isEmpty ? 1 : common / Math.max(1, found.total);
  const recall = isEmpty ? 1 : common / Math.max(1, wanted.total);
  const f1 = common === 0 ? Number(isEmpty) : (2 * precision * recall) / (precision + recall);
  const lower = text.toLowerCase();
  const leaked = without.filter(snippet => lower.includes(snippet.toLowerCase()));
  const leak = without.length === 0 ? undefined : leaked.length / without.length;
  return { name, set, type, precision, recall, f1, leak, isWiped: wanted.total > 0 && recall < 0.1 };
}

function countWords(text: string): { words: Map<string, number>; total: number } {
  const all = text.toLowerCase().match(/[\p{L}\p{N}_]+/gu) ?? [];
  const words = new Map<string, number>();
  for (const word of all) words.set(word, (words.get(word) ?? 0) + 1);
  return { words, total: all.length };
}

const head = ["", "pages", "F1", "precision", "recall", "leak", "wiped"];

/** Means over pages: a line for each data set, and for each of its types if it has several. */
export function scoreTable(scores: readonly PageScore[]): string {
  const lines = [head];
  for (const set of namesOf(scores.map(score => score.set))) {
    const own = scores.filter(score => score.set === set);
    const types = namesOf(own.map(({ type }) => type));
    lines.push(lineOf(set, own));
    if (types.length > 1)
      for (const type of types)
        lines.push(
          lineOf(
            `  ${type}`,
            own.filter(score => score.type === type),
          ),
        );
  }
  const widths = head.map((_, at) => Math.max(...lines.map(line => line[at]!.length)));
  return lines
    .map(line => line.map((cell, at) => (at === 0 ? cell.padEnd(widths[at]!) : cell.padStart(widths[at]!))))
    .map(cells => `${cells.join("  ")}\n`)
    .join("");
}

/** Each name once, those with most pages first. */
function namesOf(names: readonly string[]): string[] {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return [...counts].sort(([a, many], [b, more]) => more - many || (a < b ? -1 : 1)).map(([name]) => name);
}

function lineOf(name: string, scores: readonly PageScore[]): string[] {
  const mean = (value: (score: PageScore) => number | undefined) => {
    const known = scores.map(value).filter(each => each !== undefined);
    return known.length === 0 ? "-" : (known.reduce((sum, each) => sum + each, 0) / known.length).toFixed(3);
  };
  const wiped = scores.filter(({ isWiped }) => isWiped).length / Math.max(1, scores.length);
  return [
    ...[name, String(scores.length), mean(({ f1 }) => f1), mean(({ precision }) => precision)],
    ...[mean(({ recall }) => recall), mean(({ leak }) => leak), `${(100 * wiped).toFixed(1)} %`],
  ];
}
