/** What the characters of a text show, in any script. */
export interface TextShape {
  /** Runs of letters and digits; in scripts without spaces, two characters are a word. */
  words: number;
  /** Words of at most three letters, which are mostly function words. */
  shortWords: number;
  /** Words that begin with a capital. */
  capitalised: number;
  letters: number;
  capitals: number;
  digits: number;
  /** Characters of scripts without spaces or without capitals. */
  wide: number;
  /** Full stops, question and exclamation marks, in any script. */
  sentenceEnds: number;
  commas: number;
  /** `|`, `•`, `›`, `/` and their like, between items. */
  separators: number;
  /** Currency signs beside digits. */
  prices: number;
  endsSentence: boolean;
}

const sentenceEnds = new Set(".!?…。！？।؟۔".split(""));
const commas = new Set(",;:、，；،؛：".split(""));
const separators = new Set("|•·›»→/>–—".split(""));
const currencies = new Set("$€£¥₹₽₩".split(""));
const closing = new Set("\"'”’»)］」』]".split(""));

const [other, lower, upper, digit, wide, apostrophe] = [0, 1, 2, 3, 4, 5];
const [mark, sentenceEnd, comma, separator, currency] = [6, 7, 8, 9, 10];

/** How many characters of each kind the text has that is read. */
const counts = new Uint32Array(currency + 1);

/** Reads a text once. */
export function shapeOf(text: string): TextShape {
  counts.fill(0);
  let words = 0;
  let shortWords = 0;
  let capitalised = 0;
  let wordLength = 0;
  let startsCapital = false;
  for (let at = 0; at <= text.length; at++) {
    const code = at < text.length ? text.charCodeAt(at) : 32;
    const kind = code < 128 ? asciiKinds[code]! : kindOf(code);
    counts[kind]!++;
    if (kind >= lower && kind <= digit) {
      if (wordLength === 0) startsCapital = kind === upper;
      wordLength++;
    } else if (wordLength > 0 && kind !== wide && kind !== apostrophe) {
      words++;
      if (wordLength <= 3) shortWords++;
      if (startsCapital) capitalised++;
      wordLength = 0;
    }
  }
  return {
    words: words + Math.ceil(counts[wide]! / 2),
    shortWords,
    capitalised,
    letters: counts[lower]! + counts[upper]! + counts[wide]!,
    capitals: counts[upper]!,
    digits: counts[digit]!,
    wide: counts[wide]!,
    sentenceEnds: counts[sentenceEnd]!,
    commas: counts[comma]!,
    separators: counts[separator]!,
    prices: counts[currency]!,
    endsSentence: endsSentence(text),
  };
}

function kindOf(code: number): number {
  if (code >= 0x3040 && code <= 0x30ff) return wide;
  if (code >= 0x3400 && code <= 0x9fff) return wide;
  if (code >= 0x0e00 && code <= 0x0eff) return wide;
  if (code >= 0xc0 && code <= 0xde) return upper;
  if (code >= 0x391 && code <= 0x3a9) return upper;
  if (code >= 0x400 && code <= 0x42f) return upper;
  if (code === 0x2019) return apostrophe;
  if (code < 0xc0 || (code >= 0x2010 && code <= 0x2bff) || (code >= 0x3000 && code <= 0x303f))
    return markOf(code);
  if (code >= 0xff00 && code <= 0xff1f) return markOf(code);
  if (code === 0x60c || code === 0x61b || code === 0x61f || code === 0x6d4 || code === 0x964)
    return markOf(code);
  return lower;
}

function markOf(code: number): number {
  const character = String.fromCharCode(code);
  if (sentenceEnds.has(character)) return sentenceEnd;
  if (commas.has(character)) return comma;
  if (separators.has(character)) return separator;
  return currencies.has(character) ? currency : mark;
}

const asciiKinds = Uint8Array.from({ length: 128 }, (_, code) => {
  const character = String.fromCharCode(code);
  if (/[a-z]/.test(character)) return lower;
  if (/[A-Z]/.test(character)) return upper;
  if (/[0-9]/.test(character)) return digit;
  if (character === "'") return apostrophe;
  return code > 32 ? markOf(code) : other;
});

function endsSentence(text: string): boolean {
  let at = text.length - 1;
  while (at > 0 && closing.has(text.charAt(at))) at--;
  return sentenceEnds.has(text.charAt(at));
}
