import { wordsOf } from "./page-context.ts";
import { maxLongWords, maxShort, mostChars, spread, type TokenOdds, textTokens } from "./tokens.ts";
import { hashWith, noHash, WordTable } from "./word-table.ts";

/** What is known of the words of a text. */
export interface TextOdds {
  /** Over the words that have odds; 0 where none has. */
  mean: number;
  min: number;
  max: number;
  /** The odds of how a short text begins. */
  start: number;
  /** Words at the beginning of a text that is not long, and how many of them the page's title and description have. */
  words: number;
  inTitle: number;
  inDescription: number;
}

const maxTitleWords = 60;
const maxTitleChars = 200;

/** Reads texts of one page. */
export class TextReader {
  private readonly odds: TokenOdds;
  private readonly known: KnownWords;
  private readonly title: ReadonlySet<string>;
  private readonly description: ReadonlySet<string>;
  /** Whether the title or the description may have a word with such a hash: most words need no search in them. */
  private readonly stated = new Uint8Array(1024);

  constructor(odds: TokenOdds, title: ReadonlySet<string>, description: ReadonlySet<string>) {
    this.odds = odds;
    this.known = knownWords(odds);
    this.title = title;
    this.description = description;
    for (const words of [title, description]) for (const word of words) this.stated[hashOf(word) & 1023] = 1;
  }

  read(text: string, words: number): TextOdds {
    const result = { mean: 0, min: 0, max: 0, start: 0, words: 0, inTitle: 0, inDescription: 0 };
    const beginning = text.length > mostChars ? text.slice(0, mostChars) : text;
    const isTitleLike = Math.max(1, words) <= maxTitleWords;
    const lower = beginning.toLowerCase();
    if (lower.length === beginning.length && takeCodes(lower)) {
      this.readOdds(lower.length, result);
      if (isTitleLike) this.compare(lower, result);
    } else {
      const tokens = textTokens(text);
      const last = tokens.at(-1) ?? "";
      Object.assign(result, spread(tokens, this.odds));
      result.start = last.startsWith("^") ? (this.odds.get(last) ?? 0) : 0;
      if (isTitleLike) for (const word of wordsOf(text.slice(0, maxTitleChars))) this.count(word, result);
    }
    return result;
  }

  /** Reads the odds of `textTokens`, of the text whose codes were taken, without cutting its words out. */
  private readOdds(length: number, result: TextOdds): void {
    const { table, short, long, starts } = this.known;
    const count = findWords(table, length);
    const isShort = count <= maxShort;
    const odds = isShort ? short : long;
    let sum = 0;
    let known = 0;
    let min = 0;
    let max = 0;
    const read = Math.min(count, maxLongWords);
    for (let at = 0; at < read; at++) {
      const place = places[at]!;
      const value = place < 0 ? Number.NaN : odds[place]!;
      if (Number.isNaN(value)) continue;
      sum += value;
      known++;
      if (value < min) min = value;
      if (value > max) max = value;
    }
    const start =
      isShort && count > 0 ? starts.get(pairOf(places[0]!, count > 1 ? places[1]! : noWord)) : undefined;
    if (start !== undefined) {
      sum += start;
      known++;
      result.start = start;
    }
    result.min = start === undefined ? min : Math.min(min, start);
    result.max = start === undefined ? max : Math.max(max, start);
    result.mean = known === 0 ? 0 : sum / known;
  }

  /** Looks up the words of a text, separated as by `wordsOf`. */
  private compare(text: string, result: TextOdds): void {
    const end = Math.min(text.length, maxTitleChars);
    let start = -1;
    let hash = noHash;
    for (let at = 0; at <= end; at++) {
      const code = at < end ? codes[at]! : space;
      if (kindOf(code) !== other) {
        if (start < 0) start = at;
        hash = hashWith(hash, code);
      } else if (start >= 0) {
        if (this.stated[hash & 1023] === 0) result.words++;
        else this.count(text.slice(start, at), result);
        start = -1;
        hash = noHash;
      }
    }
  }

  private count(word: string, result: TextOdds): void {
    result.words++;
    if (this.title.has(word)) result.inTitle++;
    if (this.description.has(word)) result.inDescription++;
  }
}

/** The text that is being read, and the places of its first words in the table, one more than are read of a long text. */
const codes = new Uint16Array(mostChars);
const places = new Int32Array(maxLongWords + 1);

/** False of a text with surrogates, whose letters are no single codes. */
function takeCodes(text: string): boolean {
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if ((code & 0xf800) === 0xd800) return false;
    codes[at] = code;
  }
  return true;
}

/** Finds the runs of letters; returns how many there are. */
function findWords(table: WordTable, length: number): number {
  let count = 0;
  let start = -1;
  let hash = noHash;
  for (let at = 0; at <= length && count < places.length; at++) {
    const code = at < length ? codes[at]! : space;
    if (kindOf(code) === letter) {
      if (start < 0) start = at;
      hash = hashWith(hash, code);
    } else if (start >= 0) {
      places[count++] = table.find(codes, start, at, hash);
      start = -1;
      hash = noHash;
    }
  }
  return count;
}

function hashOf(word: string): number {
  let hash = noHash;
  for (let at = 0; at < word.length; at++) hash = hashWith(hash, word.charCodeAt(at));
  return hash;
}

const space = 32;
const [unknown, other, letter, number] = [0, 1, 2, 3];
/** The kind of each UTF-16 code, filled as codes occur. */
const kinds = new Uint8Array(0x10000);

function kindOf(code: number): number {
  const kind = kinds[code]!;
  return kind === unknown ? learnKind(code) : kind;
}

function learnKind(code: number): number {
  const character = String.fromCharCode(code);
  const kind = /\p{L}/u.test(character) ? letter : /\p{N}/u.test(character) ? number : other;
  kinds[code] = kind;
  return kind;
}

/** The odds of words without the marks of their kind: by the word's place in the table, or by those of two words. */
interface KnownWords {
  table: WordTable;
  /** NaN where there are none. */
  short: Float64Array;
  long: Float64Array;
  starts: Map<number, number>;
}

/** The second word of a text that has one. */
const noWord = -2;

function pairOf(first: number, second: number): number {
  return first * 0x100000 + second;
}

const knownOf = new WeakMap<TokenOdds, KnownWords>();

function knownWords(odds: TokenOdds): KnownWords {
  const found = knownOf.get(odds);
  if (found !== undefined) return found;
  const marked = (mark: string) =>
    [...odds].flatMap(([token, value]) =>
      token.startsWith(mark) ? [{ word: token.slice(mark.length), value }] : [],
    );
  const [short, long] = [marked("s:"), marked("l:")];
  const starts = marked("^").map(({ word, value }) => ({ words: word.split(" "), value }));
  const all = [...short, ...long].map(({ word }) => word).concat(starts.flatMap(({ words }) => words));
  const list = [...new Set(all)].filter(word => word !== "");
  const placeOf = new Map(list.map((word, place) => [word, place]));
  const valuesOf = (words: typeof short) => {
    const values = new Float64Array(list.length).fill(Number.NaN);
    for (const { word, value } of words) values[placeOf.get(word)!] = value;
    return values;
  };
  const known = {
    table: new WordTable(list),
    short: valuesOf(short),
    long: valuesOf(long),
    starts: new Map(
      starts.map(({ words: [first, second], value }) => [
        pairOf(placeOf.get(first!)!, second === "" ? noWord : placeOf.get(second!)!),
        value,
      ]),
    ),
  };
  knownOf.set(odds, known);
  return known;
}
