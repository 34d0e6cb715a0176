import { ForeignContent } from "./foreign-content.ts";
import { readTokens, type TextForm, type TokenSink } from "./html-tokens.ts";
import { OpenElements } from "./open-elements.ts";
import { collapse } from "./plain-text.ts";
import { noAttributes, withLineFeeds } from "./tag-scanner.ts";
import { DocumentNode, ElementNode, TextNode, trait, traitsOf } from "./tree.ts";
import { keepsSpaces } from "./verbatim.ts";

/**
 * Parses a page once, into the tree that everything else reads. Its tokens are those of the HTML standard; of the
 * standard's tree construction, the rules that pages depend on hold (implied end tags, scopes of tables and lists,
 * misnested formatting, foreign content). Scripts, styles, comments and drawings are left out; JSON-LD is kept beside the
 * tree, a formula's TeX in it as `tex`, a declarative shadow root as its `template`. Never throws on any input. Time is linear in the page.
 */
export function parseHtml(html: string, how: ParseOptions = {}): DocumentNode {
  const isXml = /^\s*<\?xml/.test(html.slice(0, 200));
  const builder = new TreeBuilder(isXml, how.withDrawings === true);
  readTokens(html, builder, { isXml });
  return builder.end();
}

export interface ParseOptions {
  /** Keeps drawings as `svg` elements with the texts that they show. */
  withDrawings?: boolean;
}

/** Elements of a drawing whose text is shown, or names what is drawn. */
const drawnTexts = new Set(["text", "tspan", "textpath", "title"]);

/** Old names of elements. */
const modern = new Map([
  ["image", "img"],
  ["xmp", "pre"],
  ["listing", "pre"],
  ["plaintext", "pre"],
]);

/** Receives tokens and builds the tree. */
class TreeBuilder implements TokenSink {
  private readonly root = new DocumentNode();
  private readonly open = new OpenElements(this.root);
  private readonly foreign = new ForeignContent();
  private readonly isXml: boolean;
  private readonly withDrawings: boolean;
  /** The drawing that is open, and how many elements of it whose text is shown. */
  private drawing: ElementNode | undefined;
  private drawnTextDepth = 0;
  private isInDrawing = false;
  private newest: ElementNode | undefined;
  private pending = "";
  private pendingForm: TextForm = "any";
  /** The element whose content is skipped, and how many of its name are open in it. */
  private leftOut = "";
  private leftOutDepth = 0;
  private foreignDepth = 0;
  /** The text of the JSON-LD script that is being skipped. */
  private linkedData: string | undefined;
  /** What keeps the text of the TeX script that is being skipped. */
  private formula: ElementNode | undefined;

  constructor(isXml: boolean, withDrawings: boolean) {
    this.isXml = isXml;
    this.withDrawings = withDrawings;
  }

  /** The tree, after all tokens. */
  end(): DocumentNode {
    this.flush();
    this.keepLinkedData();
    this.open.end();
    return this.root;
  }

  isForeign(): boolean {
    return this.foreign.isForeign;
  }

  /** Inside what is left out, only data and formulas are kept. */
  isSkipping(): boolean {
    return this.leftOut !== "" && this.linkedData === undefined && this.formula === undefined;
  }

  text(text: string, form: TextForm): void {
    if (this.linkedData !== undefined) this.linkedData += text;
    else if (this.formula !== undefined) this.formula.childNodes.push(new TextNode(text, this.formula));
    else if (this.leftOut === "" && this.foreign.isDrawing) this.drawText(text);
    else if (this.leftOut === "") {
      this.pendingForm = this.pending === "" ? form : "any";
      this.pending += form === "blank" && this.open.isPreformatted ? withLineFeeds(text) : text;
    }
  }

  startTag(name: string, attributes: Map<string, string>, isSelfClosing: boolean): boolean {
    const isForeign = this.openForeign(name, attributes, isSelfClosing);
    const closesItself = isSelfClosing && (isForeign || this.isXml);
    if (this.leftOut !== "") {
      if (name === this.leftOut && !closesItself) this.leftOutDepth++;
    } else if (name !== "svg" && !this.foreign.isDrawing) this.startElement(name, attributes, closesItself);
    else if (this.withDrawings) this.draw(name, attributes, isSelfClosing);
    else if (name === "svg" && attributes.get("role") === "img" && attributes.has("aria-label"))
      this.startElement("span", attributes, true);
    return !isForeign;
  }

  /** A drawing is an element without others; in it, only texts are taken. */
  private draw(name: string, attributes: Map<string, string>, isSelfClosing: boolean): void {
    if (name === "svg" && !this.isInDrawing) {
      this.startElement(name, attributes, true);
      this.drawing = this.newest;
      this.isInDrawing = !isSelfClosing;
      this.drawnTextDepth = 0;
    } else if (drawnTexts.has(name) && !isSelfClosing) this.drawnTextDepth++;
  }

  private drawText(text: string): void {
    if (this.drawing !== undefined && this.drawnTextDepth > 0)
      this.drawing.childNodes.push(new TextNode(collapse(text), this.drawing));
  }

  private endDrawn(name: string): void {
    if (!this.foreign.isDrawing) this.isInDrawing = false;
    if (!drawnTexts.has(name) || this.drawnTextDepth === 0) return;
    this.drawnTextDepth--;
    this.drawing?.childNodes.push(new TextNode(" ", this.drawing));
  }

  private openForeign(name: string, attributes: Map<string, string>, isSelfClosing: boolean): boolean {
    const { foreign } = this;
    if (foreign.depth === 0 && name !== "svg" && name !== "math") return false;
    if (foreign.breakOut(name, attributes)) this.closeElement("math");
    return foreign.open(name, attributes, isSelfClosing);
  }

  endTag(name: string): void {
    const isDrawn = this.foreign.isDrawing;
    const isForeign =
      this.foreign.depth > 0 && this.foreign.close(name, outer => this.open.find(outer) !== undefined);
    if (isDrawn && this.withDrawings) this.endDrawn(name);
    if (this.leftOut === "iframe" && name === "noscript") this.takeIn();
    if (this.leftOut !== "") {
      if (name === this.leftOut && --this.leftOutDepth === 0) this.takeIn();
    } else if (!isDrawn || !isForeign) this.closeElement(name);
  }

  private startElement(given: string, attributes: Map<string, string>, closesItself: boolean): void {
    const { open } = this;
    const name = modern.get(given) ?? given;
    const traits = traitsOf(name);
    if ((traits & trait.dropped) !== 0 && !(name === "template" && isShadowRoot(attributes))) {
      if (!closesItself) this.drop(name, attributes);
      return;
    }
    this.flush();
    if (this.isRepeatedFrame(name, attributes)) return;
    if (!open.admits(name, traits)) return;
    open.implyEndTags(name, traits);
    if (open.lacksBody(traits)) open.push(this.append("body", noAttributes), traitsOf("body"));
    if (open.lacksRow(traits)) open.push(this.append("tr", noAttributes), traitsOf("tr"));
    const element = this.append(name, attributes);
    if ((traits & trait.void) !== 0 || closesItself) return;
    if (name === "iframe") this.leaveOut(name);
    else open.push(element, keepsSpaces(name, attributes) ? traits | trait.preformatted : traits);
  }

  /** Leaves out an element that is not in the tree. */
  private drop(name: string, attributes: Map<string, string>): void {
    if (name === "script" && isTex(attributes)) {
      this.flush();
      this.formula = this.append("tex", attributes);
    }
    this.leaveOut(name);
    if (name === "script" && isLinkedData(attributes)) this.linkedData = "";
  }

  private closeElement(name: string): void {
    this.flush();
    if (name === "br" || (name === "p" && !this.open.hasParagraph)) this.append(name, noAttributes);
    else this.open.close(modern.get(name) ?? name);
  }

  private append(name: string, attributes: Map<string, string>): ElementNode {
    const element = new ElementNode(name, attributes, this.open.top);
    this.open.add(element);
    this.newest = element;
    if (name === "base" && attributes.has("href")) this.root.base ??= element;
    return element;
  }

  private leaveOut(name: string): void {
    this.leftOut = name;
    this.leftOutDepth = 1;
    this.foreignDepth = this.foreign.depth;
  }

  /** Elements that were not closed in the skipped part end with it. */
  private takeIn(): void {
    this.leftOut = "";
    this.formula = undefined;
    this.keepLinkedData();
    this.foreign.cutTo(this.foreignDepth);
  }

  private keepLinkedData(): void {
    if (this.linkedData !== undefined) this.root.linkedData.push(this.linkedData);
    this.linkedData = undefined;
  }

  /** A second `html` or `body` only adds attributes to the first. */
  private isRepeatedFrame(name: string, attributes: Map<string, string>): boolean {
    const first = name === "html" || name === "body" ? this.open.find(name) : undefined;
    if (first?.attributes === noAttributes) first.attributes = attributes;
    else if (first !== undefined)
      for (const [key, value] of attributes) if (!first.attributes.has(key)) first.attributes.set(key, value);
    return first !== undefined;
  }

  private flush(): void {
    if (this.pending === "") return;
    const { open, pending, pendingForm } = this;
    const isBlank = pendingForm === "blank" || (pendingForm === "any" && isWhite(pending));
    const isKept = open.isPreformatted || pendingForm === "even";
    const text = isKept ? pending : isBlank ? " " : collapse(pending);
    this.pending = "";
    if (!isBlank && open.isBeforeBody && text.trim() !== "") {
      open.leaveHead();
      if (open.lacksBody(0)) open.push(this.append("body", noAttributes), traitsOf("body"));
    }
    open.add(new TextNode(text, open.top));
  }
}

function isLinkedData(attributes: Map<string, string>): boolean {
  return /^\s*application\/ld\+json\s*(?:;|$)/i.test(attributes.get("type") ?? "");
}

function isTex(attributes: Map<string, string>): boolean {
  return /^\s*math\/tex\s*(?:;|$)/i.test(attributes.get("type") ?? "");
}

/** Such a template is the shadow tree of the element that holds it. */
function isShadowRoot(attributes: Map<string, string>): boolean {
  return attributes.has("shadowrootmode") || attributes.has("shadowroot");
}

/** Whether a text is nothing but white space of HTML, which has no no-break spaces. */
function isWhite(text: string): boolean {
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code !== 32 && (code < 9 || code > 13 || code === 11)) return false;
  }
  return true;
}
