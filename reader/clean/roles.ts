import {
  type ElementNode,
  findElement,
  hasText,
  isBlock,
  isElement,
  newElement,
  type PageNode,
} from "../html/tree.ts";

const cellNames: Record<string, string> = {
  cell: "td",
  gridcell: "td",
  columnheader: "th",
  rowheader: "th",
};
const tableRoles = new Set(["table", "grid", "treegrid"]);
const plain = new Set(["div", "span", "p", "li", "section", "header", "ul"]);

/** What an element of a cleaned tree is by its role, in place of the element that HTML has for it; undefined for others. */
export function elementByRole(element: ElementNode): PageNode[] | undefined {
  const role = element.attributes.size === 0 ? undefined : element.attributes.get("role");
  if (role === undefined || !plain.has(element.name)) return undefined;
  if (tableRoles.has(role)) return tableOf(element);
  if (role === "heading") return headingOf(element);
  return role === "list" ? listOf(element) : undefined;
}

/** A table of the rows below, after what is beside them. */
function tableOf(element: ElementNode): PageNode[] | undefined {
  const strays: PageNode[] = [];
  const rows: ElementNode[] = [];
  collectRows(element, rows, strays);
  if (!rows.some(({ childNodes }) => childNodes.length > 1)) return undefined;
  return [...strays, newElement("table", Object.fromEntries(element.attributes), rows)];
}

function collectRows(parent: ElementNode, rows: ElementNode[], strays: PageNode[]): void {
  for (const child of parent.childNodes) {
    const count = rows.length;
    const inner: PageNode[] = [];
    if (isElement(child) && child.name !== "table") {
      const cells = child.getAttribute("role") === "row" ? cellsOf(child) : [];
      if (cells.length > 0) rows.push(newElement("tr", {}, cells));
      else collectRows(child, rows, inner);
    }
    strays.push(...(rows.length > count ? inner : isElement(child) && hasText(child) ? [child] : []));
  }
}

function cellsOf(parent: ElementNode): ElementNode[] {
  return parent.childNodes.filter(isElement).flatMap(child => {
    const name = cellNames[child.getAttribute("role")];
    if (name === undefined) return cellsOf(child);
    const content = plain.has(child.name) ? child.childNodes : [child];
    return [newElement(name, spansOf(child), content)];
  });
}

function spansOf(cell: ElementNode): Record<string, string> {
  const [across, down] = [cell.getAttribute("aria-colspan"), cell.getAttribute("aria-rowspan")];
  return { ...(across && { colspan: across }), ...(down && { rowspan: down }) };
}

function headingOf(element: ElementNode): PageNode[] | undefined {
  const level = element.getAttribute("aria-level").trim() || "2";
  if (!/^[1-6]$/.test(level) || !hasText(element) || holdsBlock(element)) return undefined;
  return [newElement(`h${level}`, Object.fromEntries(element.attributes), element.childNodes)];
}

/** Cards and links are no list of points, whatever their role. */
function listOf(element: ElementNode): PageNode[] | undefined {
  const items = element.childNodes.filter(child => isElement(child) || !child.isWhitespace);
  const isPoint = (item: PageNode): item is ElementNode =>
    isElement(item) && item.getAttribute("role") === "listitem" && hasText(item) && !holdsBlock(item);
  if (
    element.name === "ul" ||
    element.linkChars > element.chars / 2 ||
    items.length < 2 ||
    !items.every(isPoint)
  )
    return undefined;
  const points = items.map(item => newElement("li", {}, item.childNodes));
  return [newElement("ul", Object.fromEntries(element.attributes), points)];
}

function holdsBlock(element: ElementNode): boolean {
  return findElement(element, ({ name }) => isBlock(name)) !== undefined;
}
