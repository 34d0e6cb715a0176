const maxSentences = 5;
const maxCandidates = 400;
const maxLength = 400;
const minWords = 5;
const redundancy = 0.5;

interface Sentence {
  text: string;
  position: number;
  words: Map<string, number>;
}

/**
 * At most five sentences of a text, verbatim, in its order. A sentence scores by its likeness to the text's centroid
 * and by its place (MEAD: Radev, Jing, Stys, Tam, "Centroid-based summarization of multiple documents", 2004); one that
 * repeats what is chosen already scores less (maximal marginal relevance: Carbonell, Goldstein, 1998). Works for any
 * language that Intl.Segmenter knows. Only the first 400 sentences count, so time is linear in the text.
 *
 * `text` has a line for each block; `language` is a BCP 47 tag or null.
 */
export function summarizeText(text: string, language: string | null): string {
  const sentences = candidates(text, language ?? undefined);
  if (sentences.length <= maxSentences) return sentences.map(sentence => sentence.text).join(" ");
  const weigh = wordWeights(sentences);
  const centroid = centroidOf(sentences, weigh);
  const scores = sentences.map(sentence => {
    const place = 1 / Math.sqrt(1 + sentence.position);
    return similarity(sentence.words, centroid, weigh) + 0.3 * place;
  });
  const chosen = choose(sentences, scores, weigh);
  return chosen.map(sentence => sentence.text).join(" ");
}

function candidates(text: string, language: string | undefined): Sentence[] {
  const all = sentencesOf(text, segmenter("sentence", language));
  const words = segmenter("word", language);
  const finished = all.filter(isFinished);
  const usable = finished.length > 0 ? finished : all;
  const counted = usable.slice(0, maxCandidates).map((sentence, position) => ({
    text: sentence,
    position,
    words: countWords(sentence, words),
  }));
  const long = counted.filter(sentence => sentence.words.size >= minWords);
  return long.length > 0 ? long : counted.slice(0, maxSentences);
}

function sentencesOf(text: string, segmenter: Intl.Segmenter): string[] {
  const sentences = new Set<string>();
  for (const line of text.split("\n")) {
    if (sentences.size >= 2 * maxCandidates) break;
    for (const { segment } of segmenter.segment(line.slice(0, 20_000))) {
      const sentence = segment.trim();
      if (sentence !== "" && sentence.length <= maxLength) sentences.add(sentence);
    }
  }
  return [...sentences];
}

function isFinished(sentence: string): boolean {
  return /[.!?…。！？।؟۔።]["'”’»)\]]*$/u.test(sentence);
}

function countWords(sentence: string, segmenter: Intl.Segmenter): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { segment, isWordLike } of segmenter.segment(sentence)) {
    if (isWordLike !== true) continue;
    const word = segment.toLowerCase();
    counts.set(word, (counts.get(word) ?? 0) + 1);
  }
  return counts;
}

/** Inverse sentence frequency: words that stand in most sentences weigh little, in any language. */
function wordWeights(sentences: Sentence[]): (word: string) => number {
  const frequency = new Map<string, number>();
  for (const { words } of sentences) {
    for (const word of words.keys()) frequency.set(word, (frequency.get(word) ?? 0) + 1);
  }
  return word => Math.log((1 + sentences.length) / (frequency.get(word) ?? 1));
}

function centroidOf(sentences: Sentence[], weigh: (word: string) => number): Map<string, number> {
  const sums = new Map<string, number>();
  for (const { words } of sentences)
    for (const [word, count] of words) sums.set(word, (sums.get(word) ?? 0) + count);
  const top = [...sums].sort(([a, x], [b, y]) => y * weigh(b) - x * weigh(a)).slice(0, 100);
  return new Map(top);
}

/** Cosine of two weighted bags of words. */
function similarity(
  left: Map<string, number>,
  right: Map<string, number>,
  weigh: (word: string) => number,
): number {
  let product = 0;
  for (const [word, count] of left) product += count * (right.get(word) ?? 0) * weigh(word) ** 2;
  const norm = length(left, weigh) * length(right, weigh);
  return norm === 0 ? 0 : product / norm;
}

function length(words: Map<string, number>, weigh: (word: string) => number): number {
  let sum = 0;
  for (const [word, count] of words) sum += (count * weigh(word)) ** 2;
  return Math.sqrt(sum);
}

function choose(sentences: Sentence[], scores: number[], weigh: (word: string) => number): Sentence[] {
  const chosen = new Set<number>();
  const likeness = sentences.map(() => 0);
  while (chosen.size < maxSentences && chosen.size < sentences.length) {
    const rank = (at: number) => (scores[at] ?? 0) - redundancy * (likeness[at] ?? 0);
    const open = [...sentences.keys()].filter(at => !chosen.has(at));
    const best = open.reduce((top, at) => (rank(at) > rank(top) ? at : top));
    chosen.add(best);
    const words = sentences[best]?.words ?? new Map<string, number>();
    sentences.forEach((sentence, at) => {
      likeness[at] = Math.max(likeness[at] ?? 0, similarity(sentence.words, words, weigh));
    });
  }
  return sentences.filter((_, at) => chosen.has(at));
}

const segmenters = new Map<string, Intl.Segmenter>();

function segmenter(granularity: "sentence" | "word", language = "und"): Intl.Segmenter {
  const [locale = "und"] = Intl.Segmenter.supportedLocalesOf(wellFormed(language));
  const key = `${granularity} ${locale}`;
  const made = segmenters.get(key) ?? new Intl.Segmenter(locale, { granularity });
  if (segmenters.size < 100) segmenters.set(key, made);
  return made;
}

// A page may declare any tag; a malformed one would throw.
function wellFormed(language: string): string[] {
  return /^[a-zA-Z]{2,3}(?:-[a-zA-Z]{4})?(?:-[a-zA-Z]{2}|-\d{3})?$/.test(language) ? [language] : [];
}
