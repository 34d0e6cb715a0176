import { wordsOf } from "./page-context.ts";
import { maxLongWords, maxShort, mostChars, spread, type TokenOdds, textTokens } from "./tokens.ts";

/** What is known of the words of a text. */
export interface TextOdds {
  /** Over the words that have odds; 0 where none has. */
  mean: number;
  min: number;
  max: number;
  /** Of how a short text begins. */
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

  constructor(odds: TokenOdds, title: ReadonlySet<string>, description: ReadonlySet<string>) {
    this.odds = odds;
    this.known = knownWords(odds);
    this.title = title;
    this.description = description;
  }

  read(text: string, words: number): TextOdds {
    const result = { mean: 0, min: 0, max: 0, start: 0, words: 0, inTitle: 0, inDescription: 0 };
    const beginning = text.length > mostChars ? text.slice(0, mostChars) : text;
    const isTitleLike = Math.max(1, words) <= maxTitleWords;
    const lower = beginning.toLowerCase();
    if (lower.length === beginning.length && !hasSurrogates(lower)) {
      this.readOdds(lower, result);
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

  /** The same as by `textTokens`, for a text in lower case without surrogates, in a third of the time. */
  private readOdds(text: string, result: TextOdds): void {
    const words = lettersIn(text);
    const isShort = words.length <= maxShort;
    const known = isShort ? this.known.short : this.known.long;
    let [sum, count] = [0, 0];
    const add = (value: number | undefined) => {
      if (value === undefined) return;
      sum += value;
      count++;
      if (value < result.min) result.min = value;
      if (value > result.max) result.max = value;
    };
    for (let at = 0; at < words.length && at < maxLongWords; at++) add(known.get(words[at] as string));
    if (isShort && words.length > 0) {
      const start = this.known.starts.get(words[0] as string)?.get(words[1] ?? "");
      add(start);
      result.start = start ?? 0;
    }
    result.mean = count === 0 ? 0 : sum / count;
  }

  /** As `wordsOf` tells words apart. */
  private compare(text: string, result: TextOdds): void {
    const end = Math.min(text.length, maxTitleChars);
    let start = -1;
    for (let at = 0; at <= end; at++) {
      const isWord = at < end && kindAt(text, at) !== other;
      if (isWord && start < 0) start = at;
      else if (!isWord && start >= 0) {
        this.count(text.slice(start, at), result);
        start = -1;
      }
    }
  }

  private count(word: string, result: TextOdds): void {
    result.words++;
    if (this.title.has(word)) result.inTitle++;
    if (this.description.has(word)) result.inDescription++;
  }
}

/** The runs of letters of a text in lower case, one more than are read of a long text at most. */
function lettersIn(text: string): string[] {
  const words: string[] = [];
  let start = -1;
  for (let at = 0; at <= text.length && words.length <= maxLongWords; at++) {
    const isLetter = at < text.length && kindAt(text, at) === letter;
    if (isLetter && start < 0) start = at;
    else if (!isLetter && start >= 0) {
      words.push(text.slice(start, at));
      start = -1;
    }
  }
  return words;
}

const [unknown, other, letter, number] = [0, 1, 2, 3];
/** By UTF-16 code, filled as codes occur. */
const kinds = new Uint8Array(0x10000);

function kindAt(text: string, at: number): number {
  const code = text.charCodeAt(at);
  const kind = kinds[code]!;
  return kind === unknown ? learnKind(code) : kind;
}

function learnKind(code: number): number {
  const character = String.fromCharCode(code);
  const kind = /\p{L}/u.test(character) ? letter : /\p{N}/u.test(character) ? number : other;
  kinds[code] = kind;
  return kind;
}

function hasSurrogates(text: string): boolean {
  for (let at = 0; at < text.length; at++) if ((text.charCodeAt(at) & 0xf800) === 0xd800) return true;
  return false;
}

/** The odds of words without the marks of their kind, which would have to be joined to each word. */
interface KnownWords {
  short: Map<string, number>;
  long: Map<string, number>;
  starts: Map<string, Map<string, number>>;
}

const knownOf = new WeakMap<TokenOdds, KnownWords>();

function knownWords(odds: TokenOdds): KnownWords {
  const found = knownOf.get(odds);
  if (found !== undefined) return found;
  const known: KnownWords = { short: new Map(), long: new Map(), starts: new Map() };
  for (const [token, value] of odds) {
    if (token.startsWith("s:")) known.short.set(token.slice(2), value);
    else if (token.startsWith("l:")) known.long.set(token.slice(2), value);
    else if (token.startsWith("^")) {
      const space = token.indexOf(" ");
      const first = token.slice(1, space);
      const seconds = known.starts.get(first) ?? new Map<string, number>();
      known.starts.set(first, seconds.set(token.slice(space + 1), value));
    }
  }
  knownOf.set(odds, known);
  return known;
}
