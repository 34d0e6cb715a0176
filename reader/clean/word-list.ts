import {
  adopt,
  type ElementNode,
  findElement,
  isElement,
  isText,
  newElement,
  type PageNode,
} from "../html/tree.ts";

const listStyle = /mso-list\s*:\s*l\d+\s+level(\d)/i;
const markerStyle = /mso-list\s*:\s*ignore/i;
const numbered = /^\(?(?:\d{1,4}|[a-z]{1,5})[.)]/i;
const levelMark = "data-magpie-level";
const orderMark = "data-magpie-order";

/** The item that a paragraph of a word processor stands for, which writes its lists as paragraphs with a marker. */
export function wordItem(paragraph: ElementNode): ElementNode | undefined {
  if (paragraph.attributes.size === 0 || paragraph.name !== "p") return undefined;
  const style = paragraph.attributes.get("style");
  const level = style?.includes("mso-list") ? listStyle.exec(style)?.[1] : undefined;
  if (level === undefined) return undefined;
  const marker = findElement(paragraph, ({ attributes }) => markerStyle.test(attributes.get("style") ?? ""));
  const holder = marker?.parentNode;
  if (holder != null)
    adopt(
      holder,
      holder.childNodes.filter(child => child !== marker),
    );
  const order = numbered.test(marker?.textContent.trim() ?? "") ? "ol" : "ul";
  return newElement("li", { [levelMark]: level, [orderMark]: order }, paragraph.childNodes);
}

/** Puts items of word processors that follow one another into lists; a deeper one into the item before it. */
export function gatherItems(nodes: readonly PageNode[]): PageNode[] {
  const result: PageNode[] = [];
  let lists: { list: ElementNode; level: number }[] = [];
  for (const node of nodes) {
    const level = isElement(node) ? Number(node.getAttribute(levelMark)) : 0;
    if (level > 0 && isElement(node)) lists = place(node, level, lists, result);
    else if (lists.length === 0 || !isText(node) || !node.isWhitespace) {
      lists = [];
      result.push(node);
    }
  }
  return result;
}

function place(
  item: ElementNode,
  level: number,
  open: readonly { list: ElementNode; level: number }[],
  result: PageNode[],
): { list: ElementNode; level: number }[] {
  const lists = open.filter((each, at) => each.level <= level || at === 0);
  let last = lists.at(-1);
  if (last === undefined || last.level < level) {
    const list = newElement(item.getAttribute(orderMark), {}, []);
    const above = last?.list.childNodes.at(-1);
    if (isElement(above)) above.childNodes.push(list);
    else result.push(list);
    list.parentNode = isElement(above) ? above : null;
    last = { list, level };
    lists.push(last);
  }
  last.list.childNodes.push(item);
  item.parentNode = last.list;
  return lists;
}
