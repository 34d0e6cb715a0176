/** What a search asks for. All of it must hold. */
export interface SearchQuery {
  /** Words or phrases that must be there; each is one or more words in a row. */
  wanted: Term[];
  /** None of these may be there. */
  unwanted: Term[];
  /** Ids or kinds of sources, any of which it may be. */
  sources: string[];
  tags: string[];
  /** Milliseconds since the epoch; inclusive. */
  after?: number;
  /** Milliseconds; exclusive. */
  before?: number;
}

/** Words in a row. */
export interface Term {
  words: string[];
  /** The last word may continue. */
  isPrefix: boolean;
}

/** Why a query cannot be used. */
export interface QueryError {
  error: string;
}

const maxTerms = 20;
/** A part of a query: an optional minus, an optional filter, and a word or a phrase. */
const part = /(-?)(?:(source|tag|after|before):("[^"]*"?|\S*)|("[^"]*"?|\S+))/giu;

/** Reads a query; what is no filter is words. */
export function readQuery(text: string): SearchQuery | QueryError {
  const query: SearchQuery = { wanted: [], unwanted: [], sources: [], tags: [] };
  for (const [whole, minus, filter, given, plain = ""] of text.matchAll(part)) {
    const raw = given ?? plain;
    const isQuoted = raw.startsWith('"');
    const value = isQuoted ? raw.replaceAll('"', "") : raw;
    if (filter !== undefined) {
      if (minus) return { error: `\`${whole}\`: a filter cannot be excluded with a minus.` };
      const error = takeFilter(query, filter.toLowerCase(), value);
      if (error !== undefined) return { error };
      continue;
    }
    const words = segmented(value);
    if (words.length === 0) continue;
    const term = { words, isPrefix: !isQuoted && value.endsWith("*") };
    (minus ? query.unwanted : query.wanted).push(term);
  }
  if (query.wanted.length === 0) return { error: "Name at least one word that must be there." };
  if (query.wanted.length + query.unwanted.length > maxTerms)
    return { error: `A search takes at most ${maxTerms} words and phrases.` };
  return query;
}

function takeFilter(query: SearchQuery, filter: string, value: string): string | undefined {
  if (value === "") return `\`${filter}:\` needs a value, such as \`${examples[filter]}\`.`;
  if (filter === "source") query.sources.push(value);
  else if (filter === "tag") query.tags.push(value);
  else {
    const time = timeOf(value);
    if (time === undefined) return `\`${filter}:${value}\` is no day, such as \`${examples[filter]}\`.`;
    if (filter === "after") query.after = Math.max(time, query.after ?? time);
    else query.before = Math.min(time, query.before ?? time);
  }
  return undefined;
}

const examples: Record<string, string> = {
  source: "source:web",
  tag: "tag:work",
  after: "after:2026-03-01",
  before: "before:2026-04-01",
};

/** A day in UTC, or a time. */
export function timeOf(text: string): number | undefined {
  if (!/^\d{4}-\d\d(-\d\d)?(T[\d:.]+(Z|[+-]\d\d:?\d\d)?)?$/.test(text)) return undefined;
  const time = Date.parse(text);
  return Number.isNaN(time) ? undefined : time;
}

const segmenter = new Intl.Segmenter("und", { granularity: "word" });
/** Scripts whose words have no blanks between them, or endings that a search leaves out: each character is a word. */
const byCharacter =
  /[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Hang}\p{sc=Thai}\p{sc=Laoo}\p{sc=Khmr}\p{sc=Mymr}\p{sc=Tibt}]/u;

/** A word of a text, as it is indexed and sought, and where it is. */
export interface Word {
  folded: string;
  start: number;
  end: number;
}

/**
 * The words of a text: in lower case, without accents, of one width. Where a script writes no blanks, each character is a
 * word, so that a part of a phrase is found wherever the phrase was divided.
 */
export function* wordsIn(text: string): Iterable<Word> {
  for (const { segment, index, isWordLike } of segmenter.segment(text)) {
    if (!isWordLike) continue;
    if (byCharacter.test(segment)) yield* charactersIn(segment, index);
    else yield* piecesOf(segment, index);
  }
}

export function segmented(text: string): string[] {
  return Array.from(wordsIn(text), ({ folded }) => folded);
}

function* charactersIn(segment: string, index: number): Iterable<Word> {
  let start = index;
  for (const character of segment) {
    const end = start + character.length;
    const folded = foldWord(character);
    if (folded !== "") yield { folded, start, end };
    start = end;
  }
}

/** What the segmenter takes as one word may be several to a reader: `a.b`, `foo_bar`, `1.299`. */
function* piecesOf(segment: string, index: number): Iterable<Word> {
  for (const match of segment.matchAll(/[\p{L}\p{N}\p{M}]+/gu)) {
    const folded = foldWord(match[0]);
    const start = index + match.index;
    if (folded !== "") yield { folded, start, end: start + match[0].length };
  }
}

function foldWord(word: string): string {
  return word
    .normalize("NFKD")
    .replace(/\p{Mn}/gu, "")
    .toLowerCase()
    .normalize("NFC")
    .replace(/[^\p{L}\p{N}]/gu, "");
}
