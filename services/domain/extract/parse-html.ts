import { Tokenizer } from "htmlparser2";
import { collapse } from "./collapse.ts";
import { isBlock } from "./element-kinds.ts";
import { OpenElements } from "./open-elements.ts";
import { ElementNode, TextNode } from "./tree.ts";

/**
 * Parses a page once, into the tree that everything else reads. Follows the tree construction rules of the HTML
 * standard where pages depend on them (implied end tags, scopes of tables and lists, misnested formatting); scripts,
 * styles, comments and drawings are left out. Never throws on any input. Time is linear in the page.
 */
export function parseHtml(html: string): ElementNode {
  const builder = new TreeBuilder(html);
  const tokenizer = new Tokenizer({ decodeEntities: true }, builder);
  tokenizer.write(html);
  tokenizer.end();
  return builder.root;
}

const voids = new Set(
  "area base br col embed frame hr img input link meta param source track wbr".split(" "),
);
const dropped = new Set("script style svg template noembed noframes canvas applet".split(" "));

/** Receives tokens and builds the tree. */
class TreeBuilder {
  readonly root = new ElementNode("#document", new Map(), null);
  private readonly html: string;
  private readonly isXml: boolean;
  private readonly open = new OpenElements(this.root);
  private text = "";
  private name = "";
  private attributes = new Map<string, string>();
  private attributeName = "";
  private attributeValue = "";
  /** Name of the element whose content is being left out, and how many of that name are open in it. */
  private leftOut = "";
  private leftOutDepth = 0;
  private isForeignContent = false;

  constructor(html: string) {
    this.html = html;
    this.isXml = /^\s*<\?xml/.test(html.slice(0, 200));
  }

  ontext(start: number, end: number): void {
    if (this.leftOut === "") this.text += this.html.slice(start, end);
  }

  ontextentity(codepoint: number): void {
    if (this.leftOut === "") this.text += String.fromCodePoint(codepoint);
  }

  onopentagname(start: number, end: number): void {
    this.name = this.html.slice(start, end).toLowerCase();
    this.attributes = new Map();
  }

  onattribname(start: number, end: number): void {
    this.attributeName = this.html.slice(start, end).toLowerCase();
    this.attributeValue = "";
  }

  onattribdata(start: number, end: number): void {
    this.attributeValue += this.html.slice(start, end);
  }

  onattribentity(codepoint: number): void {
    this.attributeValue += String.fromCodePoint(codepoint);
  }

  onattribend(): void {
    if (!this.attributes.has(this.attributeName))
      this.attributes.set(this.attributeName, this.attributeValue);
  }

  onopentagend(): void {
    this.startElement(false);
  }

  onselfclosingtag(): void {
    this.startElement(this.isXml || this.name === "svg");
  }

  onclosetag(start: number, end: number): void {
    const name = this.html.slice(start, end).toLowerCase();
    if (this.leftOut !== "") {
      if (name === this.leftOut && --this.leftOutDepth === 0) this.leftOut = "";
      return;
    }
    this.flush();
    this.attributes = new Map();
    if (name === "br") this.append("br");
    else this.open.close(name);
  }

  onend(): void {
    this.flush();
  }

  oncdata(start: number, end: number, offset: number): void {
    if (this.isXml && this.leftOut === "") this.text += this.html.slice(start, end - offset);
  }

  oncomment(): void {
    // Comments are no part of the content.
  }

  ondeclaration(): void {
    // Nor is the doctype.
  }

  onprocessinginstruction(): void {
    // Nor are processing instructions.
  }

  private startElement(closesItself: boolean): void {
    const { name } = this;
    if (this.leftOut !== "" && !this.breaksOut()) {
      if (name === this.leftOut && !closesItself) this.leftOutDepth++;
    } else if (dropped.has(name)) {
      if (!closesItself) this.leaveOut();
    } else {
      this.flush();
      if (this.isRepeatedFrame()) return;
      this.open.implyEndTags(name);
      const element = this.append(name);
      if (voids.has(name) || closesItself) return;
      if (name === "iframe") this.leaveOut();
      else this.open.push(element);
    }
  }

  private append(name: string): ElementNode {
    const element = new ElementNode(name, this.attributes, this.open.top);
    this.open.top.childNodes.push(element);
    return element;
  }

  private leaveOut(): void {
    this.leftOut = this.name;
    this.leftOutDepth = 1;
    this.isForeignContent = false;
  }

  /** A block of HTML ends a drawing that was never closed, unless the drawing embeds HTML. */
  private breaksOut(): boolean {
    if (this.name === "foreignobject") this.isForeignContent = true;
    const isOut = this.leftOut === "svg" && !this.isForeignContent && isBlock(this.name);
    if (isOut) this.leftOut = "";
    return isOut;
  }

  /** A second `html` or `body` only adds attributes to the first. */
  private isRepeatedFrame(): boolean {
    const first = this.name === "html" || this.name === "body" ? this.open.find(this.name) : undefined;
    for (const [key, value] of first === undefined ? [] : this.attributes) {
      if (first?.attributes.has(key) === false) first.attributes.set(key, value);
    }
    return first !== undefined;
  }

  private flush(): void {
    if (this.text === "") return;
    const text = this.open.isPreformatted ? this.text.replaceAll("\r\n", "\n") : collapse(this.text);
    this.text = "";
    if (text.trim() !== "") this.open.leaveHead();
    this.open.top.childNodes.push(new TextNode(text, this.open.top));
  }
}
