import { Tokenizer } from "htmlparser2";
import { decodeEntities } from "./feed-text.ts";
import { bodies, breakers, inline, isKnown, isLeaf, itemNames, personParts, prefixOf } from "./xml-names.ts";

/** An element of a feed. */
export interface XmlElement {
  /** In lower case, with the usual prefix of its namespace; without one where that is the root's, or one of RSS. */
  name: string;
  attributes: Map<string, string>;
  parent: XmlElement | undefined;
  children: XmlElement[];
  /** Its text, decoded. */
  text: string;
  /** Its raw content, where that contains markup. */
  markup?: string;
  defaultNamespace: string;
}

export interface XmlTree {
  root: XmlElement;
  /** Every complete `item` or `entry`, in order. */
  items: XmlElement[];
  /** Whether the document reaches the end of its root, or of RSS's channel. */
  isWhole: boolean;
  /** The limit at which the reading ended; undefined for a document within all of them. */
  beyond: keyof XmlLimits | undefined;
}

/** Ends the reading. */
class Beyond extends Error {}

/** How much is read. */
export interface XmlLimits {
  items: number;
  elements: number;
}

/**
 * Parses the XML of a feed as far as possible: a missing, misspelt or superfluous end tag affects its own element only.
 * Does not parse HTML inside texts, which may be broken in any way. Never throws. Time is linear in the text.
 */
export function parseXml(xml: string, limits: XmlLimits): XmlTree | undefined {
  const builder = new TreeBuilder(xml, limits);
  const tokenizer = new Tokenizer({ decodeEntities: false, xmlMode: true }, builder);
  try {
    tokenizer.write(xml);
    tokenizer.end();
  } catch (error) {
    if (!(error instanceof Beyond)) throw error;
  }
  const { root, items, isWhole, beyond } = builder;
  return root && { root, items, isWhole, beyond };
}

/** An open element that contains text: elements inside it are counted, not built. */
interface TextRun {
  element: XmlElement;
  start: number;
  isBody: boolean;
  hasMarkup: boolean;
  open: Map<string, number>;
}

/** Receives tokens and builds the tree. */
class TreeBuilder {
  root: XmlElement | undefined;
  readonly items: XmlElement[] = [];
  isWhole = false;
  beyond: keyof XmlLimits | undefined;
  private readonly xml: string;
  /** What may still come. */
  private readonly left: XmlLimits;
  private readonly namespaces = new Map<string, string>();
  private readonly openCounts = new Map<string, number>();
  private rootPrefix: string | undefined;
  private top: XmlElement | undefined;
  private textRun: TextRun | undefined;
  private tagStart = 0;
  private tag = "";
  private attributes = new Map<string, string>();
  private attributeName = "";
  private attributeValue = "";

  constructor(xml: string, limits: XmlLimits) {
    this.xml = xml;
    this.left = { ...limits };
  }

  ontext(start: number, end: number): void {
    if (this.top) this.top.text += decodeEntities(this.xml.slice(start, end));
  }

  oncdata(start: number, end: number, offset: number): void {
    if (this.top) this.top.text += this.xml.slice(start, end - offset);
  }

  onopentagname(start: number, end: number): void {
    this.tagStart = start - 1;
    this.tag = this.xml.slice(start, end);
    this.attributes = new Map();
  }

  onattribname(start: number, end: number): void {
    this.attributeName = this.xml.slice(start, end).toLowerCase();
    this.attributeValue = "";
  }

  onattribdata(start: number, end: number): void {
    this.attributeValue += this.xml.slice(start, end);
  }

  onattribend(): void {
    if (!this.attributes.has(this.attributeName))
      this.attributes.set(this.attributeName, decodeEntities(this.attributeValue));
  }

  onopentagend(end: number): void {
    this.open(end + 1, false);
  }

  onselfclosingtag(end: number): void {
    this.open(end + 1, true);
  }

  onclosetag(start: number, end: number): void {
    const at = this.xml.lastIndexOf("<", start);
    const name = this.nameOf(this.xml.slice(start, end), this.top?.defaultNamespace ?? "");
    if (this.textRun && !this.endsTextRun(this.textRun, name, at)) return;
    if (this.isOpen(name)) this.closeTo(name);
  }

  ontextentity(): void {
    // Entities are decoded together with their text.
  }

  onattribentity(): void {
    // The same.
  }

  oncomment(): void {
    // Comments are ignored.
  }

  ondeclaration(): void {
    // Document types are ignored.
  }

  onprocessinginstruction(): void {
    // Processing instructions are ignored.
  }

  onend(): void {
    // Elements that are still open are incomplete.
  }

  private open(innerStart: number, closesItself: boolean): void {
    const { attributes } = this;
    const defaultNamespace = attributes.get("xmlns") ?? this.top?.defaultNamespace ?? "";
    for (const [name, value] of attributes)
      if (name.startsWith("xmlns:")) this.namespaces.set(name.slice(6), value);
    const name = this.nameOf(this.tag, defaultNamespace);
    if (this.textRun) {
      if (!this.interrupts(this.textRun, name)) {
        this.textRun.hasMarkup = true;
        if (!closesItself) change(this.textRun.open, name, 1);
        return;
      }
      this.closeTextRun(this.tagStart);
    }
    if (this.root && this.top === undefined) return;
    this.endBefore(name);
    this.push({ name, attributes, parent: this.top, children: [], text: "", defaultNamespace });
    if (closesItself) this.pop();
    else if (this.top) this.beginTextRun(this.top, innerStart);
  }

  /** Closes the elements that cannot contain the new one. */
  private endBefore(name: string): void {
    const isPerson = this.top?.name === "author" || this.top?.name === "contributor";
    if (isPerson && !personParts.has(name) && isKnown(name)) this.pop();
    if (!itemNames.has(name)) return;
    for (const each of itemNames) if (this.isOpen(each)) this.closeTo(each);
  }

  private beginTextRun(element: XmlElement, start: number): void {
    const isBody = bodies.has(element.name);
    if (!isBody && !isLeaf(element.name)) return;
    this.textRun = { element, start, isBody, hasMarkup: false, open: new Map() };
  }

  /** Whether an element inside a text belongs to the feed, which means that the end tag of the text is missing. */
  private interrupts({ element, isBody, open }: TextRun, name: string): boolean {
    if (/xml$/.test(element.attributes.get("type") ?? "")) return false;
    if (itemNames.has(name)) return true;
    if (isBody) return breakers.test(name) && (name !== element.name || !open.has(name));
    return isKnown(name);
  }

  /** Handles an end tag inside a text; true when the tag also ends an outer element. */
  private endsTextRun({ element, isBody, open }: TextRun, name: string, at: number): boolean {
    const isOwn = name === element.name;
    if ((open.get(name) ?? 0) > 0) change(open, name, -1);
    else if (isOwn) {
      this.closeTextRun(at);
    } else if (this.isOpen(name)) {
      this.closeTextRun(at);
      return true;
    } else if (!isBody && !inline.test(name)) this.closeTextRun(at);
    return false;
  }

  private closeTextRun(end: number): void {
    const { textRun } = this;
    if (textRun?.hasMarkup) textRun.element.markup = this.xml.slice(textRun.start, end);
    this.textRun = undefined;
    this.pop();
  }

  private push(element: XmlElement): void {
    this.count("elements");
    if (itemNames.has(element.name)) this.count("items");
    if (this.root === undefined) this.root = element;
    this.top?.children.push(element);
    this.top = element;
    change(this.openCounts, element.name, 1);
  }

  private count(what: keyof XmlLimits): void {
    this.left[what] -= 1;
    if (this.left[what] >= 0) return;
    this.beyond = what;
    throw new Beyond();
  }

  private pop(): void {
    const { top } = this;
    if (top === undefined) return;
    if (itemNames.has(top.name)) this.items.push(top);
    if (top === this.root || (top.name === "channel" && this.root?.name === "rss")) this.isWhole = true;
    change(this.openCounts, top.name, -1);
    this.top = top.parent;
  }

  private isOpen(name: string): boolean {
    return (this.openCounts.get(name) ?? 0) > 0;
  }

  private closeTo(name: string): void {
    while (this.top !== undefined && this.top.name !== name) this.pop();
    this.pop();
  }

  private nameOf(tag: string, defaultNamespace: string): string {
    const colon = tag.indexOf(":");
    const prefix = tag.slice(0, Math.max(colon, 0)).toLowerCase();
    const local = tag.slice(colon + 1).toLowerCase();
    const usual = prefixOf(prefix === "" ? defaultNamespace : this.namespaces.get(prefix), prefix);
    if (this.rootPrefix === undefined) this.rootPrefix = local === "rdf" ? "" : usual;
    return usual === "" || usual === this.rootPrefix || local === "fullitem" ? local : `${usual}:${local}`;
  }
}

function change(counts: Map<string, number>, name: string, by: number): void {
  counts.set(name, (counts.get(name) ?? 0) + by);
}
