import {
  adopt,
  type ElementNode,
  findElement,
  isBlock,
  isElement,
  isText,
  neighbour,
  newElement,
  type PageNode,
} from "../html/tree.ts";
import { isVerbatim } from "../html/verbatim.ts";
import { labelClass } from "./clean-table.ts";
import { holdsLines } from "./code-lines.ts";

const editing = /(?:^|\s)(?:(?:mw-)?editsection(?:-like)?|secedit|react-line-numbers)(?:\s|$)/i;
const languageClass = /(?:^|[\s_-])(?:lang|language)(?:$|[\s_-])|code-?lang/i;

/**
 * Code that is a block although its element is none: in a line with line ends, or with a block of code inside; in a block
 * that keeps its white space. Undefined for any other element.
 */
export function asListing(element: ElementNode): PageNode[] | undefined {
  const { name, attributes } = element;
  if (name === "code") {
    if (element.parentNode?.name === "pre") return undefined;
    if (findElement(element, isPre) !== undefined) return element.childNodes;
    if (!hasLines(element) || !isAlone(element) || isInPre(element)) return undefined;
    // White space between lines is one space here, and the lines end by themselves.
    if (holdsLines(element)) adopt(element, element.childNodes.filter(isElement));
    return [newElement("pre", {}, [element])];
  }
  if (name !== "div" || !isVerbatim(name, attributes) || isInPre(element)) return undefined;
  return [newElement("pre", Object.fromEntries(attributes), element.childNodes)];
}

function hasLines(code: ElementNode): boolean {
  if (findElement(code, ({ name }) => name === "br") !== undefined || holdsLines(code)) return true;
  return isVerbatim(code.name, code.attributes) && code.textContent.trim().includes("\n");
}

/** Whether nothing is on the same line as an element. */
function isAlone(element: ElementNode): boolean {
  const isEdge = (node: PageNode | undefined) =>
    node === undefined || (isElement(node) && (node.name === "br" || isBlock(node.name)));
  const parent = element.parentNode;
  return (
    parent !== null && isBlock(parent.name) && isEdge(neighbour(element, -1)) && isEdge(neighbour(element, 1))
  );
}

function isInPre({ parentNode }: ElementNode): boolean {
  return parentNode !== null && (parentNode.name === "pre" || isInPre(parentNode));
}

function isPre({ name }: ElementNode): boolean {
  return name === "pre";
}

/** Links to edit a part of a page, and a column of line numbers. */
export function isEditLink({ attributes }: ElementNode): boolean {
  return editing.test(attributes.get("class") ?? "");
}

/** How far above its block of code the bar with a label may be. */
const maxBars = 3;

/** The name of the language that some sites write above a block of code: the block's fence has it already. */
export function isLanguageLabel(element: ElementNode): boolean {
  if (element.name !== "span" && element.name !== "div" && element.name !== "p") return false;
  const classes = element.getAttribute("class");
  if (!labelClass.test(classes) || !languageClass.test(classes)) return false;
  let at: ElementNode | null = element;
  for (let level = 0; level < maxBars && at !== null; level++, at = at.parentNode) {
    const following = afterButtons(at);
    if (following !== undefined)
      return isElement(following) && (isPre(following) || findElement(following, isPre) !== undefined);
  }
  return false;
}

/** What follows an element and the buttons beside it. */
function afterButtons(element: ElementNode): PageNode | undefined {
  let next = neighbour(element, 1);
  while (next !== undefined && !isText(next) && (next.name === "button" || next.name === "clipboard-copy"))
    next = neighbour(next, 1);
  return next;
}
