import { isUtf8 } from "node:buffer";
import htmlEncodingSniffer from "html-encoding-sniffer";

/** How a document may declare its encoding. A meta element inside plain text declares nothing. */
type Syntax = "html" | "xml" | "text";

/**
 * The encoding that a body declares, as browsers read it (HTML standard, "encoding sniffing algorithm"): by byte order
 * mark, `Content-Type`, then the document's own declaration (HTML's meta in the first 1,024 bytes, XML's declaration).
 * Undefined without any of them.
 */
export function declaredEncoding(
  body: Uint8Array,
  charset: string | undefined,
  syntax: Syntax,
): string | undefined {
  const encoding = htmlEncodingSniffer(body, {
    transportLayerEncodingLabel: charset,
    defaultEncoding: "",
    ...(syntax === "xml" ? { xml: true } : { maxPrescanBytes: syntax === "html" ? 1024 : 0 }),
  });
  return encoding === "" ? undefined : encoding;
}

/**
 * Decodes a body. `guess` is for bytes that declare nothing and are not UTF-8; without a guess, they are read as
 * windows-1252. Valid UTF-8 beyond chance is UTF-8, whatever is declared.
 */
export function decodeText(
  body: Uint8Array,
  { charset, guess = "windows-1252" }: { charset: string | undefined; guess?: string | undefined },
  syntax: Syntax,
): string {
  const declared = declaredEncoding(body, charset, syntax);
  const isOther = declared === undefined ? isUtf8(body) : isUtf8InSpite(body, declared);
  return decoderFor(isOther ? "UTF-8" : (declared ?? guess)).decode(body);
}

/** Bytes beyond ASCII that are right UTF-8 by chance in no text of an encoding with one byte a character, and in another. */
const [chanceOfSingle, chanceOfOther] = [4, 32];

/** Whether bytes are UTF-8 although a server or a template, which knows little of its contents, declares something else. */
function isUtf8InSpite(body: Uint8Array, declared: string): boolean {
  if (/^utf/i.test(declared) || !isUtf8(body)) return false;
  const isSingle = /^(?:windows|iso-8859|macintosh|koi8|ibm866|x-mac)/i.test(declared);
  let left = isSingle ? chanceOfSingle : chanceOfOther;
  for (let at = nextBeyondAscii(body, 0); at < body.length && left > 0; at = nextBeyondAscii(body, at + 1))
    left -= 1;
  return left === 0;
}

/** Marks on one letter: no language has so many, and to sort them takes time in the square of their number (UAX 15, 13). */
const piledMarks = /\p{M}{31}/u;

/** A text in the form NFC, in which equal texts are equal; one with piled marks as it is. */
export function composed(text: string): string {
  return piledMarks.test(text) ? text : text.normalize("NFC");
}

/** Whether only a guess can find the encoding. */
export function needsGuess(body: Uint8Array, charset: string | undefined, syntax: Syntax): boolean {
  return declaredEncoding(body, charset, syntax) === undefined && !isUtf8(body);
}

// Node lacks the encoding "replacement", which yields only U+FFFD; UTF-8 yields at least the ASCII of such pages.
function decoderFor(encoding: string): TextDecoder {
  try {
    return new TextDecoder(encoding);
  } catch {
    return new TextDecoder();
  }
}

/** The encodings in which text on the web is found: names of the guesser, and labels of the Encoding standard. */
const labels: Record<string, string> = {
  cp1250: "windows-1250",
  cp1251: "windows-1251",
  cp1252: "windows-1252",
  cp1253: "windows-1253",
  cp1254: "windows-1254",
  cp1255: "windows-1255",
  cp1256: "windows-1256",
  cp1257: "windows-1257",
  cp1258: "windows-1258",
  "iso8859-2": "iso-8859-2",
  "iso8859-5": "iso-8859-5",
  "iso8859-7": "iso-8859-7",
  "koi8-r": "koi8-r",
  "koi8-u": "koi8-u",
  cp866: "ibm866",
  cp874: "windows-874",
  cp932: "shift_jis",
  euc_jis_2004: "euc-jp",
  cp949: "euc-kr",
  big5hkscs: "big5",
  gb18030: "gb18030",
};
const usual = "windows-1252";
/** Fewer bytes beyond ASCII fit nearly any encoding. */
const minEvidence = 6;

/**
 * Guesses the encoding of bytes that are not UTF-8 and have no declaration. Loads the guesser's model at the first call.
 * The guesser gets at most 64 KB.
 */
export async function guessEncoding(body: Uint8Array): Promise<string> {
  const bytes = sample(body);
  if (isDamagedUtf8(bytes)) return "UTF-8";
  if (bytes.filter(byte => byte >= 0x80).length < minEvidence) return usual;
  const { chardet } = await import("jschardet");
  const { encoding } = chardet.detect(bytes, {
    includeEncodings: Object.keys(labels),
    noMatchEncoding: "cp1252",
    emptyInputEncoding: "cp1252",
    preferSuperset: false,
    compatNames: false,
  });
  return labels[encoding ?? ""] ?? usual;
}

/** Whether nearly all characters beyond ASCII are right in UTF-8; in other encodings nearly none are. */
function isDamagedUtf8(bytes: Uint8Array): boolean {
  const beyondAscii = new TextDecoder().decode(bytes).match(/[^\0-\x7f]/gu) ?? [];
  const unreadable = beyondAscii.filter(character => character === "\ufffd").length;
  return unreadable * 5 < beyondAscii.length;
}

const sampleBytes = 64 * 1024;
const around = 32;

/**
 * The bytes beyond ASCII with the words around them: the ASCII of markup and scripts says nothing about the encoding.
 * Cuts only between ASCII bytes, so that no character is divided.
 */
function sample(body: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(sampleBytes);
  let length = 0;
  let end = 0;
  while (length < sampleBytes) {
    const first = nextBeyondAscii(body, end);
    if (first === body.length) break;
    const start = Math.max(end, first - around);
    end = endOfRun(body, first);
    const piece = body.subarray(start, Math.min(end, start + sampleBytes - length));
    bytes.set(piece, length);
    length += piece.length;
  }
  return bytes.subarray(0, length);
}

function nextBeyondAscii(body: Uint8Array, from: number): number {
  let at = from;
  while (at < body.length && (body[at] ?? 0) < 0x80) at += 1;
  return at;
}

/** The offset behind a run in which no more than a few ASCII bytes follow one another. */
function endOfRun(body: Uint8Array, first: number): number {
  let last = first;
  for (let at = first; at < body.length && at - last <= around && at - first < sampleBytes; at += 1)
    if ((body[at] ?? 0) >= 0x80) last = at;
  return Math.min(body.length, last + around);
}
