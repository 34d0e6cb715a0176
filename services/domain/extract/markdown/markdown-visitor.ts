import { NodeHtmlMarkdown } from "node-html-markdown";
import type { NodeMetadata } from "node-html-markdown/dist/visitor.js";
import { Visitor } from "node-html-markdown/dist/visitor.js";
import { type ElementNode, isText, type PageNode, type TextNode } from "../tree.ts";
import { escapeText } from "./escape-text.ts";
import { followingCharacter } from "./following-character.ts";
import { OutputBuffer } from "./output-buffer.ts";
import { translators } from "./translators.ts";

/** The parts of the library's visitor that are replaced or called here. Its constructor starts at once, so it is not run. */
interface VisitorParts {
  instance: NodeHtmlMarkdown;
  options: NodeHtmlMarkdown["options"];
  nodeMetadata: Map<ElementNode, NodeMetadata>;
  urlDefinitions: string[];
  optimizeTree(node: ElementNode): void;
  visitNode(node: PageNode, textOnly?: boolean, metadata?: NodeMetadata): void;
}

/** One conversion: the library's visitor with a chunked buffer, and what translators tell one another. */
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

const instance = new NodeHtmlMarkdown();
for (const [names, translator] of Object.entries(translators)) instance.translators.set(names, translator);

/** Runs the library's visitor over a tree; the result is in the buffer that comes back. */
export function visit(root: ElementNode): OutputBuffer {
  const visitor = newVisitor();
  visitor.optimizeTree(root);
  visitor.visitNode(root);
  return visitor.result;
}

function newVisitor(): MarkdownVisitor {
  const result = new OutputBuffer();
  const numbers = new Map<ElementNode, number>();
  let current: TextNode | undefined;
  const parts: Omit<MarkdownVisitor, "optimizeTree" | "visitNode"> & Record<string, unknown> = {
    instance,
    options: instance.options,
    nodeMetadata: new Map(),
    urlDefinitions: [],
    result,
    linkDepth: 0,
    cellDepth: 0,
    cells: new Map(),
    before: content => result.charBefore(result.length - content.length),
    hardBreak: () => {
      if (result.length === 0 || result.endsWith("\n\n")) return "";
      if (result.endsWith("  \n")) result.cut(result.length - 3);
      else if (!result.endsWith("\n")) return "  \n";
      appendNewlines(result, 2);
      return "";
    },
    numberOf: item => {
      const list = item.parentNode;
      if (list === null || list.name !== "ol") return 0;
      const number = numbers.get(list) ?? startOf(list);
      numbers.set(list, number + 1);
      return number;
    },
    appendResult: (piece: string, start?: number) => {
      if (start !== undefined) result.cut(start);
      result.append(piece);
    },
    appendNewlines: (count: number) => appendNewlines(result, count),
    visitNode: function visitNode(
      this: MarkdownVisitor,
      node: PageNode,
      textOnly?: boolean,
      metadata?: NodeMetadata,
    ) {
      if (isText(node)) current = node;
      baseVisitor.visitNode.call(this, node, textOnly, metadata);
    },
    processText: function processText(this: MarkdownVisitor, text: string) {
      const endsInSpace = result.length === 0 || result.endsWith(" ") || result.endsWith("\n");
      const isLineStart = result.length === 0 || result.endsWith("\n");
      const body = endsInSpace && text.startsWith(" ") ? text.slice(1) : text;
      const next = current === undefined ? "" : followingCharacter(current);
      return escapeText(body, { isLineStart, isInLink: this.linkDepth > 0, next });
    },
  };
  return Object.assign(Object.create(Visitor.prototype), parts) as MarkdownVisitor;
}

const baseVisitor = Visitor.prototype as unknown as VisitorParts;

function startOf(list: ElementNode): number {
  const start = Number.parseInt(list.getAttribute("start"), 10);
  return start >= 0 && start <= 999_999_999 ? start : 1;
}

// Spaces at a paragraph's end mean nothing, and two of them would be a line break.
function appendNewlines(result: OutputBuffer, count: number): void {
  if (result.length === 0) return;
  const ending = result.endsWith("  \n") ? 3 : result.endsWith(" ") ? 1 : 0;
  if (ending > 0) result.cut(result.length - ending);
  const missing = count - result.trailingNewlineStats.newLines;
  if (missing > 0) result.append("\n".repeat(missing));
}
