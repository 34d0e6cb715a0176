const span = 4;

/**
 * The share of each block's words that a page's known content has: those in runs of four words that the content has
 * too. A shorter block counts where its text is a line of the content, or is within it; where the page has more of them
 * than the content, those nearest to longer blocks of the content count.
 */
export function labelBlocks(texts: readonly string[], content: string): Float32Array {
  const labels = new Float32Array(texts.length);
  const words = texts.map(wordsOf);
  const wanted = wordsOf(content);
  const runs = new Set<string>();
  for (let at = 0; at + span <= wanted.length; at++) runs.add(wanted.slice(at, at + span).join(" "));
  const short = new Map<string, number[]>();
  words.forEach((block, at) => {
    if (block.length >= span) labels[at] = shareIn(block, runs);
    else if (block.length > 0) {
      const text = block.join(" ");
      short.set(text, [...(short.get(text) ?? []), at]);
    }
  });
  const lines = countLines(content);
  const flat = ` ${wanted.join(" ")} `;
  for (const [text, places] of short) {
    const asLine = lines.get(text) ?? 0;
    const count = asLine || occurrences(flat, ` ${text} `, places.length);
    const ranked = places.map(at => ({ at, near: nearness(at, words, labels) }));
    ranked.sort((a, b) => b.near - a.near);
    for (const { at, near } of ranked.slice(0, count)) if (asLine > 0 || near > minNear) labels[at] = 1;
  }
  return labels;
}

const reach = 6;
const minNear = 0.3;

/** The words of a text as the word F1 of the benchmark counts them. */
export function wordsOf(text: string): string[] {
  return text.toLowerCase().match(/[\p{L}\p{M}\p{N}_]+/gu) ?? [];
}

function shareIn(block: string[], runs: Set<string>): number {
  const found = new Uint8Array(block.length);
  for (let at = 0; at + span <= block.length; at++)
    if (runs.has(block.slice(at, at + span).join(" "))) found.fill(1, at, at + span);
  return found.reduce((sum, each) => sum + each, 0) / block.length;
}

function countLines(content: string): Map<string, number> {
  const counts = new Map<string, number>();
  for (const line of content.split("\n")) {
    const text = wordsOf(line).join(" ");
    if (text !== "") counts.set(text, (counts.get(text) ?? 0) + 1);
  }
  return counts;
}

function occurrences(text: string, part: string, limit: number): number {
  let count = 0;
  for (let at = text.indexOf(part); at >= 0 && count < limit; at = text.indexOf(part, at + part.length - 1))
    count++;
  return count;
}

/** How much content the longer blocks around a block hold. */
function nearness(at: number, words: string[][], labels: Float32Array): number {
  let sum = 0;
  for (let step = 1; step <= reach; step++) {
    for (const other of [at - step, at + step])
      if ((words[other]?.length ?? 0) >= span) sum += (labels[other] ?? 0) / step;
  }
  return sum;
}
