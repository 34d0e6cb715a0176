import { type ElementNode, isText, type PageNode, type TextNode } from "../html/tree.ts";
import { escapeText, followingCharacter } from "./escape-text.ts";
import { OutputBuffer } from "./output-buffer.ts";
import { type MarkdownWriter, type Written, writtenAs } from "./translators.ts";

/**
 * Writes a tree as GitHub Flavored Markdown (GFM 0.29). Writes URLs unchanged: they are absolute after
 * `cleanTree`. Changes nothing in the tree. Time is linear in the page.
 */
export function toMarkdown(root: ElementNode): string {
  const result = visit(root);
  return result.substr(0).replace(/^\n+/, "").trimEnd();
}

/** Writes a tree and returns its buffer. */
export function visit(root: ElementNode): OutputBuffer {
  const writer = new Writer();
  writer.visit(root);
  return writer.result;
}

const [lineFeed, space] = [10, 32];
/** Stands for an open element none of whose children was visited. */
const notYet = -1;

/** Writes a tree; used once. */
class Writer implements MarkdownWriter {
  readonly result = new OutputBuffer();
  linkDepth = 0;
  cellDepth = 0;
  readonly cells = new Map<ElementNode, string>();
  /**
   * Where the content of each open element starts, from when its first child is visited: its content is taken from there
   * on, so nothing before may be cut any more.
   */
  private readonly starts: number[] = [];
  private readonly numbers = new Map<ElementNode, number>();

  visit(node: PageNode): void {
    const { result, starts } = this;
    const last = starts.length - 1;
    if (last >= 0 && starts[last] === notYet) starts[last] = result.length;
    if (!isText(node)) {
      starts.push(notYet);
      this.element(node);
      starts.pop();
    } else if (!node.isWhitespace) this.text(node);
    else if (!result.endsInWhitespace) result.append(" ");
  }

  before(content: string): string {
    return this.result.charBefore(this.result.length - content.length);
  }

  hardBreak(): string {
    const { result } = this;
    if (result.length === 0 || result.endsWith("\n\n")) return "";
    if (!result.endsWith("\n")) return "  \n";
    this.endLine(2);
    return "";
  }

  numberOf(item: ElementNode): number {
    const list = item.parentNode;
    if (list === null || list.name !== "ol") return 0;
    const number = numberIn(item, "value") ?? this.numbers.get(list) ?? numberIn(list, "start") ?? 1;
    this.numbers.set(list, number + 1);
    return number;
  }

  /** Spaces at a paragraph's end mean nothing, and two of them would be a line break. */
  endLine(count: number): void {
    const { result } = this;
    if (result.length === 0) return;
    const ending = result.lastCode === space ? 1 : result.endsWith("  \n") ? 3 : 0;
    if (ending > 0 && result.length - ending >= this.floor()) result.cut(result.length - ending);
    const missing = count - result.lineEnds;
    if (missing > 0) result.append("\n".repeat(missing));
  }

  /** Up to where nothing may be cut. */
  private floor(): number {
    return this.starts.findLast(start => start !== notYet) ?? 0;
  }

  private text(node: TextNode): void {
    const { result } = this;
    const { text } = node;
    const last = result.lastCode;
    const isLineStart = result.length === 0 || last === lineFeed;
    const body = (isLineStart || last === space) && text.startsWith(" ") ? text.slice(1) : text;
    const next = () => followingCharacter(node);
    result.append(escapeText(body, { isLineStart, isInLink: this.linkDepth > 0, next }));
  }

  private element(element: ElementNode): void {
    const { gap = 0, content, finish, isLeftOut }: Written = writtenAs(element, this);
    if (isLeftOut === true) return;
    const { result } = this;
    const outerStart = result.length;
    if (gap > 0) this.endLine(gap);
    if (content !== undefined) result.append(content);
    else {
      const start = result.length;
      for (const child of element.childNodes) this.visit(child);
      if (finish !== undefined) {
        const written = finish(element, result.substr(start), this);
        result.cut(written === null ? outerStart : start);
        if (written === null) return;
        result.append(written);
      }
    }
    if (gap > 0) this.endLine(gap);
  }
}

/** A number that an attribute states, if GFM has it too. */
function numberIn(element: ElementNode, attribute: string): number | undefined {
  const value = Number.parseInt(element.getAttribute(attribute), 10);
  return value >= 0 && value <= 999_999_999 ? value : undefined;
}
