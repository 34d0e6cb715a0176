import { type ElementNode, isBlock } from "./tree.ts";

/** Elements nested deeper than this are opened at this depth instead, so that no walk of the tree overflows. */
export const maxDepth = 200;

const headOnly = new Set("title meta link base script style noscript template basefont bgsound".split(" "));
const outerParts = new Set(["html", "head", "body", "frameset"]);
const formatting = new Set(
  "a b big code em font i nobr s small strike strong tt u span del ins sub sup mark".split(" "),
);
/** Blocks to browsers' style sheets, but not to the rule that a block ends a paragraph. */
const inParagraph = new Set(["video", "audio", "iframe", "legend"]);
const cells = new Set(["td", "th"]);
const tableParts = new Set("table tbody thead tfoot tr td th caption colgroup".split(" "));
const headings = new Set(["h1", "h2", "h3", "h4", "h5", "h6"]);
const transparent = new Set(["address", "div", "p", "dialog", "legend", "video", "audio"]);
const itemStops = new Set([...tableParts, "ul", "ol"]);
const rowParents = new Set(["table", "thead", "tbody", "tfoot"]);
const cellHolders = new Set([...rowParents, "tr"]);
const tableOnly: ReadonlySet<string> = new Set(["table"]);
const preformatted = new Set(["pre", "textarea"]);

interface OpenElement {
  element: ElementNode;
  name: string;
  /** Depth in the tree, which is more than the place on the stack where formatting ended over open blocks. */
  depth: number;
}

/** The stack of open elements of the HTML standard's tree construction, with the rules that pages depend on. */
export class OpenElements {
  private readonly stack: OpenElement[];
  private openParagraphs = 0;
  private preDepth = 0;
  /** Elements that were not pushed because the tree is as deep as it may be: how many of each name. */
  private readonly flattened = new Map<string, number>();

  constructor(root: ElementNode) {
    this.stack = [{ element: root, name: root.name, depth: 0 }];
  }

  get top(): ElementNode {
    return this.last.element;
  }

  get isPreformatted(): boolean {
    return this.preDepth > 0;
  }

  find(name: string): ElementNode | undefined {
    return this.stack.find(open => open.name === name)?.element;
  }

  push(element: ElementNode): void {
    const { name } = element;
    const depth = this.last.depth + 1;
    if (depth >= maxDepth) {
      this.flattened.set(name, (this.flattened.get(name) ?? 0) + 1);
      return;
    }
    this.stack.push({ element, name, depth });
    if (name === "p") this.openParagraphs++;
    if (preformatted.has(name)) this.preDepth++;
  }

  /** Text and elements of the body end an open head. */
  leaveHead(): void {
    if (this.last.name === "head") this.pop();
  }

  /** Closes what the start of an element ends. */
  implyEndTags(name: string): void {
    if (!headOnly.has(name)) this.leaveHead();
    if (this.openParagraphs > 0 && isBlock(name) && !inParagraph.has(name))
      this.closeInScope("p", tableParts);
    if (name === "li") this.closeItem("li", "li");
    else if (name === "dd" || name === "dt") this.closeItem("dd", "dt");
    else if (name === "option" || name === "optgroup") this.closeOptions(name);
    else if (name === "table") this.closeTableAround();
    else if (tableParts.has(name)) this.closeTableParts(name);
    else if (headings.has(name) && headings.has(this.last.name)) this.pop();
    else if (name === "a") this.closeOpenLink();
  }

  /** Whether a paragraph is open in what an end tag can close. */
  get hasParagraph(): boolean {
    if (this.openParagraphs === 0) return false;
    return this.stack.findLast(({ name }) => name === "p" || tableParts.has(name))?.name === "p";
  }

  /** Whether the start tag may open an element here: parts of a table, only in a table; a form, not in a form. */
  admits(name: string): boolean {
    if (name === "form") return this.find("form") === undefined;
    return name === "table" || !tableParts.has(name) || this.find("table") !== undefined;
  }

  /** Whether the body has to begin before this: what is not for the head is never directly in `html`. */
  lacksBody(name: string): boolean {
    return this.last.name === "html" && !headOnly.has(name) && !outerParts.has(name);
  }

  /** Whether a row has to begin before this cell. */
  lacksRow(name: string): boolean {
    return cells.has(name) && rowParents.has(this.last.name);
  }

  /** An end tag. Ignores one that closes nothing. */
  close(name: string): void {
    const waiting = this.flattened.get(name) ?? 0;
    if (waiting > 0) this.flattened.set(name, waiting - 1);
    else if (name === "body" || name === "html") return;
    else if (headings.has(name)) this.closeHeading();
    else if (formatting.has(name) || name === "form") this.closeAcross(name);
    else this.closeInScope(name, tableParts.has(name) ? tableOnly : name === "li" ? itemStops : tableParts);
  }

  private get last(): OpenElement {
    return this.stack[this.stack.length - 1] as OpenElement;
  }

  private closeOptions(name: string): void {
    if (this.last.name === "option") this.pop();
    if (name === "optgroup" && this.last.name === "optgroup") this.pop();
  }

  /** A part of a table ends all that is open in the table, up to what it may be in. */
  private closeTableParts(name: string): void {
    const holders = cells.has(name) ? cellHolders : name === "tr" ? rowParents : tableOnly;
    const holder = this.stack.findLastIndex(open => holders.has(open.name));
    if (holder > 0) this.popTo(holder + 1);
  }

  /** A table directly in another, in none of its cells, ends it. */
  private closeTableAround(): void {
    const part = this.stack.findLast(open => tableParts.has(open.name));
    if (part === undefined || !cellHolders.has(part.name)) return;
    this.popTo(this.stack.findLastIndex(open => open.name === "table"));
  }

  /** An item ends the one before it, unless a block holds the new one. */
  private closeItem(name: string, other: string): void {
    const isMatch = (open: OpenElement): boolean => open.name === name || open.name === other;
    const at = this.stack.findLastIndex(
      open => isMatch(open) || (isBlock(open.name) && !transparent.has(open.name)),
    );
    const found = this.stack[at];
    if (at > 0 && found !== undefined && isMatch(found)) this.popTo(at);
  }

  /** A link inside a link ends the outer one, unless blocks were opened in between. */
  private closeOpenLink(): void {
    const at = this.stack.findLastIndex(open => open.name === "a" || !formatting.has(open.name));
    if (this.stack[at]?.name === "a") this.popTo(at);
  }

  private closeHeading(): void {
    const at = this.stack.findLastIndex(open => headings.has(open.name) || tableParts.has(open.name));
    if (headings.has(this.stack[at]?.name ?? "")) this.popTo(at);
  }

  /** An inline element or a form closed over open blocks leaves them open, as the adoption agency algorithm does. */
  private closeAcross(name: string): void {
    const at = this.stack.findLastIndex(open => open.name === name || tableParts.has(open.name));
    if (at <= 0 || this.stack[at]?.name !== name) return;
    const crossesBlock = this.stack.some((open, above) => above > at && !formatting.has(open.name));
    if (crossesBlock) this.stack.splice(at, 1);
    else this.popTo(at);
  }

  private closeInScope(name: string, stops: ReadonlySet<string>): void {
    const at = this.stack.findLastIndex(open => open.name === name || stops.has(open.name));
    if (at > 0 && this.stack[at]?.name === name) this.popTo(at);
  }

  private pop(): void {
    this.popTo(this.stack.length - 1);
  }

  private popTo(length: number): void {
    for (let at = length; at < this.stack.length; at++) {
      const { name } = this.stack[at] as OpenElement;
      if (name === "p") this.openParagraphs--;
      if (preformatted.has(name)) this.preDepth--;
    }
    this.stack.length = Math.max(1, length);
    // What was flattened below has ended with its ancestor.
    if (this.flattened.size > 0) this.flattened.clear();
  }
}
