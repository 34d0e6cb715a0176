import { type SearchQuery, type Term, type Word, wordsIn } from "./search-query.ts";

/** Characters of a passage, about. */
const passageLength = 240;

/** A place at which words were found, by their positions in the list of words. */
interface Hit {
  first: number;
  last: number;
}

/** The words of a text around the first place at which a query is met, each found one between `**`. */
export function passageOf(text: string, { wanted }: Pick<SearchQuery, "wanted">): string {
  const words = [...wordsIn(text)];
  const hits = wanted.flatMap(term => hitsOf(term, words)).sort((a, b) => a.first - b.first);
  const begin = words[hits[0]?.first ?? 0]?.start ?? 0;
  const start = beginningOf(text, Math.max(0, begin - passageLength / 4));
  const end = Math.min(text.length, start + passageLength);
  const shown = marked(text, { start, end }, rangesOf(hits, words));
  return `${start > 0 ? "… " : ""}${shown.replace(/\s+/g, " ").trim()}${end < text.length ? " …" : ""}`;
}

/** Whether a text has all that is wanted, and nothing that is not. `words` are those of the text. */
export function meets(words: readonly string[], { wanted, unwanted }: SearchQuery): boolean {
  const has = (term: Term) => findTerm(term, words, 0) !== -1;
  return wanted.every(has) && !unwanted.some(has);
}

function findTerm({ words, isPrefix }: Term, among: readonly string[], from: number): number {
  for (let at = from; at + words.length <= among.length; at += 1) {
    const fits = words.every((word, n) => {
      const found = among[at + n] ?? "";
      return isPrefix && n === words.length - 1 ? found.startsWith(word) : found === word;
    });
    if (fits) return at;
  }
  return -1;
}

/** Places of one term that are marked, at most. */
const maxHits = 20;

function hitsOf(term: Term, words: readonly Word[]): Hit[] {
  const folded = words.map(word => word.folded);
  const hits: Hit[] = [];
  for (let at = 0; hits.length < maxHits; ) {
    const first = findTerm(term, folded, at);
    if (first === -1) break;
    hits.push({ first, last: first + term.words.length - 1 });
    at = first + term.words.length;
  }
  return hits;
}

interface Range {
  start: number;
  end: number;
}

/** Where the hits are in the text; those that touch are one. */
function rangesOf(hits: readonly Hit[], words: readonly Word[]): Range[] {
  const ranges: Range[] = [];
  for (const { first, last } of hits) {
    const [start, end] = [words[first]?.start ?? 0, words[last]?.end ?? 0];
    const former = ranges.at(-1);
    if (former && start <= former.end) former.end = Math.max(former.end, end);
    else ranges.push({ start, end });
  }
  return ranges;
}

/** The beginning of the word at a position, which may be within one. */
function beginningOf(text: string, at: number): number {
  const blank = text.slice(0, at).search(/\s\S*$/);
  return at === 0 || blank === -1 || at - blank > 40 ? at : blank + 1;
}

function marked(text: string, { start, end }: Range, ranges: readonly Range[]): string {
  let [shown, at] = ["", start];
  for (const range of ranges) {
    if (range.start < at || range.end > end) continue;
    shown += `${text.slice(at, range.start)}**${text.slice(range.start, range.end)}**`;
    at = range.end;
  }
  return shown + text.slice(at, end);
}
