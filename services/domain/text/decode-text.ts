import { isUtf8 } from "node:buffer";
import htmlEncodingSniffer from "html-encoding-sniffer";

/**
 * Decodes a body as browsers do (HTML standard, "encoding sniffing algorithm"): byte order mark, `Content-Type`, then
 * what the document itself declares (HTML's meta in the first 1,024 bytes, XML's declaration). With none of them
 * UTF-8 when the bytes are valid UTF-8, else windows-1252.
 */
export function decodeText(
  body: Uint8Array,
  { charset }: { charset: string | undefined },
  syntax: "html" | "xml" | "text",
): string {
  const encoding = htmlEncodingSniffer(body, {
    transportLayerEncodingLabel: charset,
    defaultEncoding: isUtf8(body) ? "UTF-8" : "windows-1252",
    // A text that shows a meta element declares nothing.
    ...(syntax === "xml" ? { xml: true } : { maxPrescanBytes: syntax === "html" ? 1024 : 0 }),
  });
  return decoderFor(encoding).decode(body);
}

// Node lacks "replacement", which is to show nothing but U+FFFD; UTF-8 shows the ASCII of such pages.
function decoderFor(encoding: string): TextDecoder {
  try {
    return new TextDecoder(encoding);
  } catch {
    return new TextDecoder();
  }
}
