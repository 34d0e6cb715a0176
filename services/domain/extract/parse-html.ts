import { Tokenizer } from "htmlparser2";
import { collapse } from "./collapse.ts";
import { isBlock } from "./element-kinds.ts";
import { ElementNode, TextNode } from "./tree.ts";

/** Elements nested deeper than this are opened at this depth instead, so that no walk of the tree overflows. */
export const maxDepth = 200;

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
const media = new Set(["video", "audio", "iframe"]);
const headOnly = new Set("title meta link base script style noscript template basefont bgsound".split(" "));
const formatting = new Set(
  "a b big code em font i nobr s small strike strong tt u span del ins sub sup mark".split(" "),
);
const cells = new Set(["td", "th"]);
const tableParts = new Set("table tbody thead tfoot tr td th caption colgroup".split(" "));
const headings = new Set(["h1", "h2", "h3", "h4", "h5", "h6"]);
const listStops = new Set(["ul", "ol", "menu", "table", "td", "th", "blockquote", "dl"]);

class TreeBuilder {
  readonly root = new ElementNode("#document", new Map(), null);
  private readonly html: string;
  private readonly stack: ElementNode[] = [this.root];
  private top: ElementNode = this.root;
  private text = "";
  private name = "";
  private attributes: Map<string, string> = new Map();
  private attributeName = "";
  private attributeValue = "";
  private preDepth = 0;
  private openParagraphs = 0;
  /** Name of the element whose content is being left out, and how many of that name are open in it. */
  private leftOut = "";
  private leftOutDepth = 0;
  /** Open elements that were not pushed because the tree is as deep as it may be, by name. */
  private readonly flattened = new Map<string, number>();
  private readonly isXml: boolean;

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
    if (this.leftOut === "" && !this.attributes.has(this.attributeName)) {
      this.attributes.set(this.attributeName, this.attributeValue);
    }
  }

  onopentagend(): void {
    this.open(false);
  }

  onselfclosingtag(): void {
    this.open(true);
  }

  onclosetag(start: number, end: number): void {
    const name = this.html.slice(start, end).toLowerCase();
    if (this.leftOut !== "") {
      if (name === this.leftOut && --this.leftOutDepth === 0) this.leftOut = "";
      return;
    }
    this.flush();
    this.close(name);
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

  private open(isSelfClosing: boolean): void {
    const { name } = this;
    const closesItself = isSelfClosing && (this.isXml || name === "svg");
    if (this.leftOut !== "") {
      if (name === this.leftOut && !closesItself) this.leftOutDepth++;
      return;
    }
    if (dropped.has(name)) {
      if (closesItself) return;
      this.leftOut = name;
      this.leftOutDepth = 1;
      return;
    }
    this.flush();
    if (this.isRepeatedFrame(name)) return;
    this.implyEndTags(name);
    const element = new ElementNode(name, this.attributes, this.top);
    this.top.childNodes.push(element);
    if (voids.has(name) || closesItself) return;
    if (name === "iframe") {
      this.leftOut = name;
      this.leftOutDepth = 1;
      return;
    }
    this.push(element);
  }

  private push(element: ElementNode): void {
    const { name } = element;
    if (this.stack.length >= maxDepth) {
      this.flattened.set(name, (this.flattened.get(name) ?? 0) + 1);
      return;
    }
    this.stack.push(element);
    this.top = element;
    if (name === "p") this.openParagraphs++;
    if (name === "pre" || name === "textarea") this.preDepth++;
  }

  /** A second `html` or `body` only adds attributes to the first. */
  private isRepeatedFrame(name: string): boolean {
    if (name !== "html" && name !== "body") return false;
    const first = this.stack.find(element => element.name === name);
    if (first === undefined) return false;
    for (const [key, value] of this.attributes)
      if (!first.attributes.has(key)) first.attributes.set(key, value);
    return true;
  }

  private implyEndTags(name: string): void {
    if (this.top.name === "head" && !headOnly.has(name)) this.popTo(this.stack.length - 1);
    if (this.openParagraphs > 0 && isBlock(name) && !media.has(name)) {
      this.closeInScope("p", tableParts);
    }
    if (name === "li") this.closeInScope("li", listStops);
    else if (name === "dd" || name === "dt") this.closeEither("dd", "dt", listStops);
    else if (name === "option" || name === "optgroup") this.closeOptions(name);
    else if (tableParts.has(name)) this.closeTableParts(name);
    else if (headings.has(name) && headings.has(this.top.name)) this.popTo(this.stack.length - 1);
    else if (name === "a") this.closeOpenLink();
  }

  private closeOptions(name: string): void {
    if (this.top.name === "option") this.popTo(this.stack.length - 1);
    if (name === "optgroup" && this.top.name === "optgroup") this.popTo(this.stack.length - 1);
  }

  private closeTableParts(name: string): void {
    if (name === "table" || name === "caption") return;
    const table = this.lastIndex(open => open.name === "table");
    if (table < 0) return;
    for (let at = table + 1; at < this.stack.length; at++) {
      const open = this.stack[at]?.name ?? "";
      const ends =
        cells.has(name) || name === "tr"
          ? cells.has(open) || (name === "tr" && open === "tr")
          : open !== "table";
      if (ends || open === "caption" || open === "colgroup") {
        this.popTo(at);
        return;
      }
    }
  }

  /** A link inside a link ends the outer one, unless blocks were opened in between. */
  private closeOpenLink(): void {
    for (let at = this.stack.length - 1; at > 0; at--) {
      const open = this.stack[at]?.name ?? "";
      if (open === "a") this.popTo(at);
      if (!formatting.has(open) || open === "a") return;
    }
  }

  private close(name: string): void {
    const waiting = this.flattened.get(name) ?? 0;
    if (waiting > 0) {
      this.flattened.set(name, waiting - 1);
      return;
    }
    if (name === "br") this.top.childNodes.push(new ElementNode("br", new Map(), this.top));
    if (name === "body" || name === "html" || voids.has(name)) return;
    if (headings.has(name)) this.closeHeading();
    else if (formatting.has(name)) this.closeFormatting(name);
    else this.closeInScope(name, tableParts.has(name) ? tableOnly : tableParts);
  }

  private closeHeading(): void {
    const at = this.lastIndex(open => headings.has(open.name) || tableParts.has(open.name));
    if (at > 0 && headings.has(this.stack[at]?.name ?? "")) this.popTo(at);
  }

  /** An inline element closed over open blocks leaves them open, as the adoption agency algorithm does. */
  private closeFormatting(name: string): void {
    let crossedBlock = false;
    for (let at = this.stack.length - 1; at > 0; at--) {
      const open = this.stack[at];
      if (open === undefined || tableParts.has(open.name)) return;
      if (open.name === name) {
        if (crossedBlock) this.stack.splice(at, 1);
        else this.popTo(at);
        return;
      }
      crossedBlock ||= !formatting.has(open.name);
    }
  }

  private closeInScope(name: string, stops: ReadonlySet<string>): void {
    this.closeEither(name, name, stops);
  }

  private closeEither(name: string, other: string, stops: ReadonlySet<string>): void {
    for (let at = this.stack.length - 1; at > 0; at--) {
      const open = this.stack[at]?.name ?? "";
      const isMatch = open === name || open === other;
      if (isMatch) this.popTo(at);
      if (isMatch || stops.has(open)) return;
    }
  }

  private lastIndex(test: (element: ElementNode) => boolean): number {
    return this.stack.findLastIndex(test);
  }

  private popTo(length: number): void {
    for (let at = length; at < this.stack.length; at++) {
      const name = this.stack[at]?.name;
      if (name === "p") this.openParagraphs--;
      if (name === "pre" || name === "textarea") this.preDepth--;
    }
    this.stack.length = Math.max(1, length);
    this.top = this.stack[this.stack.length - 1] ?? this.root;
    // What was flattened below has ended with its ancestor.
    if (this.flattened.size > 0) this.flattened.clear();
  }

  private flush(): void {
    if (this.text === "") return;
    const text = this.preDepth > 0 ? this.text.replaceAll("\r\n", "\n") : collapse(this.text);
    this.text = "";
    if (this.top.name === "head" && text.trim() !== "") this.popTo(this.stack.length - 1);
    this.top.childNodes.push(new TextNode(text, this.top));
  }
}

const tableOnly: ReadonlySet<string> = new Set(["table"]);
