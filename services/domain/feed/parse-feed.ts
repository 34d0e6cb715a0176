import { isUtf8 } from "node:buffer";
import { type JsonFeed, parseJsonFeed } from "feedsmith";
import { MIMEType } from "whatwg-mimetype";
import { decodeText } from "../../../reader/text/decode-text.ts";
import type { Feed } from "./feed.ts";
import { withoutC1 } from "./feed-text.ts";
import { jsonFeed } from "./json-feed.ts";
import { xmlFeed } from "./xml-feed.ts";
import { parseXml, type XmlTree } from "./xml-tree.ts";

/**
 * Reads the bytes of a feed. Uses only the charset of the declared type, since servers send feeds as text/html, text/plain
 * and worse; JSON is UTF-8 whatever is declared (RFC 8259, 8.1).
 */
export function readFeed(
  body: Uint8Array,
  contentType: string,
  url: string,
  part: WantedPart = "all",
): ParsedFeed {
  const charset = MIMEType.parse(contentType)?.parameters.get("charset");
  const head = Buffer.from(body.subarray(0, 256)).toString("latin1");
  if (/^(\u00ef\u00bb\u00bf)?\s*\{/.test(head)) return parseFeed(new TextDecoder().decode(body), url, part);
  const label = isContradicted(charset, head, body) ? undefined : charset;
  const isDeclared = /\sencoding\s*=|\0/i.test(head);
  const text = decodeText(body, { charset: label ?? (isDeclared ? undefined : "utf-8") }, "xml");
  return parseFeed(isMisread(text) ? latin.decode(body) : text, url, part);
}

const latin = new TextDecoder("windows-1252");

/** Whether a text was not UTF-8 as declared: beyond ASCII, more characters are unreadable than readable. */
function isMisread(text: string): boolean {
  if (!text.includes("\ufffd")) return false;
  const unreadable = text.match(/\ufffd/g)?.length ?? 0;
  return unreadable > (text.match(/[\u0080-\uffff]/g)?.length ?? 0) - unreadable;
}

/** Whether the document contradicts the server, which declares one charset for all files; then the bytes decide. */
function isContradicted(charset: string | undefined, head: string, body: Uint8Array): boolean {
  const declared = /^(?:\u00ef\u00bb\u00bf)?\s*<\?xml[^>]*\sencoding\s*=\s*["']([\w.-]+)/i.exec(head)?.[1];
  if (charset === undefined || declared === undefined) return false;
  const isUtf8Label = (label: string) => /^utf-?8$/i.test(label);
  return isUtf8Label(declared) ? isUtf8(body) : isUtf8Label(charset) && !isUtf8(body);
}

/** A feed, or why the text is not one, as a sentence. */
type ParsedFeed = { ok: true; feed: Feed } | { ok: false; reason: string };

/** What is read of a feed with too many items: nothing, or its beginning. */
type WantedPart = "all" | "beginning";

/** To read and compare so many takes a second or two. Elements are counted too, those inside of texts aside. */
const limits = { items: 20_000, elements: 500_000 };
const tooMany = {
  items: { ok: false, reason: "The feed has more than 20,000 items." },
  elements: { ok: false, reason: "The feed has more than 500,000 elements." },
} as const satisfies Record<string, ParsedFeed>;
const broken = { ok: false, reason: "The document is not a feed, or it is broken." } as const;

/**
 * Parses RSS 0.9x, 1.0, 1.1 and 2.0, Atom 0.3 and 1.0, CDF, and JSON Feed, whatever type is declared. Reads broken XML as
 * far as possible; of a truncated document, the complete items. `url` is the address of the text.
 */
export function parseFeed(text: string, url: string, part: WantedPart = "all"): ParsedFeed {
  const plain = text.replace(/^\ufeff/, "");
  return /^\s*\{/.test(plain) ? parseJson(plain, url, part) : parseXmlFeed(plain, url, part);
}

function parseJson(text: string, url: string, part: WantedPart): ParsedFeed {
  const read = readJson(text, part);
  return read.ok ? { ok: true, feed: jsonFeed(read.parsed, url) } : read;
}

type ReadJson = { ok: true; parsed: JsonFeed.Feed<string> } | (ParsedFeed & { ok: false });

/** Items are counted before anything is made of them. */
function readJson(text: string, part: WantedPart): ReadJson {
  try {
    const json = JSON.parse(text) as { items?: unknown };
    if (Array.isArray(json.items) && json.items.length > limits.items) {
      if (part === "all") return tooMany.items;
      json.items = json.items.slice(0, limits.items);
    }
    return { ok: true, parsed: parseJsonFeed(json) };
  } catch {
    return broken;
  }
}

function parseXmlFeed(text: string, url: string, part: WantedPart): ParsedFeed {
  const document = isolateXml(text);
  if (document === undefined) return { ok: false, reason: "The document is not a feed." };
  const tree = parseXml(withoutC1(repairXml(document)), limits);
  if (tree?.beyond !== undefined && part === "all") return tooMany[tree.beyond];
  return tree === undefined || !isFeed(tree) ? broken : { ok: true, feed: xmlFeed(tree, url) };
}

// A document that is truncated before its first complete item says nothing about the feed.
function isFeed({ root, items, isWhole }: XmlTree): boolean {
  const hasContent = root.name === "channel" || root.children.length > 0 || root.attributes.size > 0;
  return items.length > 0 || (isWhole && hasContent);
}

/** A feed's text, split at its root element. */
interface IsolatedDocument {
  /** Declaration, document type and anything else before the root. */
  prolog: string;
  body: string;
}

const rootTag = /<(?:[\w-]+:)?(?:rss|feed|rdf|channel)(?=[\s>/])/i;
const htmlTag = /<(?:html|head|body)[\s>]/i;
const headLength = 64 * 1024;

/**
 * Splits off what precedes the root element: declarations, comments, and the warnings that broken servers print first.
 * Undefined without a root, or when an HTML page surrounds it.
 */
function isolateXml(text: string): IsolatedDocument | undefined {
  const shown = blank(text.slice(0, headLength), /<!--[\s\S]*?-->|<!ENTITY[^>]*>/gi);
  const start = rootTag.exec(shown)?.index;
  if (start === undefined) return undefined;
  const before = shown.slice(0, start);
  const isPage = /<!doctype\s+html/i.test(before) && /<[a-z]/i.test(before);
  if (isPage || htmlTag.test(before)) return undefined;
  return { prolog: text.slice(0, start), body: text.slice(start) };
}

// Blanks out comments, so that a root inside one does not count. Offsets stay the same.
function blank(text: string, pattern: RegExp): string {
  return text.replace(pattern, found => " ".repeat(found.length));
}

const loose =
  /<!\[CDATA\[[\s\S]*?(?:\]\]>|$)|<!--[\s\S]*?(?:-->|$)|<(?!\/?[a-z_\u0080-\uffff][\w.:\u0080-\uffff-]*[\s/>]|!doctype|\?)|&([a-z_][\w.-]*);/gi;
const maxGrowth = 1024 * 1024;

/**
 * Escapes every `<` that does not begin a tag, and expands the entities that the document type declares as plain text,
 * once. Leaves nested entities (CWE-776) and external ones (CWE-611) as they are.
 */
function repairXml({ prolog, body }: IsolatedDocument): string {
  const entities = declaredEntities(prolog);
  let growth = 0;
  return body.replace(loose, (found: string, name: string | undefined) => {
    if (found === "<") return "&lt;";
    const value = name === undefined ? undefined : entities.get(name);
    if (value === undefined || growth + value.length > maxGrowth) return found;
    growth += value.length;
    return value;
  });
}

const declaration = /<!ENTITY\s+([a-z_][\w.-]*)\s+(?:"([^"<&%]{0,1000})"|'([^'<&%]{0,1000})')\s*>/gi;

function declaredEntities(prolog: string): Map<string, string> {
  const found = prolog.matchAll(declaration);
  return new Map([...found].map(([, name = "", double, single]) => [name, double ?? single ?? ""]));
}
