import {
  type ElementNode,
  findElement,
  hasText,
  isBlock,
  isElement,
  isText,
  neighbour,
  type PageNode,
} from "../html/tree.ts";

const tightChildren = new Set(["ul", "ol", "menu", "pre", "blockquote", "hr", "table"]);

/** How a list is written. */
export interface ListStyle {
  /** Items are set apart by blank lines: some item holds paragraphs, or text after a nested block. */
  isLoose: boolean;
  /** Two adjacent lists use different markers, or a parser would read one. */
  isAlternate: boolean;
  start: number;
}

const styles = new WeakMap<ElementNode, ListStyle>();

export function listStyle(list: ElementNode): ListStyle {
  const known = styles.get(list);
  if (known !== undefined) return known;
  const before = neighbour(list, -1);
  const follows = isElement(before) && isList(before) && (before.name === "ol") === (list.name === "ol");
  const start = Number.parseInt(list.getAttribute("start"), 10);
  const style = {
    isLoose: list.childNodes.some(item => isElement(item) && isLooseItem(item)),
    isAlternate: follows && styles.get(before)?.isAlternate !== true,
    start: start >= 0 && start <= 999_999_999 ? start : 1,
  };
  styles.set(list, style);
  return style;
}

export function isList(element: ElementNode): boolean {
  return element.name === "ul" || element.name === "ol" || element.name === "menu";
}

/** Newlines around a block: one between the blocks of a tight list item, else two. */
export function blockGap(parent: ElementNode | null): 1 | 2 {
  const list = parent?.name === "li" ? parent.parentNode : null;
  return list !== null && list !== undefined && isList(list) && !listStyle(list).isLoose ? 1 : 2;
}

/** A list item: its marker, then its content, with every further line indented below the content's first column. */
export function listItem(item: ElementNode, content: string, number: number): string {
  const marker = `${markerOf(item.parentNode, number)} `;
  const indent = " ".repeat(marker.length);
  const body = content.replace(/^\n+/, "").trimEnd();
  if (body === "") return marker.trimEnd() + taskBox(item).trimEnd();
  return marker + taskBox(item) + body.replace(/\n(?=[^\n])/g, `\n${indent}`);
}

function markerOf(list: ElementNode | null, number: number): string {
  const isAlternate = list !== null && isList(list) && listStyle(list).isAlternate;
  if (list?.name === "ol") return `${number}${isAlternate ? ")" : "."}`;
  return isAlternate ? "+" : "-";
}

/** `[x] ` or `[ ] ` when the item begins with a check box (GFM 0.29, section 5.3). */
function taskBox(item: ElementNode): string {
  const box = findElement(item, element => element.name === "input");
  if (box?.getAttribute("type").toLowerCase() !== "checkbox") return "";
  if (findElement(item, isList) !== undefined && box.parentNode !== item && !isLeading(box, item)) return "";
  return box.attributes.has("checked") ? "[x] " : "[ ] ";
}

function isLeading(box: ElementNode, item: ElementNode): boolean {
  for (let node = box; node !== item; node = node.parentNode ?? item) {
    if (neighbour(node, -1) !== undefined) return false;
  }
  return true;
}

function isLooseItem(item: ElementNode): boolean {
  let sawBlock = false;
  for (const child of item.childNodes) {
    if (isText(child) ? child.isWhitespace : child.name === "br") continue;
    if (isElement(child) && (child.name === "p" || child.name === "div" || child.name === "dl")) {
      if (child.name === "p" || sawBlock) return true;
    } else if (sawBlock && !(isElement(child) && isBlock(child.name))) return true;
    sawBlock ||= isElement(child) && tightChildren.has(child.name);
  }
  return false;
}

/** Whether a list has the element for a child. */
export function isInList({ parentNode }: ElementNode): boolean {
  return parentNode !== null && (parentNode.name === "ul" || parentNode.name === "ol");
}

/** A list directly in a list belongs to the item before it. */
export function nestList(list: ElementNode, before: PageNode[]): ElementNode | PageNode[] {
  if (!isInList(list)) return list;
  const item = before.findLast(isElement);
  if (item?.name !== "li") return list;
  item.childNodes.push(list);
  list.parentNode = item;
  return [];
}

/** Whether an item has nothing to read, to see or to tick. */
export function isEmptyItem(item: ElementNode): boolean {
  return !hasText(item) && findElement(item, ({ name }) => name === "img" || name === "input") === undefined;
}
