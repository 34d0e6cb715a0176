import { isBlock } from "./element-kinds.ts";
import type { ElementNode } from "./tree.ts";

/** Elements nested deeper than this are opened at this depth instead, so that no walk of the tree overflows. */
export const maxDepth = 200;

const headOnly = new Set("title meta link base script style noscript template basefont bgsound".split(" "));
const formatting = new Set(
  "a b big code em font i nobr s small strike strong tt u span del ins sub sup mark".split(" "),
);
const media = new Set(["video", "audio", "iframe"]);
const cells = new Set(["td", "th"]);
const tableParts = new Set("table tbody thead tfoot tr td th caption colgroup".split(" "));
const headings = new Set(["h1", "h2", "h3", "h4", "h5", "h6"]);
const listStops = new Set(["ul", "ol", "menu", "table", "td", "th", "blockquote", "dl"]);
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
    if (this.openParagraphs > 0 && isBlock(name) && !media.has(name)) this.closeInScope("p", tableParts);
    if (name === "li") this.closeInScope("li", listStops);
    else if (name === "dd" || name === "dt") this.closeEither("dd", "dt", listStops);
    else if (name === "option" || name === "optgroup") this.closeOptions(name);
    else if (tableParts.has(name)) this.closeTableParts(name);
    else if (headings.has(name) && headings.has(this.last.name)) this.pop();
    else if (name === "a") this.closeOpenLink();
  }

  /** An end tag. One that closes nothing is left out. */
  close(name: string): void {
    const waiting = this.flattened.get(name) ?? 0;
    if (waiting > 0) this.flattened.set(name, waiting - 1);
    else if (name === "body" || name === "html") return;
    else if (headings.has(name)) this.closeHeading();
    else if (formatting.has(name)) this.closeFormatting(name);
    else this.closeInScope(name, tableParts.has(name) ? tableOnly : tableParts);
  }

  private get last(): OpenElement {
    return this.stack[this.stack.length - 1] as OpenElement;
  }

  private closeOptions(name: string): void {
    if (this.last.name === "option") this.pop();
    if (name === "optgroup" && this.last.name === "optgroup") this.pop();
  }

  private closeTableParts(name: string): void {
    if (name === "table" || name === "caption") return;
    const table = this.stack.findLastIndex(open => open.name === "table");
    if (table < 0) return;
    const ended = this.stack.findIndex((open, at) => at > table && endsBefore(name, open.name));
    if (ended > 0) this.popTo(ended);
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

  /** An inline element closed over open blocks leaves them open, as the adoption agency algorithm does. */
  private closeFormatting(name: string): void {
    const at = this.stack.findLastIndex(open => open.name === name || tableParts.has(open.name));
    if (at <= 0 || this.stack[at]?.name !== name) return;
    const crossesBlock = this.stack.some((open, above) => above > at && !formatting.has(open.name));
    if (crossesBlock) this.stack.splice(at, 1);
    else this.popTo(at);
  }

  private closeInScope(name: string, stops: ReadonlySet<string>): void {
    this.closeEither(name, name, stops);
  }

  private closeEither(name: string, other: string, stops: ReadonlySet<string>): void {
    const isMatch = (open: OpenElement): boolean => open.name === name || open.name === other;
    const at = this.stack.findLastIndex(open => isMatch(open) || stops.has(open.name));
    const found = this.stack[at];
    if (at > 0 && found !== undefined && isMatch(found)) this.popTo(at);
  }

  private pop(): void {
    this.popTo(this.stack.length - 1);
  }

  private popTo(length: number): void {
    for (const { name } of this.stack.slice(length)) {
      if (name === "p") this.openParagraphs--;
      if (preformatted.has(name)) this.preDepth--;
    }
    this.stack.length = Math.max(1, length);
    // What was flattened below has ended with its ancestor.
    if (this.flattened.size > 0) this.flattened.clear();
  }
}

/** Whether a part of a table can only begin after the open one has ended. */
function endsBefore(name: string, open: string): boolean {
  if (open === "caption" || open === "colgroup" || cells.has(open)) return true;
  if (cells.has(name)) return false;
  return name === "tr" ? open === "tr" : open !== "table";
}
