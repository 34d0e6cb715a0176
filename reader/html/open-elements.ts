import { type ElementNode, type PageNode, trait, traitsOf } from "./tree.ts";

/** Elements nested deeper than this are opened at this depth instead, so that no walk of the tree overflows. */
export const maxDepth = 200;

const itemStops = trait.tablePart | trait.list;
const cellHolders = trait.rowParent | trait.row;

/**
 * The stack of open elements of the HTML standard's tree construction, with the rules that pages depend on. An element
 * gets its children when it is closed, as a list without spare capacity.
 */
export class OpenElements {
  private readonly elements: ElementNode[] = [];
  private readonly traits: number[] = [];
  /** Depth in the tree, which is more than the place on the stack where formatting ended over open blocks. */
  private readonly depths: number[] = [];
  /** The children so far, and how many they are: the lists are used again. */
  private readonly children: PageNode[][] = [];
  private readonly counts: number[] = [];
  private last = -1;
  private openParagraphs = 0;
  private preDepth = 0;
  /** Elements that were not pushed because the tree is as deep as it may be: how many of each name. */
  private readonly flattened = new Map<string, number>();

  constructor(root: ElementNode) {
    this.open(root, 0, 0);
  }

  get top(): ElementNode {
    return this.elements[this.last]!;
  }

  get isPreformatted(): boolean {
    return this.preDepth > 0;
  }

  /** Whether what is written here is not in the body yet. */
  get isBeforeBody(): boolean {
    const { name } = this.top;
    return name === "head" || name === "html";
  }

  find(name: string): ElementNode | undefined {
    const { elements } = this;
    for (let at = 0; at <= this.last; at++) if (elements[at]!.name === name) return elements[at];
    return undefined;
  }

  /** Adds a child to the last element. */
  add(node: PageNode): void {
    const { last } = this;
    this.children[last]![this.counts[last]!++] = node;
  }

  push(element: ElementNode, traits: number): void {
    const depth = this.depths[this.last]! + 1;
    if (depth >= maxDepth) {
      const { name } = element;
      this.flattened.set(name, (this.flattened.get(name) ?? 0) + 1);
      return;
    }
    this.open(element, traits, depth);
    if (element.name === "p") this.openParagraphs++;
    if ((traits & trait.preformatted) !== 0) this.preDepth++;
  }

  /** Gives all elements their children. */
  end(): void {
    for (let at = this.last; at >= 0; at--) this.fill(at);
  }

  /** Text and elements of the body end an open head. */
  leaveHead(): void {
    if (this.top.name === "head") this.popTo(this.last);
  }

  /** Closes what the start of an element ends. */
  implyEndTags(name: string, traits: number): void {
    if ((traits & trait.headOnly) === 0) this.leaveHead();
    if (this.openParagraphs > 0 && (traits & (trait.block | trait.inParagraph)) === trait.block)
      this.closeInScope("p", trait.tablePart);
    if ((traits & trait.ending) === 0) return;
    if (name === "li") this.closeItem("li", "li");
    else if (name === "dd" || name === "dt") this.closeItem("dd", "dt");
    else if (name === "option" || name === "optgroup") this.closeOptions(name);
    else if (name === "table") this.closeTableAround();
    else if ((traits & trait.tablePart) !== 0) this.closeTableParts(traits);
    else if (name === "a") this.closeOpenLink();
    else if ((this.traits[this.last]! & trait.heading) !== 0) this.popTo(this.last);
  }

  /** Whether a paragraph is open in what an end tag can close. */
  get hasParagraph(): boolean {
    if (this.openParagraphs === 0) return false;
    return this.nameAt(this.lastOf("p", trait.tablePart)) === "p";
  }

  /** Whether the start tag may open an element here: parts of a table, only in a table; a form, not in a form. */
  admits(name: string, traits: number): boolean {
    if (name === "form") return this.find("form") === undefined;
    return (traits & (trait.table | trait.tablePart)) !== trait.tablePart || this.find("table") !== undefined;
  }

  /** Whether the body has to begin before this: what is not for the head is never directly in `html`. */
  lacksBody(traits: number): boolean {
    return this.top.name === "html" && (traits & (trait.headOnly | trait.outer)) === 0;
  }

  /** Whether a row has to begin before this cell. */
  lacksRow(traits: number): boolean {
    return (traits & trait.cell) !== 0 && (this.traits[this.last]! & trait.rowParent) !== 0;
  }

  /** An end tag. Ignores one that closes nothing. */
  close(name: string): void {
    const waiting = this.flattened.size === 0 ? 0 : (this.flattened.get(name) ?? 0);
    if (waiting > 0) {
      this.flattened.set(name, waiting - 1);
      return;
    }
    const traits = traitsOf(name);
    if (name === "body" || name === "html") return;
    if ((traits & trait.heading) !== 0) this.closeHeading();
    else if ((traits & trait.formatting) !== 0 || name === "form") this.closeAcross(name);
    else if ((traits & trait.tablePart) !== 0) this.closeInScope(name, trait.table);
    else this.closeInScope(name, name === "li" ? itemStops : trait.tablePart);
  }

  private open(element: ElementNode, traits: number, depth: number): void {
    const at = ++this.last;
    this.elements[at] = element;
    this.traits[at] = traits;
    this.depths[at] = depth;
    this.children[at] ??= [];
    this.counts[at] = 0;
  }

  private fill(at: number): void {
    if (this.counts[at]! > 0) this.elements[at]!.childNodes = this.children[at]!.slice(0, this.counts[at]);
  }

  private nameAt(at: number): string {
    return at < 0 ? "" : this.elements[at]!.name;
  }

  /** The last place with that name or one of the traits; -1 where there is none. */
  private lastOf(name: string, traits: number): number {
    let at = this.last;
    while (at >= 0 && this.elements[at]!.name !== name && (this.traits[at]! & traits) === 0) at--;
    return at;
  }

  private closeOptions(name: string): void {
    if (this.top.name === "option") this.popTo(this.last);
    if (name === "optgroup" && this.top.name === "optgroup") this.popTo(this.last);
  }

  /** A part of a table ends all that is open in the table, up to what it may be in. */
  private closeTableParts(traits: number): void {
    const isCell = (traits & trait.cell) !== 0;
    const isRow = (traits & trait.row) !== 0;
    const holder = this.lastOf("", isCell ? cellHolders : isRow ? trait.rowParent : trait.table);
    if (holder > 0) this.popTo(holder + 1);
  }

  /** A table directly in another, in none of its cells, ends it. */
  private closeTableAround(): void {
    const part = this.lastOf("", trait.tablePart);
    if (part >= 0 && (this.traits[part]! & cellHolders) !== 0) this.popTo(this.lastOf("", trait.table));
  }

  /** An item ends the one before it, unless a block holds the new one. */
  private closeItem(name: string, other: string): void {
    for (let at = this.last; at > 0; at--) {
      const open = this.elements[at]!.name;
      if (open === name || open === other) {
        this.popTo(at);
        return;
      }
      if ((this.traits[at]! & (trait.block | trait.transparent)) === trait.block) return;
    }
  }

  /** A link inside a link ends the outer one, unless blocks were opened in between. */
  private closeOpenLink(): void {
    let at = this.last;
    while (at >= 0 && this.elements[at]!.name !== "a" && (this.traits[at]! & trait.formatting) !== 0) at--;
    if (this.nameAt(at) === "a") this.popTo(at);
  }

  private closeHeading(): void {
    const at = this.lastOf("", trait.heading | trait.tablePart);
    if (at >= 0 && (this.traits[at]! & trait.heading) !== 0) this.popTo(at);
  }

  /** An inline element or a form closed over open blocks leaves them open, as the adoption agency algorithm does. */
  private closeAcross(name: string): void {
    const at = this.lastOf(name, trait.tablePart);
    if (at <= 0 || this.elements[at]!.name !== name) return;
    for (let above = at + 1; above <= this.last; above++)
      if ((this.traits[above]! & trait.formatting) === 0) {
        this.takeOut(at);
        return;
      }
    this.popTo(at);
  }

  private closeInScope(name: string, stops: number): void {
    const at = this.lastOf(name, stops);
    if (at > 0 && this.elements[at]!.name === name) this.popTo(at);
  }

  /** Closes one element and leaves those in it open. */
  private takeOut(at: number): void {
    this.fill(at);
    for (const list of [this.elements, this.traits, this.depths, this.children, this.counts])
      list.splice(at, 1);
    this.last--;
  }

  private popTo(length: number): void {
    for (let at = this.last; at >= length; at--) {
      this.fill(at);
      if (this.elements[at]!.name === "p") this.openParagraphs--;
      if ((this.traits[at]! & trait.preformatted) !== 0) this.preDepth--;
    }
    this.last = length - 1;
    // What was flattened below has ended with its ancestor.
    if (this.flattened.size > 0) this.flattened.clear();
  }
}
