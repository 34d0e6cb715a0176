import { isUtf8 } from "node:buffer";
import { MIMEType } from "whatwg-mimetype";
import { decodeText } from "../text/decode-text.ts";
import { type ParsedFeed, parseFeed } from "./parse-feed.ts";

/**
 * Reads the bytes of a feed. The type that the server declares is ignored but for its charset, since feeds come as
 * text/html, text/plain and worse; JSON is UTF-8 whatever is declared (RFC 8259, 8.1).
 */
export function readFeed(body: Uint8Array, contentType: string, url: string): ParsedFeed {
  const charset = MIMEType.parse(contentType)?.parameters.get("charset");
  const head = Buffer.from(body.subarray(0, 256)).toString("latin1");
  if (/^(\u00ef\u00bb\u00bf)?\s*\{/.test(head)) return parseFeed(new TextDecoder().decode(body), url);
  const label = isBelied(charset, head, body) ? undefined : charset;
  return parseFeed(decodeText(body, { charset: label }, "xml"), url);
}

/** Servers put one charset on all their files: where the document declares another, the bytes decide. */
function isBelied(charset: string | undefined, head: string, body: Uint8Array): boolean {
  const declared = /^(?:\u00ef\u00bb\u00bf)?\s*<\?xml[^>]*\sencoding\s*=\s*["']([\w.-]+)/i.exec(head)?.[1];
  if (charset === undefined || declared === undefined) return false;
  const isUtf8Label = (label: string) => /^utf-?8$/i.test(label);
  return isUtf8Label(declared) ? isUtf8(body) : isUtf8Label(charset) && !isUtf8(body);
}
