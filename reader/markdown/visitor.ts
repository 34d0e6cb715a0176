import type { NodeHtmlMarkdown } from "node-html-markdown";
import type { NodeMetadata } from "node-html-markdown/dist/visitor.js";
import type { ElementNode, PageNode } from "../html/tree.ts";

/** The parts of the library's visitor that are replaced or called here. Its constructor starts at once, so it is not run. */
export interface VisitorParts {
  instance: NodeHtmlMarkdown;
  options: NodeHtmlMarkdown["options"];
  nodeMetadata: Map<ElementNode, NodeMetadata>;
  urlDefinitions: string[];
  visitNode(node: PageNode, textOnly?: boolean, metadata?: NodeMetadata): void;
}

/** A conversion: the library's visitor with a chunked buffer, and the state that translators share. */
export interface MarkdownVisitor extends VisitorParts {
  result: OutputBuffer;
  /** How many links and table cells are open. */
  linkDepth: number;
  cellDepth: number;
  cells: Map<ElementNode, string>;
  /** The character before `content`, which was written last. */
  before(content: string): string;
  /** A line break inside a paragraph; a second one in a row ends the paragraph. */
  hardBreak(): string;
  /** Ends the line, with as many newlines as are missing. */
  appendNewlines(count: number): void;
  /** The number of an item in its ordered list. */
  numberOf(item: ElementNode): number;
}

const statsWindow = 10;

/**
 * The output so far, as a list of pieces. Replaces the string `result.text` of the visitor of node-html-markdown, which
 * is flattened and cut for every element and so takes time in the square of the page. Here an element's content is
 * joined once, when its translator asks for it.
 */
export class OutputBuffer {
  /** Total characters copied by joins: the work that grows with the page. */
  copied = 0;
  length = 0;
  private readonly pieces: string[] = [];

  /** The visitor reads and replaces `result.text`; it is this object itself. */
  get text(): this {
    return this;
  }

  /** White space and line ends among the last ten characters, as the visitor counts them. */
  get trailingNewlineStats(): { whitespace: number; newLines: number } {
    const tail = this.tail(statsWindow);
    let at = tail.length;
    let newLines = 0;
    while (at > 0 && isWhite(tail.charCodeAt(at - 1))) {
      if (tail.charCodeAt(at - 1) === 10) newLines++;
      at--;
    }
    return { whitespace: tail.length - at, newLines };
  }

  /** The code of the last character; -1 where there is none. */
  get lastCode(): number {
    const last = this.pieces[this.pieces.length - 1];
    return last === undefined ? -1 : last.charCodeAt(last.length - 1);
  }

  /** Whether the next character begins a line or follows white space. */
  get endsInWhitespace(): boolean {
    return this.length === 0 || isWhite(this.lastCode);
  }

  append(piece: string): void {
    if (piece === "") return;
    this.pieces.push(piece);
    this.length += piece.length;
  }

  /** Everything from `start` on; named as the visitor calls it. */
  substr(start: number): string {
    let from = this.pieces.length;
    let at = this.length;
    while (from > 0 && at > start) at -= this.pieces[--from]?.length ?? 0;
    const text = this.pieces
      .slice(from)
      .join("")
      .slice(start - at);
    this.copied += text.length;
    return text;
  }

  cut(length: number): void {
    while (this.length > length) {
      const piece = this.pieces.pop() ?? "";
      this.length -= piece.length;
      if (this.length < length) this.append(piece.slice(0, length - this.length));
    }
  }

  /** The character before `position`, or the empty string at the beginning. Looks back from the end. */
  charBefore(position: number): string {
    let at = this.length;
    for (let index = this.pieces.length - 1; index >= 0; index--) {
      const piece = this.pieces[index] ?? "";
      at -= piece.length;
      if (at < position) return piece[position - at - 1] ?? "";
    }
    return "";
  }

  endsWith(ending: string): boolean {
    return this.tail(ending.length) === ending;
  }

  private tail(length: number): string {
    const last = this.pieces[this.pieces.length - 1] ?? "";
    if (last.length >= length) return last.slice(-length);
    let tail = "";
    for (let index = this.pieces.length - 1; index >= 0 && tail.length < length; index--) {
      tail = (this.pieces[index] ?? "").slice(-length) + tail;
    }
    return tail.slice(-length);
  }
}

function isWhite(code: number): boolean {
  if (code === 32 || (code >= 9 && code <= 13)) return true;
  return code > 127 && /\s/.test(String.fromCharCode(code));
}
