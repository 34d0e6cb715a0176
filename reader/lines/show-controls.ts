import { isHidden } from "../clean/hidden.ts";
import {
  adopt,
  type ElementNode,
  findElement,
  hasText,
  isBlock,
  isElement,
  isText,
  newElement,
  type PageNode,
  TextNode,
} from "../html/tree.ts";
import { controlText, hasWords, inputKind, isIcon, nameOf } from "../page/control-text.ts";

/** Elements and texts that stand for what a page shows without text: they are no text of its author. */
export type Made = Set<PageNode>;

/** In these a control is a part of the line. */
const lineTags = new Set([
  "td",
  "th",
  "h1",
  "h2",
  "h3",
  "h4",
  "h5",
  "h6",
  "summary",
  "dt",
  "legend",
  "caption",
  "label",
]);
const emphases = new Set(["i", "em", "b", "strong"]);
const maxValue = 300;
/** Options of one list, at most. */
const mostOptions = 1000;
const disabledClass = /(?:^|[\s_-])(?:is-)?disabled(?:$|\s)/i;

/**
 * Puts texts in place of what a browser draws itself: buttons, the options of a list, meters, the values of fields, drawings,
 * and pictures that have only a name. Changes the tree, before it is cleaned. `showsClosed`: closed dialogs, too.
 */
export function showControls(root: ElementNode, showsClosed: boolean): Made {
  const made: Made = new Set();
  showIn(root, false, { made, showsClosed });
  return made;
}

/** Whether a node says nothing but what stands for something. */
export function isMade(node: PageNode, made: Made): boolean {
  if (made.has(node)) return true;
  if (isText(node)) return node.isWhitespace;
  return node.childNodes.length > 0 && node.childNodes.every(child => isMade(child, made));
}

interface Showing {
  made: Made;
  showsClosed: boolean;
}

function showIn(parent: ElementNode, isInLine: boolean, showing: Showing): void {
  let children: PageNode[] | undefined;
  const given = parent.childNodes;
  for (let at = 0; at < given.length; at++) {
    const child = given[at] as PageNode;
    const shown = isElement(child) ? shownAs(child, isInLine, showing) : child;
    if (shown !== child) children ??= given.slice(0, at);
    if (children !== undefined && shown !== undefined) children.push(shown);
  }
  if (children !== undefined) adopt(parent, children);
}

/** A cell that holds blocks is a part of the page, not of a line. */
function isLayout(element: ElementNode): boolean {
  return (
    (element.name === "td" || element.name === "th") &&
    findElement(element, it => isBlock(it.name)) !== undefined
  );
}

/** What is shown of an element: itself, what stands for it, or nothing. */
function shownAs(element: ElementNode, isInLine: boolean, showing: Showing): ElementNode | undefined {
  const { name } = element;
  const isInLineHere = isInLine ? !isLayout(element) : lineTags.has(name) && !isLayout(element);
  if (name !== "select" && name !== "svg") showIn(element, isInLineHere, showing);
  switch (name) {
    case "button":
      return control(element, element.childNodes, isInLine, showing);
    case "input":
      return field(element, isInLine, showing);
    case "select":
      return options(element, isInLine, showing);
    case "meter":
    case "progress":
    case "svg":
    case "textarea":
      return text(element, controlText(element), showing);
    case "dialog":
      return showing.showsClosed || element.attributes.has("open") ? dialog(element) : element;
    case "a":
      if (isDisabled(element)) element.childNodes.push(new TextNode(" (disabled)", element));
      break;
    case "time":
      if (!hasText(element)) say(element, element.getAttribute("datetime"), showing);
      return element;
    case "img":
      return isDrawn(element) ? element : text(element, controlText(element), showing);
  }
  if (!isIcon(element)) return element;
  // An icon in italics is not emphasised.
  if (emphases.has(name)) return text(element, nameOf(element), showing) ?? element;
  say(element, nameOf(element), showing);
  return element;
}

function dialog(element: ElementNode): ElementNode {
  const shown = renamed(element, "section");
  if (!shown.attributes.has("role")) shown.attributes.set("role", "dialog");
  adopt(shown, shown.childNodes);
  return shown;
}

/** A control is a line of its own, unless it is in a cell or a heading. */
function control(
  element: ElementNode,
  content: PageNode[],
  isInLine: boolean,
  { made }: Showing,
): ElementNode {
  const shown = renamed(element, isInLine ? "span" : "p");
  adopt(shown, content);
  if (!hasWords(shown)) say(shown, nameOf(element), { made });
  if (isDisabled(element)) shown.childNodes.push(new TextNode(" (disabled)", shown));
  if (isInLine) adopt(shown, [new TextNode(" ", shown), ...shown.childNodes, new TextNode(" ", shown)]);
  made.add(shown);
  return shown;
}

function field(element: ElementNode, isInLine: boolean, showing: Showing): ElementNode | undefined {
  const kind = inputKind(element);
  if (kind === "none") return undefined;
  const said = controlText(element);
  if (kind === "button")
    return control(element, said === "" ? [] : [new TextNode(said, element)], isInLine, showing);
  if (kind === "value") return text(element, said, showing);
  // A task of a list is written by the list.
  if (element.getAttribute("type").toLowerCase() === "checkbox" && isInItem(element)) return element;
  const state = `${element.attributes.has("checked") ? "(x)" : ""} ${isDisabled(element) ? "(disabled)" : ""}`;
  return text(element, state, showing);
}

function isInItem({ parentNode }: ElementNode): boolean {
  for (let at = parentNode, steps = 0; at !== null && steps < 3; at = at.parentNode, steps++)
    if (at.name === "li") return true;
  return false;
}

/** Each option is a line; the one that is chosen has a mark. */
function options(select: ElementNode, isInLine: boolean, { made }: Showing): ElementNode {
  const shown = renamed(select, isInLine ? "span" : "div");
  const lines: ElementNode[] = [];
  let [beyond, hash] = [0, 0];
  const read = (parent: ElementNode, isOff: boolean): void => {
    for (const child of parent.childNodes) {
      if (!isElement(child) || isHidden(child)) continue;
      if (lines.length >= mostOptions && child.name === "option") {
        beyond++;
        hash = hashed(optionText(child, isOff), hash);
        continue;
      }
      if (child.name === "optgroup") {
        if (child.attributes.has("label")) lines.push(lineOf(child, child.getAttribute("label"), isInLine));
        read(child, isOff || child.attributes.has("disabled"));
      } else if (child.name === "option") lines.push(lineOf(child, optionText(child, isOff), isInLine));
    }
  };
  read(select, isDisabled(select));
  // Their hash tells that one of them has changed.
  if (beyond > 0) lines.push(lineOf(select, `${beyond} more options (${hash.toString(36)})`, isInLine));
  adopt(
    shown,
    isInLine ? lines.flatMap(line => [new TextNode(" ", shown), line, new TextNode(" ", shown)]) : lines,
  );
  for (const line of lines) made.add(line);
  made.add(shown);
  return shown;
}

function hashed(text: string, before: number): number {
  let hash = before;
  for (let at = 0; at < text.length; at++) hash = (Math.imul(hash, 31) + text.charCodeAt(at)) >>> 0;
  return hash;
}

function optionText(option: ElementNode, isOff: boolean): string {
  const label = option.textContent.trim() || option.getAttribute("label");
  const mark = option.attributes.has("selected") ? "(x) " : "";
  return `${mark}${label}${isOff || option.attributes.has("disabled") ? " (disabled)" : ""}`;
}

function lineOf(element: ElementNode, said: string, isInLine: boolean): ElementNode {
  const line = renamed(element, isInLine ? "span" : "p");
  line.childNodes = [new TextNode(said, line)];
  return line;
}

/** A span that says this; nothing for what says nothing. */
function text(element: ElementNode, said: string, { made }: Showing): ElementNode | undefined {
  const plain = said.replace(/\s+/g, " ");
  if (plain.trim() === "" || plain.length > maxValue) return undefined;
  const shown = renamed(element, "span");
  shown.childNodes = [new TextNode(` ${plain.trim()} `, shown)];
  made.add(shown);
  return shown;
}

function say(element: ElementNode, said: string, { made }: Pick<Showing, "made">): void {
  const plain = said.replace(/\s+/g, " ").trim();
  if (plain === "" || plain.length > maxValue) return;
  const words = newElement("span", {}, []);
  words.parentNode = element;
  words.childNodes = [new TextNode(` ${plain} `, words)];
  element.childNodes.push(words);
  made.add(words);
}

function isDisabled(element: ElementNode): boolean {
  const { attributes } = element;
  if (attributes.has("disabled") || attributes.get("aria-disabled") === "true") return true;
  return isControl(element) && disabledClass.test(attributes.get("class") ?? "");
}

function isControl({ name, attributes }: ElementNode): boolean {
  if (name === "button" || name === "input" || name === "select") return true;
  return (
    name === "a" &&
    (attributes.get("role") === "button" ||
      /(?:^|[\s_-])(?:btn|button|cta)/i.test(attributes.get("class") ?? ""))
  );
}

/** Whether a picture has an address that a reader can use, at once or later. */
function isDrawn({ attributes }: ElementNode): boolean {
  for (const [name, value] of attributes)
    if (
      value !== "" &&
      (name === "src" || name === "srcset" || name.startsWith("data-")) &&
      !value.startsWith("data:")
    )
      return true;
  return false;
}

function renamed(element: ElementNode, name: string): ElementNode {
  const shown = newElement(name, {}, element.childNodes);
  shown.attributes = new Map(element.attributes);
  shown.parentNode = element.parentNode;
  return shown;
}
