/** A piece of a text. */
export interface Part {
  text: string;
  /** The parts before it without which it is not understood, by their places: its heading, the head of its table. */
  needs?: readonly number[];
}

/** How fast repetitions lose weight, and how much the length counts, in BM25 (Robertson and Zaragoza, 2009). */
const [saturation, lengthWeight] = [1.2, 0.75];
/** The share of the beginning, which says what the whole is about. */
const ofBeginning = 0.1;
/** Between parts that are apart. */
const gap = 2;

/**
 * The places of the parts of a text that fit into so many characters: its beginning, then those that have most of the
 * words, then the others in their order. All of them where all fit.
 */
export function relevantParts(parts: readonly Part[], words: readonly string[], maxChars: number): number[] {
  const all = parts.map((_, at) => at);
  const chosen = new Set<number>();
  let left = maxChars;
  const take = (at: number, least: number) => {
    const more = [at, ...(parts[at]?.needs ?? [])].filter(each => !chosen.has(each));
    const length = more.reduce((sum, each) => sum + (parts[each]?.text.length ?? 0) + gap, 0);
    if (left - length < least) return false;
    left -= length;
    for (const each of more) chosen.add(each);
    return true;
  };
  if (all.every(at => take(at, 0))) return all;
  chosen.clear();
  left = maxChars;
  all.every(at => take(at, maxChars * (1 - ofBeginning)));
  const scores = scoresOf(parts, new Set(words.flatMap(termsOf)));
  const scoreOf = (at: number) => scores[at] ?? 0;
  for (const at of all.filter(each => scoreOf(each) > 0).sort((a, b) => scoreOf(b) - scoreOf(a))) take(at, 0);
  all.every(at => chosen.has(at) || take(at, 0));
  return [...chosen].sort((a, b) => a - b);
}

function scoresOf(parts: readonly Part[], words: ReadonlySet<string>): number[] {
  const having = new Map<string, number>();
  const counted = parts.map(({ text }) => {
    const counts = new Map<string, number>();
    const terms = termsOf(text);
    for (const term of terms) if (words.has(term)) counts.set(term, (counts.get(term) ?? 0) + 1);
    for (const term of counts.keys()) having.set(term, (having.get(term) ?? 0) + 1);
    return { counts, length: terms.length };
  });
  const mean = counted.reduce((sum, { length }) => sum + length, 0) / parts.length || 1;
  return counted.map(({ counts, length }) => {
    const damping = saturation * (1 - lengthWeight + (lengthWeight * length) / mean);
    return [...counts].reduce((score, [term, count]) => {
      const holders = having.get(term) ?? 0;
      const rarity = Math.log(1 + (parts.length - holders + 0.5) / (holders + 0.5));
      return score + (rarity * count * (saturation + 1)) / (count + damping);
    }, 0);
  });
}

const word = /[\p{L}\p{N}]+/gu;
/** Scripts that write no spaces between words: two signs are a term. */
const unspaced = /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u;

/** The words of a text, in lower case and without the `s` of a plural. */
function termsOf(text: string): string[] {
  return (text.toLowerCase().match(word) ?? []).flatMap(each => {
    if (!unspaced.test(each)) return each.length > 3 ? each.replace(/s$/, "") : each;
    return each.length < 3
      ? each
      : Array.from({ length: each.length - 1 }, (_, at) => each.slice(at, at + 2));
  });
}
