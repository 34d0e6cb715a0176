import { parseHtml } from "../extract/parse-html.ts";
import { plainText } from "../extract/plain-text.ts";

const markup = /<\/?[a-z][^<>]*>|<!--/i;
const entity = /&(#\d+|#x[\da-f]+|[a-z]\w+);/i;

/** Whether a text of no declared type is HTML. */
export function looksLikeHtml(text: string): boolean {
  return markup.test(text) || entity.test(text);
}

/** HTML, or what may be HTML, as plain text. */
export function toText(text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  const plain = looksLikeHtml(text) ? plainText(parseHtml(text)) : text;
  return plain.trim() || undefined;
}

/** The same on one line, as titles and names are. */
export function toLine(text: string | undefined): string | undefined {
  return toText(text)?.replace(/\s+/g, " ");
}
