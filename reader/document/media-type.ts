import { MIMEType } from "whatwg-mimetype";

export interface MediaType {
  /** `type/subtype`, lower case. */
  essence: string;
  /** The label of `Content-Type`; undefined when it names none. */
  charset: string | undefined;
}

const sniffLength = 1445;
/** Types that say nothing, and those of Excel and Word before 2007, under which servers send anything. */
const undeclared = new Set([
  "unknown/unknown",
  "application/unknown",
  "*/*",
  "application/octet-stream",
  "binary/octet-stream",
  "application/zip",
  "application/x-zip-compressed",
  "application/vnd.ms-excel",
  "application/vnd.ms-powerpoint",
  "application/msword",
]);
const textual = /^text\/|[/+](xml|json)$|javascript|ecmascript/;

/**
 * The type of a body: the declared one, unless none is declared or a textual one has binary bytes; then the bytes
 * decide. Follows the WHATWG MIME Sniffing standard, sections 7 and 8, but does not count `application/octet-stream` as
 * a declaration and recognises PDFs, office documents and feeds under other types. `url` names tables: servers send CSV
 * as plain text.
 */
export async function sniffType(contentType: string, body: Uint8Array, url = ""): Promise<MediaType> {
  const declared = MIMEType.parse(contentType);
  const charset = declared?.parameters.get("charset");
  const essence = declared && !undeclared.has(declared.essence) ? declared.essence : undefined;
  const head = body.subarray(0, sniffLength);
  if (startsWith(head, "%PDF-")) return { essence: "application/pdf", charset };
  const stated = statedType(essence, head, url);
  if (stated !== undefined) return { essence: stated, charset };
  if (essence === "text/html" && feedStart.test(withoutLead(head))) return { essence: "text/xml", charset };
  if (essence === "text/plain" && !isBinary(head, charset))
    return { essence: feedStart.test(withoutLead(head)) ? "text/xml" : (tableType(url) ?? essence), charset };
  if (essence !== undefined && !(textual.test(essence) && isBinary(head, charset)))
    return { essence, charset };
  const found = await typeOfBytes(body, head, charset);
  if (found === "text/plain") return { essence: textType(declared?.essence, url), charset };
  const isKnown = found === "application/x-cfb" || found === "application/octet-stream";
  return {
    essence: isKnown && declared && office97.test(declared.essence) ? declared.essence : found,
    charset,
  };
}

const office97 = /ms-excel|ms-powerpoint|msword/;

function textType(declared: string | undefined, url: string): string {
  return tableType(url) ?? (declared === "application/vnd.ms-excel" ? "text/csv" : "text/plain");
}

/** Types that servers do not know, and send as text, JSON or nothing: their first bytes or their names say them. */
function statedType(essence: string | undefined, head: Uint8Array, url: string): string | undefined {
  if (startsWith(head, "{\\rtf")) return "application/rtf";
  const isText = essence === undefined || essence === "text/plain";
  if ((isText || isJson(essence)) && isNotebook(head, url)) return "application/x-ipynb+json";
  return isText && isMessage(head, url) ? "message/rfc822" : undefined;
}

function isNotebook(head: Uint8Array, url: string): boolean {
  const text = withoutLead(head);
  if (hasExtension(url, "ipynb")) return text.startsWith("{");
  return /^\{\s*"cells"\s*:\s*\[\s*\{/.test(text) && text.includes('"cell_type"');
}

/** A message begins with lines of its head (RFC 5322, 2.2), of which some say what it is. */
function isMessage(head: Uint8Array, url: string): boolean {
  const text = withoutLead(head);
  const lines = /^(?:[!-9;-~]{1,76}:[^\r\n]*\r?\n(?:[ \t][^\r\n]*\r?\n){0,50}){2,}/.exec(text)?.[0] ?? "";
  if (/\.(?:eml|mht|mhtml)$/i.test(pathOf(url))) return lines !== "";
  return (
    /^(?:from|return-path|received|mime-version):/im.test(lines) &&
    /^mime-version:\s*1/im.test(lines) &&
    /^from:/im.test(lines)
  );
}

function hasExtension(url: string, extension: string): boolean {
  return pathOf(url).toLowerCase().endsWith(`.${extension}`);
}

function pathOf(url: string): string {
  return url.replace(/[?#].*$/s, "");
}

function tableType(url: string): string | undefined {
  const extension = /\.(csv|tsv|tab)$/i.exec(pathOf(url))?.[1]?.toLowerCase();
  if (extension === undefined) return undefined;
  return extension === "csv" ? "text/csv" : "text/tab-separated-values";
}

/** The kinds of documents that are read as what they are made of. */
const kinds = [
  [
    "docx",
    /^application\/(?:vnd\.openxmlformats-officedocument\.wordprocessingml\.|vnd\.ms-word\..*macroenabled)/,
  ],
  [
    "xlsx",
    /^application\/(?:vnd\.openxmlformats-officedocument\.spreadsheetml\.|vnd\.ms-excel\..*macroenabled)/,
  ],
  [
    "pptx",
    /^application\/(?:vnd\.openxmlformats-officedocument\.presentationml\.|vnd\.ms-powerpoint\..*macroenabled)/,
  ],
  ["ods", /^application\/vnd\.oasis\.opendocument\.spreadsheet/],
  ["odf", /^application\/vnd\.oasis\.opendocument\.(?:text|presentation)/],
  ["epub", /^application\/epub\+zip$/],
  ["rtf", /^(?:application|text)\/(?:x-)?rtf$/],
  ["mail", /^(?:message\/(?:rfc822|global)|multipart\/related)$/],
  ["notebook", /^application\/x-ipynb\+json$/],
] as const;
export type DocumentKind = (typeof kinds)[number][0];

/** The kind of a document that is neither text nor a page; undefined for one that cannot be read. */
export function documentKind(essence: string): DocumentKind | undefined {
  return kinds.find(([, types]) => types.test(essence))?.[0];
}

/** Delimiters of tables by their types. */
export const delimiters = new Map([
  ["text/csv", "any"],
  ["application/csv", "any"],
  ["text/x-csv", "any"],
  ["text/comma-separated-values", "any"],
  ["text/tab-separated-values", "\t"],
]);

export function isXml(essence: string): boolean {
  // SVG is XML, but an image.
  return (
    (/^(text|application)\/xml$/.test(essence) || essence.endsWith("+xml")) && !essence.startsWith("image/")
  );
}

export function isJson(essence: string): boolean {
  return /[/+]json$|^application\/(x-)?ndjson$/.test(essence);
}

/** Whether a document is read as the text that it is. */
export function isText(essence: string): boolean {
  return essence.startsWith("text/") || scripts.has(essence) || delimiters.has(essence);
}

const scripts = new Set([
  "application/javascript",
  "application/x-javascript",
  "application/ecmascript",
  "application/x-tex",
  "application/x-latex",
  "application/yaml",
  "application/x-yaml",
  "application/toml",
]);

/** Whether a document of this type is read. */
export function isRead(essence: string): boolean {
  if (essence === "application/pdf" || documentKind(essence) !== undefined) return true;
  return isText(essence) || isXml(essence) || isJson(essence);
}

/** Whether a body may be a document that is read, by its beginning: an archive may until a part says that it is none. */
export function mayBeRead(essence: string, start: Uint8Array): boolean {
  return isRead(essence) || (essence === "application/zip" && officePart.test(latin1(start)));
}

const officePart =
  /PK\x03\x04.{26}(?:\[Content_Types\]|_rels\/|customXml\/|docProps\/|word\/|xl\/|ppt\/|mimetype|META-INF\/)/s;

async function typeOfBytes(body: Uint8Array, head: Uint8Array, charset: string | undefined): Promise<string> {
  const { fileTypeFromBuffer } = await import("file-type");
  const detected = await fileTypeFromBuffer(body);
  if (detected && detected.mime !== "application/xml") return detected.mime;
  if (isBinary(head, charset)) return "application/octet-stream";
  if (looksLikeHtml(head)) return "text/html";
  return startsWith(head, "<?xml") || feedStart.test(withoutLead(head)) ? "text/xml" : "text/plain";
}

// The standard's "binary data bytes", which exclude ESC. NUL is text in UTF-16, by its byte order mark or charset.
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
const feedStart = /^(?:\s|<[?!](?!doctype\s+html)[^>]*>)*<(?:rss|feed|rdf:rdf)[\s>]/i;

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
