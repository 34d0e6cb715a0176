import { MIMEType } from "whatwg-mimetype";
import { decodeText } from "../text/decode-text.ts";
import { type ParsedFeed, parseFeed } from "./parse-feed.ts";

/**
 * Reads the bytes of a feed. The type that the server declares is ignored but for its charset, since feeds come as
 * text/html, text/plain and worse; JSON is UTF-8 whatever is declared (RFC 8259, 8.1).
 */
export function readFeed(body: Uint8Array, contentType: string, url: string): ParsedFeed {
  const charset = MIMEType.parse(contentType)?.parameters.get("charset");
  const isJson = /^(\ufeff|\u00ef\u00bb\u00bf)?\s*\{/.test(
    Buffer.from(body.subarray(0, 64)).toString("latin1"),
  );
  const text = isJson ? new TextDecoder().decode(body) : decodeText(body, { charset }, "xml");
  return parseFeed(text, url);
}
