import {
  adopt,
  type ElementNode,
  findElement,
  findElements,
  isElement,
  isText,
  newElement,
  type PageNode,
} from "../html/tree.ts";
import { rowCells, tableRows } from "../markdown/table.ts";

/** The attribute of a block that was the caption of the table after it. */
export const captionMark = "data-magpie-caption";

/** Classes of labels of code, and of links to edit a part of a page. */
export const labelClass =
  /(?:^|\s)(?:lang|language|code-?lang|code-?language|language-name|lang-label|(?:mw-)?editsection(?:-like)?|secedit|react-line-numbers)(?:\s|$)/i;

const heavy = new Set(["table", "h1", "h2", "h3", "form", "article", "section", "main"]);

/** A table of so few cells without heads arranges a page if one of them holds so much text. */
const [fewCells, muchText] = [10, 600];

/**
 * Turns a table that only arranges the page (one cell, one column of blocks, tables or much text inside, `role=none`) into
 * plain blocks. Keeps a table of data; its caption and content outside its rows move before it.
 */
export function flattenLayoutTable(table: ElementNode): PageNode[] {
  const strays = takeStrays(table);
  const rows = tableRows(table);
  const isPlain = rows.length > 0 && isLayout(table, rows);
  return strays.concat(isPlain ? rows.map(row => blockOf(rowCells(row))) : [table]);
}

function isLayout(table: ElementNode, rows: ElementNode[]): boolean {
  const role = table.getAttribute("role");
  if (role === "presentation" || role === "none") return true;
  const cells = rows.map(rowCells);
  if (cells.some(row => row.some(({ name }) => name === "th"))) return false;
  if (cells.every(row => row.length <= 1)) return true;
  const all = cells.flat();
  const isHeavy = (cell: ElementNode) => findElement(cell, ({ name }) => heavy.has(name)) !== undefined;
  const isLong = ({ chars, linkChars }: ElementNode) => chars - linkChars > muchText;
  return all.some(isHeavy) || (all.length <= fewCells && all.some(isLong));
}

function blockOf(cells: ElementNode[]): ElementNode {
  return newElement(
    "div",
    {},
    cells.map(cell => newElement("div", {}, cell.childNodes)),
  );
}

/** Content of a table outside its cells. A browser shows it before the table (HTML, "foster parenting"). */
function takeStrays(table: ElementNode): PageNode[] {
  const strays: PageNode[] = [];
  const captions: PageNode[] = [];
  const take = (part: ElementNode): void => {
    const kept = part.childNodes.filter(child => {
      if (!belongs(child, part)) (isCaption(child) ? captions : strays).push(child);
      else if (isElement(child) && isPart(child)) take(child);
      return belongs(child, part);
    });
    if (kept.length < part.childNodes.length) part.childNodes = kept;
  };
  take(table);
  table.childNodes = table.childNodes.toSorted((a, b) => place(a) - place(b));
  return strays.concat(
    captions.map(caption =>
      isElement(caption) ? newElement("div", { [captionMark]: "" }, caption.childNodes) : caption,
    ),
  );
}

/** A browser shows the head of a table first and its foot last. */
function place(part: PageNode): number {
  if (!isElement(part)) return 1;
  return part.name === "thead" ? 0 : part.name === "tfoot" ? 2 : 1;
}

function isCaption(node: PageNode): boolean {
  return isElement(node) && node.name === "caption";
}

const groups = new Set(["thead", "tbody", "tfoot"]);
const columns = new Set(["colgroup", "col"]);

function isPart({ name }: ElementNode): boolean {
  return groups.has(name) || name === "tr";
}

function belongs(child: PageNode, part: ElementNode): boolean {
  if (!isElement(child)) return child.isWhitespace;
  if (part.name === "tr") return child.name === "td" || child.name === "th";
  return child.name === "tr" || columns.has(child.name) || (part.name === "table" && groups.has(child.name));
}

const gutter = /(?:^|[\s_-])(?:gutter|linenos?|line-?numbers?|blob-num|lntd|lineno|ln|num)(?:$|[\s_-])/i;
/** Names of gutters that columns of data have too. */
const anyGutter = /(?:^|\s)(?:ln|num)(?:\s|$)/i;
const codeCell = /(?:^|\s)(?:code|blob-code|lntd|rouge-code|hljs-ln-code|code-?line|line-?code)(?:\s|$)/i;
const codeTable = /(?:^|[\s_-])(?:code|highlight\w*|hljs|source|blob)(?:$|[\s_-])/i;

/**
 * Code whose line numbers are cells of a table beside it (Pygments, Chroma, Rouge, SyntaxHighlighter, GitHub): its code
 * alone, after the caption that some give it. Undefined for any other table.
 */
export function codeListing(table: ElementNode): PageNode[] | undefined {
  const captions: ElementNode[] = [];
  const cells: ElementNode[] = [];
  const isNamed = codeTable.test(table.getAttribute("class"));
  let number = Number.NaN;
  for (const row of tableRows(table)) {
    const [first, second, ...more] = rowCells(row);
    if (first !== undefined && second === undefined && first.name === "th" && cells.length === 0)
      captions.push(first);
    else if (first === undefined || second === undefined || more.length > 0 || !isNumbered(first, second))
      return undefined;
    else {
      const next = Number(first.textContent);
      const rises = Number.isNaN(number) || next === number + 1;
      if (!rises && !isNamed && anyGutter.test(first.getAttribute("class"))) return undefined;
      number = next;
      cells.push(second);
    }
  }
  if (cells.length === 0) return undefined;
  return [
    ...captions.map(({ childNodes }) => newElement("p", {}, childNodes)),
    ...cells.flatMap(codeOf(table)),
  ];
}

function isNumbered(numbers: ElementNode, code: ElementNode): boolean {
  const holdsCode = codeCell.test(code.getAttribute("class")) || findElement(code, isPre) !== undefined;
  const isGutter = gutter.test(numbers.getAttribute("class")) || findElement(numbers, isPre) !== undefined;
  return holdsCode && isGutter && holdsNumbersOnly(numbers);
}

function holdsNumbersOnly(node: PageNode): boolean {
  return isText(node) ? /^[\s\d]*$/.test(node.text) : node.childNodes.every(holdsNumbersOnly);
}

function isPre({ name }: ElementNode): boolean {
  return name === "pre";
}

/** A cell with the whole code keeps its element; cells of a line each become the lines of one. */
function codeOf(table: ElementNode): (cell: ElementNode, at: number, cells: ElementNode[]) => PageNode[] {
  return (cell, at, cells) => {
    const blocks = findElements(cell, isPre);
    if (blocks.length > 0) return blocks;
    if (at > 0) return [];
    const pre = newElement("pre", Object.fromEntries(table.attributes), []);
    const lines = cells.map(line => newElement("div", { class: "line" }, line.childNodes));
    adopt(pre, lines);
    return [pre];
  };
}

/** A cell that is nothing but a button with a value, as in tables that tell more of it: a number, or a cell of a named row. */
export function isButtonCell(cell: ElementNode): boolean {
  if (cell.name !== "td") return false;
  const button = findElement(cell, ({ name }) => name === "button");
  if (button === undefined || hasTextBeside(cell)) return false;
  const head = cell.parentNode?.childNodes.find(isElement);
  return /\d/.test(button.textContent) || head?.name === "th";
}

function hasTextBeside(element: ElementNode): boolean {
  return element.childNodes.some(child =>
    isElement(child) ? child.name !== "button" && hasTextBeside(child) : !child.isWhitespace,
  );
}
