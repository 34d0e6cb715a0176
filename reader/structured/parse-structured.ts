import { MIMEType } from "whatwg-mimetype";
import { delimiters, documentKind, isJson, isXml } from "../document/media-type.ts";
import { readCsv, readXlsx } from "../document/read-sheets.ts";
import { isElement, readTree, type XmlElement } from "../document/read-xml.ts";
import { parseHtml } from "../html/parse-html.ts";
import type { ElementNode, PageNode } from "../html/tree.ts";
import { isElement as isTreeElement } from "../html/tree.ts";
import { isObject } from "../recipe/recipe.ts";
import { decodeText } from "../text/decode-text.ts";
import { parseJson } from "./json-values.ts";

/** What a document that is no page holds: objects, lists, texts, numbers. Undefined where it holds nothing of the kind. */
export type Structured = unknown;

/** The text of a document, as it was sent, and the HTML that was made of it, where there are such. */
export interface StructuredSource {
  text?: string | undefined;
  html?: string | undefined;
}

/** Reads JSON, JSON lines, XML and tables into a plain value. Never throws. */
export function parseStructured(essence: string, { text, html }: StructuredSource): Structured {
  // Servers send JSON as plain text.
  const isText = essence === "text/plain" && /^\s*[[{]/.test(text ?? "");
  if (isJson(essence) || isText) return text === undefined ? undefined : parseJson(text);
  if (isXml(essence)) return text === undefined ? undefined : parseXml(text);
  const isTable = delimiters.has(essence) || ["xlsx", "ods"].includes(documentKind(essence) ?? "");
  return isTable && html !== undefined ? parseTables(html) : undefined;
}

/**
 * What a document of this type holds, if it is JSON, XML, CSV or XLSX; else undefined. Throws when an XLSX is broken.
 */
export function openStructured(body: string | Uint8Array, contentType: string): Structured {
  const type = MIMEType.parse(contentType);
  if (!type || /^text\/html$|xhtml/.test(type.essence)) return undefined;
  const { essence } = type;
  if (documentKind(essence) === "xlsx" && typeof body !== "string")
    return parseStructured(essence, { html: readXlsx(body) });
  const declared = { charset: type.parameters.get("charset") };
  const text = typeof body === "string" ? body : decodeText(body, declared, isXml(essence) ? "xml" : "text");
  const delimiter = delimiters.get(essence);
  if (delimiter === undefined) return parseStructured(essence, { text });
  const html = readCsv(text, delimiter === "any" ? undefined : delimiter);
  return html === undefined ? undefined : parseStructured(essence, { html });
}

const maxElements = 300_000;

/**
 * Elements as properties by their names without prefixes, those that repeat as lists; attributes are properties, too. An
 * element with nothing but text is that text.
 */
function parseXml(text: string): Structured {
  const root = readTree(Buffer.from(text), { elements: maxElements, isCut: false });
  const value = valueIn(root);
  return isObject(value) && Object.keys(value).length > 0 ? value : undefined;
}

/** The name under which the text of an element stands beside its attributes. */
const textName = "#text";
const declarations = /^xmlns(:|$)/;

function valueIn({ attributes, children }: XmlElement): unknown {
  const text = children
    .filter(child => typeof child === "string")
    .join("")
    .trim();
  const stated = Object.entries(attributes).filter(([name]) => !declarations.test(name));
  const inner = children.filter(isElement);
  if (stated.length === 0 && inner.length === 0) return text === "" ? null : text;
  const value: Record<string, unknown> = Object.create(null);
  // A name without a prefix is the document's own; `media:title` is no second title of an item.
  const named = inner.map(child => ({ name: localName(child.name), child }));
  const own = new Set(named.filter(({ child }) => !child.name.includes(":")).map(({ name }) => name));
  for (const { name, child } of named)
    add(value, child.name.includes(":") && own.has(name) ? child.name : name, valueIn(child));
  for (const [name, given] of stated) if (!(localName(name) in value)) value[localName(name)] = given;
  if (text !== "") value[textName] = text;
  return { ...value };
}

function localName(name: string): string {
  return name.slice(name.indexOf(":") + 1);
}

function add(value: Record<string, unknown>, name: string, more: unknown): void {
  // No value of an element is a list by itself.
  const known = value[name];
  if (Array.isArray(known)) known.push(more);
  else value[name] = name in value ? [known, more] : more;
}

/** The rows of each table as objects, by its head. One table is its rows; several are lists in a list. */
function parseTables(html: string): Structured {
  const tables = elementsIn(parseHtml(html), "table").map(rowsOf);
  const filled = tables.filter(rows => rows.length > 0);
  return filled.length > 1 ? filled.map(rows => ({ rows })) : filled[0];
}

function rowsOf(table: ElementNode): Record<string, string>[] {
  const [head = [], ...rows] = elementsIn(table, "tr").map(row =>
    row.childNodes.filter(isTreeElement).map(cell => cell.textContent.trim()),
  );
  const names = head.map((name, at) =>
    name === "" || head.indexOf(name) < at ? `${name} ${at + 1}`.trim() : name,
  );
  return rows.map(cells =>
    Object.fromEntries(cells.flatMap((text, at) => (text === "" ? [] : [[names[at] ?? `${at + 1}`, text]]))),
  );
}

function elementsIn(node: { childNodes: readonly PageNode[] }, name: string): ElementNode[] {
  return node.childNodes.flatMap(child => {
    if (!isTreeElement(child)) return [];
    return child.name === name ? [child] : elementsIn(child, name);
  });
}
