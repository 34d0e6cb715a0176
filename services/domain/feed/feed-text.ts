import { parseHtml } from "../../../reader/html/parse-html.ts";
import { plainText } from "../../../reader/html/plain-text.ts";

const markup = /<\/?[a-z][^<>]*>|<!--/i;
const entity = /&(#\d+|#x[\da-f]+|[a-z]\w+);/i;

/** Whether a text without a declared type is HTML. */
export function looksLikeHtml(text: string): boolean {
  return markup.test(text) || entity.test(text);
}

/** A text that may be HTML, as plain text. */
export function toText(text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  const plain = looksLikeHtml(text) ? plainText(parseHtml(text)) : text;
  return plain.trim() || undefined;
}

/** The text on one line, for titles and names. */
export function toLine(text: string | undefined): string | undefined {
  return toText(text)?.replace(/\s+/g, " ");
}

const reference = /&(?:#(\d{1,7})|#x([\da-f]{1,6})|([a-z][a-z\d]{0,31}));/gi;
const named = new Map<string, string>();
const maxNames = 3000;

/**
 * Decodes character references, also those of HTML, which feeds use without declaring them. As in HTML, 128 to 159 mean
 * the characters of windows-1252. Leaves anything else as it is.
 */
export function decodeEntities(text: string): string {
  if (!text.includes("&")) return text;
  return text.replace(reference, (whole, decimal?: string, hex?: string, name?: string) =>
    name === undefined
      ? character(decimal === undefined ? Number(`0x${hex}`) : Number(decimal))
      : byName(whole),
  );
}

/** Replaces C1 controls by the characters of windows-1252 that they stand for. */
export function withoutC1(text: string): string {
  return text.replace(/[\u0080-\u009f]/g, found => decodeWindows1252(found.charCodeAt(0)));
}

const windows1252 = new TextDecoder("windows-1252");

function decodeWindows1252(code: number): string {
  return windows1252.decode(Uint8Array.of(code));
}

function character(code: number): string {
  if (code >= 0x80 && code <= 0x9f) return decodeWindows1252(code);
  if (code === 0 || code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff)) return "\ufffd";
  return String.fromCodePoint(code);
}

function byName(whole: string): string {
  const found = named.get(whole);
  if (found !== undefined) return found;
  const decoded = parseHtml(whole).textContent;
  // A feed can invent any number of names.
  if (named.size < maxNames) named.set(whole, decoded);
  return decoded;
}

/** The absolute form of a link; undefined when it does not lead to the web. */
export function absoluteUrl(link: string | undefined, base: string): string | undefined {
  if (link === undefined || link === "") return undefined;
  const url = URL.parse(link.trim(), base);
  return url && /^https?:$/.test(url.protocol) ? url.href : undefined;
}

/** A base, which may be relative to the one around it (XML Base, 3.1). */
export function nestedBase(declared: string | undefined, outer: string): string {
  return (declared === undefined ? undefined : URL.parse(declared, outer)?.href) ?? outer;
}
