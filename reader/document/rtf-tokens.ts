import { DocumentError } from "./broken-document.ts";

/** What RTF is made of (RTF 1.9.1): groups, control words, and bytes of text in the code page of the font. */
export interface RtfEvents {
  open(): void;
  close(): void;
  /** `value`: undefined where the word has no number. `isOptional`: a reader that does not know the word skips its group. */
  word(name: string, value: number | undefined, isOptional: boolean): void;
  /** Bytes of text, as a string of characters below 256. */
  bytes(text: string): void;
}

const token =
  /\\([a-z]{1,32})(-?\d{1,10})? ?|\\'([0-9a-f]{2})|\\([^a-z'])|([{}])|([^\\{}\r\n]+)|[\r\n]+|\\/giy;
const maxDepth = 500;
/** Symbols that stand for characters. */
const symbols: Record<string, string> = { "~": "\u00a0", _: "\u2011", "-": "", ":": "" };

/** Reads RTF in one pass. Throws where groups are nested too deep. */
export function readRtfTokens(rtf: string, events: RtfEvents): void {
  let depth = 0;
  let isOptional = false;
  token.lastIndex = 0;
  for (let found = token.exec(rtf); found !== null; found = token.exec(rtf)) {
    const [, word, digits, hex, symbol, brace, text] = found;
    if (word !== undefined) {
      const value = digits === undefined ? undefined : Number(digits);
      // Binary data has no form of its own: it is skipped by its length.
      if (word === "bin") token.lastIndex += Math.max(0, value ?? 0);
      else events.word(word, value, isOptional);
    } else if (hex !== undefined) events.bytes(String.fromCharCode(Number.parseInt(hex, 16)));
    else if (symbol === "*") {
      isOptional = true;
      continue;
    } else if (symbol !== undefined) onSymbol(symbol, events);
    else if (brace === "{") {
      depth++;
      if (depth > maxDepth) throw new DocumentError("broken", "The document is nested too deep to be read.");
      events.open();
    } else if (brace === "}") {
      depth--;
      if (depth >= 0) events.close();
      if (depth <= 0) return;
    } else if (text !== undefined) events.bytes(text);
    isOptional = false;
  }
}

function onSymbol(symbol: string, events: RtfEvents): void {
  if (/^[\\{}]$/.test(symbol)) events.bytes(symbol);
  else if (symbol === "\n" || symbol === "\r") events.word("par", undefined, false);
  else {
    const character = symbols[symbol];
    if (character) events.word("u", character.charCodeAt(0), true);
  }
}

/** Encodings by the character sets of fonts. */
const charsets: Record<number, string> = {
  77: "macintosh",
  128: "shift_jis",
  129: "euc-kr",
  130: "euc-kr",
  134: "gbk",
  136: "big5",
  161: "windows-1253",
  162: "windows-1254",
  163: "windows-1258",
  177: "windows-1255",
  178: "windows-1256",
  186: "windows-1257",
  204: "windows-1251",
  222: "windows-874",
  238: "windows-1250",
};
/** Encodings by the numbers of code pages. */
const codePages: Record<number, string> = {
  866: "ibm866",
  874: "windows-874",
  932: "shift_jis",
  936: "gbk",
  949: "euc-kr",
  950: "big5",
  10000: "macintosh",
  65001: "utf-8",
};

export function encodingOfCharset(charset: number): string | undefined {
  return charsets[charset];
}

export function encodingOfCodePage(page: number): string {
  return codePages[page] ?? (page >= 1250 && page <= 1258 ? `windows-${page}` : "windows-1252");
}
