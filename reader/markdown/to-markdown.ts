import { NodeHtmlMarkdown } from "node-html-markdown";
import { type NodeMetadata, Visitor } from "node-html-markdown/dist/visitor.js";
import { type ElementNode, isText, type PageNode, type TextNode } from "../html/tree.ts";
import { escapeText, followingCharacter } from "./escape-text.ts";
import { paragraph, paragraphGap, translators } from "./translators.ts";
import { type MarkdownVisitor, OutputBuffer, type VisitorParts } from "./visitor.ts";

/**
 * Writes a tree as GitHub Flavored Markdown (GFM 0.29). Writes URLs unchanged: they are absolute after
 * `cleanTree`. Changes nothing in the tree. Time is linear in the page.
 */
export function toMarkdown(root: ElementNode): string {
  const result = visit(root);
  return result.substr(0).replace(/^\n+/, "").trimEnd();
}

const [lineFeed, space] = [10, 32];
const converter = new NodeHtmlMarkdown();
for (const [names, translator] of Object.entries(translators)) converter.translators.set(names, translator);

/** Runs the library's visitor over a tree and returns its buffer. */
export function visit(root: ElementNode): OutputBuffer {
  const visitor = newVisitor();
  visitor.visitNode(root);
  return visitor.result;
}

function newVisitor(): MarkdownVisitor {
  const result = new OutputBuffer();
  // Where the content of each open element starts, from when its first child is visited: the library takes the content
  // from there on, so nothing before may be cut any more.
  const starts: (number | undefined)[] = [];
  const floor = () => starts.findLast(start => start !== undefined) ?? 0;
  const numbers = new Map<ElementNode, number>();
  let current: TextNode | undefined;
  const parts: Omit<MarkdownVisitor, "visitNode"> & Record<string, unknown> = {
    instance: converter,
    options: converter.options,
    nodeMetadata: new Map(),
    urlDefinitions: [],
    result,
    linkDepth: 0,
    cellDepth: 0,
    cells: new Map(),
    before: content => result.charBefore(result.length - content.length),
    hardBreak: () => {
      if (result.length === 0 || result.endsWith("\n\n")) return "";
      if (!result.endsWith("\n")) return "  \n";
      writeNewlines(result, 2, floor);
      return "";
    },
    numberOf: item => {
      const list = item.parentNode;
      if (list === null || list.name !== "ol") return 0;
      const number = numberIn(item, "value") ?? numbers.get(list) ?? numberIn(list, "start") ?? 1;
      numbers.set(list, number + 1);
      return number;
    },
    appendResult: (piece: string, start?: number) => {
      if (start !== undefined) result.cut(start);
      result.append(piece);
    },
    appendNewlines: (count: number) => writeNewlines(result, count, floor),
    visitNode: function visitNode(
      this: MarkdownVisitor,
      node: PageNode,
      textOnly?: boolean,
      metadata?: NodeMetadata,
    ) {
      if (starts.length > 0) starts[starts.length - 1] ??= result.length;
      if (isText(node)) {
        current = node;
        if (!node.isWhitespace || metadata?.preserveWhitespace)
          baseVisitor.visitNode.call(this, node, textOnly, metadata);
        else if (!result.endsInWhitespace) result.append(" ");
        return;
      }
      starts.push(undefined);
      const gap = textOnly || metadata?.translators !== undefined ? undefined : gapAround(node);
      if (gap === undefined) baseVisitor.visitNode.call(this, node, textOnly, metadata);
      else {
        if (gap > 0) this.appendNewlines(gap);
        for (const child of node.childNodes) this.visitNode(child, textOnly, metadata);
        if (gap > 0) this.appendNewlines(gap);
      }
      starts.pop();
    },
    processText: function processText(this: MarkdownVisitor, text: string) {
      const last = result.lastCode;
      const isLineStart = result.length === 0 || last === lineFeed;
      const body = (isLineStart || last === space) && text.startsWith(" ") ? text.slice(1) : text;
      const next = () => (current === undefined ? "" : followingCharacter(current));
      return escapeText(body, { isLineStart, isInLink: this.linkDepth > 0, next });
    },
  };
  return Object.assign(Object.create(Visitor.prototype), parts) as MarkdownVisitor;
}

/** The newlines around an element that is nothing but its content; undefined where the library has more to do. */
function gapAround({ tagName }: ElementNode): number | undefined {
  const translator: unknown = converter.translators.get(tagName);
  return translator === undefined ? 0 : translator === paragraph ? paragraphGap : undefined;
}

const baseVisitor = Visitor.prototype as unknown as VisitorParts;

/** A number that an attribute states, if GFM has it too. */
function numberIn(element: ElementNode, attribute: string): number | undefined {
  const value = Number.parseInt(element.getAttribute(attribute), 10);
  return value >= 0 && value <= 999_999_999 ? value : undefined;
}

// Spaces at a paragraph's end mean nothing, and two of them would be a line break.
function writeNewlines(result: OutputBuffer, count: number, floor: () => number): void {
  if (result.length === 0) return;
  const ending = result.lastCode === space ? 1 : result.endsWith("  \n") ? 3 : 0;
  if (ending > 0 && result.length - ending >= floor()) result.cut(result.length - ending);
  const missing = count - result.trailingNewlineStats.newLines;
  if (missing > 0) result.append("\n".repeat(missing));
}
