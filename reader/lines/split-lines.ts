import {
  type ElementNode,
  isBlock,
  isElement,
  isText,
  ElementNode as Node,
  type PageNode,
} from "../html/tree.ts";
import { toMarkdown } from "../markdown/to-markdown.ts";
import { isMade, type Made } from "./show-controls.ts";

/** A line of a cleaned page, and the element that holds it. */
export interface RawLine {
  text: string;
  holder: ElementNode;
  /** Its place among the lines of that element. */
  index: number;
  isControl: boolean;
}

/** Lines of a page, and their characters, at most. */
const [maxLines, maxChars] = [20_000, 4 * 1024 * 1024];

/** All lines of a cleaned body, in document order: blocks of text, items, rows, pictures. Each is Markdown of one line. */
export function splitLines(body: ElementNode, made: Made): RawLine[] {
  const splitter = new Splitter(made);
  splitter.split(body, body);
  return splitter.lines;
}

/** What is written before a line: the mark of a quote, or that of an item before its first line. */
interface Mark {
  text: string;
  isOnce: boolean;
}

class Splitter {
  readonly lines: RawLine[] = [];
  private readonly made: Made;
  private chars = 0;
  private readonly marks: Mark[] = [];
  private readonly counts = new Map<ElementNode, number>();
  private readonly splits = new Map<ElementNode, boolean>();

  constructor(made: Made) {
    this.made = made;
  }

  /** Splits `at`, which is `holder` or an inline element in it that holds blocks. */
  split(at: ElementNode, holder: ElementNode): void {
    let run: PageNode[] = [];
    let number = startOf(at);
    for (const child of at.childNodes) {
      if (this.lines.length >= maxLines || this.chars >= maxChars) return;
      if (isText(child) || !this.isSplit(child)) {
        run.push(child);
        continue;
      }
      this.add(run, holder);
      run = [];
      if (wholes.has(child.name)) this.addWhole(child);
      else {
        const mark = markOf(child, number);
        if (child.name === "li") number++;
        if (mark !== undefined) this.marks.push(mark);
        this.split(child, isBlock(child.name) ? child : holder);
        if (mark !== undefined) this.marks.pop();
      }
    }
    this.add(run, holder);
  }

  private isSplit(element: ElementNode): boolean {
    if (isBlock(element.name) || wholes.has(element.name)) return true;
    if (element.childNodes.length === 0) return false;
    let splits = this.splits.get(element);
    if (splits === undefined) {
      splits = element.childNodes.some(child => isElement(child) && this.isSplit(child));
      this.splits.set(element, splits);
    }
    return splits;
  }

  /** A run of text in an element. */
  private add(run: PageNode[], holder: ElementNode): void {
    if (run.every(node => isText(node) && node.isWhitespace)) return;
    const isControl = this.made.has(holder) || run.every(node => isMade(node, this.made));
    this.write(written(run), { holder, affixes: affixesOf(holder), isControl });
  }

  /** A table or a code, of which each row is a line. */
  private addWhole(element: ElementNode): void {
    this.write(written([element]), { holder: element, affixes: plain, isControl: false });
  }

  private write(markdown: string, { holder, affixes: [before, after], isControl }: Written): void {
    for (const each of markdown.split("\n")) {
      const line = each.replace(/\p{Cc}/gu, " ").trim();
      if (line === "" || /^[-=*_#>|:\s]*$/.test(line)) continue;
      const text = `${this.mark()}${before}${line.replace(/ {2,}/g, " ")}${after}`;
      const index = this.counts.get(holder) ?? 0;
      this.counts.set(holder, index + 1);
      this.lines.push({ text, holder, index, isControl });
      this.chars += text.length;
    }
  }

  private mark(): string {
    let text = "";
    for (const mark of this.marks) {
      text += mark.text;
      if (mark.isOnce) mark.text = "";
    }
    return text;
  }
}

interface Written {
  holder: ElementNode;
  affixes: Affixes;
  isControl: boolean;
}

/** What is written as a whole, since its parts are read together. */
const wholes = new Set(["table", "pre", "footnote"]);

function startOf({ name, attributes }: ElementNode): number {
  const start = name === "ol" ? Number.parseInt(attributes.get("start") ?? "", 10) : 1;
  return start >= 0 ? start : 1;
}

function markOf(element: ElementNode, number: number): Mark | undefined {
  const { name, parentNode } = element;
  if (name === "blockquote") return { text: "> ", isOnce: false };
  if (name === "dd") return { text: "- ", isOnce: true };
  if (name !== "li") return undefined;
  const marker = parentNode?.name === "ol" ? `${numberOf(element) ?? number}.` : "-";
  return { text: `${marker} ${taskOf(element)}`, isOnce: true };
}

function numberOf({ attributes }: ElementNode): number | undefined {
  const value = Number.parseInt(attributes.get("value") ?? "", 10);
  return value >= 0 ? value : undefined;
}

/** The box of a task. */
function taskOf(item: ElementNode): string {
  const box = boxIn(item, 0);
  if (box === undefined) return "";
  return box.attributes.has("checked") ? "[x] " : "[ ] ";
}

function boxIn(element: ElementNode, depth: number): ElementNode | undefined {
  for (const child of element.childNodes) {
    if (!isElement(child) || child.name === "ul" || child.name === "ol") continue;
    if (child.name === "input")
      return child.getAttribute("type").toLowerCase() === "checkbox" ? child : undefined;
    const box = depth < 3 ? boxIn(child, depth + 1) : undefined;
    if (box !== undefined) return box;
  }
  return undefined;
}

type Affixes = readonly [before: string, after: string];
const plain: Affixes = ["", ""];
const terms: Affixes = ["**", "**"];
const headings = new Map<string, Affixes>(
  [1, 2, 3, 4, 5, 6].map(level => [`h${level}`, [`${"#".repeat(level)} `, ""]]),
);

function affixesOf(holder: ElementNode): Affixes {
  for (let at: ElementNode | null = holder; at !== null; at = at.parentNode) {
    const affixes = headings.get(at.name);
    if (affixes !== undefined) return affixes;
    if (at.name === "dt" || at.name === "summary") return isBold(at) ? plain : terms;
    if (at.name !== "div" && at.name !== "p" && at.name !== "section") return plain;
    if (at !== holder && at.childNodes.length > 1) return plain;
  }
  return plain;
}

function isBold({ childNodes }: ElementNode): boolean {
  return childNodes.some(child => isElement(child) && (child.name === "strong" || child.name === "b"));
}

/** Nodes as Markdown. They stay where they are. */
function written(nodes: PageNode[]): string {
  const holder = new Node("div", new Map(), null);
  holder.childNodes = nodes;
  return toMarkdown(holder);
}
