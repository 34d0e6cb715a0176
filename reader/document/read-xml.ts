import { SaxesParser } from "saxes";

interface XmlEvents {
  open?: (tag: string, attributes: Record<string, string>) => void;
  text?: (text: string) => void;
  close?: (tag: string) => void;
}

const chunk = 64 * 1024;

/**
 * Reads XML in one pass, as long as more of it is wanted. Expands no entities but XML's own, and reads past errors.
 */
export function readXml(
  bytes: Uint8Array | undefined,
  { open, text, close }: XmlEvents,
  wantsMore: () => boolean = () => true,
): void {
  const parser = new SaxesParser();
  parser.on("error", () => undefined);
  // Some writers give the names of spreadsheets a prefix.
  const plain = (name: string) => name.replace(/^x:/, "");
  if (open) parser.on("opentag", ({ name, attributes }) => open(plain(name), attributes));
  if (text) {
    parser.on("text", text);
    parser.on("cdata", text);
  }
  if (close) parser.on("closetag", ({ name }) => close(plain(name)));
  const decoder = new TextDecoder(encodingOf(bytes));
  for (let at = 0; bytes !== undefined && at < bytes.length && wantsMore(); at += chunk)
    parser.write(decoder.decode(bytes.subarray(at, at + chunk), { stream: true }));
  parser.close();
}

/** XML without a declaration is UTF-8, or UTF-16 by its byte order mark (XML 1.0, F.1). */
function encodingOf([first, second]: Uint8Array = new Uint8Array()): string {
  if (first === 0xfe && second === 0xff) return "utf-16be";
  return first === 0xff && second === 0xfe ? "utf-16le" : "utf-8";
}

/** An element of XML with what is in it. Names have their prefixes as the document has them. */
export interface XmlElement {
  name: string;
  attributes: Record<string, string>;
  children: (XmlElement | string)[];
}

/** How many elements may still be kept of a document; `isCut` once there were more. */
export interface XmlBudget {
  elements: number;
  isCut: boolean;
}

/** Elements below this depth are left out, so that what is kept may be walked by functions that call themselves. */
const maxDepth = 200;

/** The tree of an XML part, within the budget. An empty one for a part that is not there. */
export function readTree(bytes: Uint8Array | undefined, budget: XmlBudget): XmlElement {
  const root: XmlElement = { name: "", attributes: {}, children: [] };
  const open = [root];
  /** Open elements that are not kept. */
  let left = 0;
  const events: XmlEvents = {
    open: (name, attributes) => {
      if (left > 0 || open.length > maxDepth || budget.elements <= 0) {
        left++;
        budget.isCut = true;
        return;
      }
      budget.elements--;
      const element = { name, attributes, children: [] };
      open.at(-1)?.children.push(element);
      open.push(element);
    },
    text: text => {
      if (left === 0) open.at(-1)?.children.push(text);
    },
    close: () => {
      if (left > 0) left--;
      else if (open.length > 1) open.pop();
    },
  };
  readXml(bytes, events, () => budget.elements > 0 || !budget.isCut);
  return root;
}

export function isElement(node: XmlElement | string): node is XmlElement {
  return typeof node !== "string";
}

/** The elements in one, of a name where one is given. */
export function elementsIn({ children }: XmlElement, name?: string): XmlElement[] {
  return children.filter(
    (child): child is XmlElement => isElement(child) && (name === undefined || child.name === name),
  );
}

/** The first element with such a name, directly in another one. */
export function childOf(element: XmlElement | undefined, name: string): XmlElement | undefined {
  return element?.children.find((child): child is XmlElement => isElement(child) && child.name === name);
}

/** All elements with a name at any depth, in order; not those within one that was found. */
export function findAll(element: XmlElement, name: string, found: XmlElement[] = []): XmlElement[] {
  for (const child of element.children) {
    if (!isElement(child)) continue;
    if (child.name === name) found.push(child);
    else findAll(child, name, found);
  }
  return found;
}

/** All text in an element. */
export function textIn(element: XmlElement | undefined): string {
  if (element === undefined) return "";
  return element.children.map(child => (isElement(child) ? textIn(child) : child)).join("");
}
