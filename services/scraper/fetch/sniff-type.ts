import { fileTypeFromBuffer } from "file-type";
import { MIMEType } from "whatwg-mimetype";

export interface MediaType {
  /** `type/subtype`, lower case. */
  essence: string;
  /** The label of `Content-Type`; undefined when it names none. */
  charset: string | undefined;
}

const sniffLength = 1445;
const undeclared = new Set(["unknown/unknown", "application/unknown", "*/*", "application/octet-stream"]);
const textual = /^text\/|[/+](xml|json)$|javascript|ecmascript/;

/**
 * What a body is: the declared type, unless none is declared or a textual one has binary bytes; then the bytes decide.
 * After the WHATWG MIME Sniffing standard, sections 7 and 8; unlike there, `application/octet-stream` is no
 * declaration, and a PDF is one whatever it is called.
 */
export async function sniffType(contentType: string, body: Uint8Array): Promise<MediaType> {
  const declared = MIMEType.parse(contentType);
  const charset = declared?.parameters.get("charset");
  const essence = declared && !undeclared.has(declared.essence) ? declared.essence : undefined;
  const head = body.subarray(0, sniffLength);
  if (startsWith(head, "%PDF-")) return { essence: "application/pdf", charset };
  if (essence !== undefined && !(textual.test(essence) && isBinary(head, charset)))
    return { essence, charset };
  return { essence: await typeOfBytes(body, head, charset), charset };
}

async function typeOfBytes(body: Uint8Array, head: Uint8Array, charset: string | undefined): Promise<string> {
  const detected = await fileTypeFromBuffer(body);
  if (detected) return detected.mime;
  if (isBinary(head, charset)) return "application/octet-stream";
  if (looksLikeHtml(head)) return "text/html";
  return startsWith(head, "<?xml") ? "text/xml" : "text/plain";
}

// The standard's "binary data bytes", which leave ESC out. NUL is text in UTF-16, as a mark or the charset tells.
function isBinary(head: Uint8Array, charset: string | undefined): boolean {
  if (/^(\u00ff\u00fe|\u00fe\u00ff)/.test(latin1(head)) || /^(utf-?16|ucs-?2|unicode)/i.test(charset ?? ""))
    return false;
  return /[\u0000-\u0008\u000b\u000e-\u001a\u001c-\u001f]/.test(latin1(head));
}

function looksLikeHtml(head: Uint8Array): boolean {
  return htmlStart.test(withoutLead(head));
}

const htmlStart =
  /^(<!doctype html|<!--|<(html|head|script|iframe|h1|div|font|table|a|style|title|b|body|br|p|meta)[\s>/])/i;

function startsWith(head: Uint8Array, prefix: string): boolean {
  return withoutLead(head).startsWith(prefix);
}

function withoutLead(head: Uint8Array): string {
  return latin1(head)
    .replace(/^\u00ef\u00bb\u00bf/, "")
    .trimStart();
}

function latin1(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString("latin1");
}
