import { parse } from "parse5";
import type { Random } from "../../../test/faults/random.ts";

/** A node of a page to be: an element with its children, or a word. A name like `h2><button` is two elements in one. */
export type Part = { name: string; children: Part[] } | string;

const blocks =
  "address article aside blockquote center details dir div dl fieldset figure footer form h1 h2 h3 h4 h5 h6 header hgroup main menu nav ol p pre search section table ul xmp";
const parts = "dd dt figcaption legend li summary";
const inline =
  "a abbr b bdi bdo big cite code data del dfn em font i ins kbd label mark nobr output q ruby s samp small span strike strong sub sup time tt u var x-note";
const empty = "br hr wbr";
const voids = new Set(empty.split(" "));
const gap = " ";

/** What an element holds where a page is well made; anything may hold anything else as well. */
const usual: Record<string, string> = {
  ul: "li",
  ol: "li",
  menu: "li",
  dir: "li",
  dl: "dt dd div",
  table: "caption thead tbody tfoot tr tr td",
  thead: "tr",
  tbody: "tr td",
  tfoot: "tr",
  tr: "td th",
  details: "summary p div",
  figure: "figcaption p table",
  ruby: "rt",
};
const everything = `${blocks} ${parts} ${inline} ${empty}`.split(" ");
const phrasing = `${inline} br wbr`.split(" ");
const holdsPhrasing = new Set(`p h1 h2 h3 h4 h5 h6 pre summary dt caption ${inline}`.split(" "));
const tableOnly = new Set(["table", "thead", "tbody", "tfoot", "tr"]);

export interface PageOptions {
  /** How many elements at most. */
  size: number;
  /** Elements that are not to be there. */
  without?: readonly string[];
}

/** A tree of elements in any order and nesting, and words of which each is there once. */
export function randomPage(random: Random, { size, without = [] }: PageOptions): Part[] {
  let words = 0;
  let left = size;
  const pick = (names: readonly string[]): string => names[Math.floor(random() * names.length)] ?? "div";
  const word = (): string => `q${words++}z`;
  const namesIn = (parent: string): readonly string[] => {
    const own = usual[parent]?.split(" ");
    if (own !== undefined && (tableOnly.has(parent) || random() < 0.8)) return own;
    return holdsPhrasing.has(parent) && random() < 0.85 ? phrasing : everything;
  };
  const inside: string[] = [];
  const children = (parent: string, depth: number): Part[] => {
    inside.push(parent);
    const length = Math.floor(random() * (depth === 0 ? 8 : 5));
    const found = Array.from({ length }, () => part(parent, depth));
    inside.pop();
    return found;
  };
  const part = (parent: string, depth: number): Part => {
    const isText =
      random() < (tableOnly.has(parent) ? 0.1 : 1) && (depth > 7 || left <= 0 || random() < 0.35);
    if (isText) return random() < 0.35 ? gap : word();
    if (left <= 0) return gap;
    left--;
    const name = pick(namesIn(parent));
    if (without.includes(name) || isElsewhere(name, inside)) return word();
    if (voids.has(name)) return { name, children: [] };
    if (name === "xmp") return { name, children: [word()] };
    if (/^h\d$/.test(name) && random() < 0.2)
      return { name: `${name}><button`, children: [word(), { name: "b", children: [word()] }] };
    return { name, children: children(name, depth + 1) };
  };
  return children("body", 0);
}

/** What is markup of nothing here: how browsers mend it is another matter than whether words come out. */
function isElsewhere(name: string, inside: readonly string[]): boolean {
  if (name === "form") return inside.some(outer => holdsPhrasing.has(outer));
  if (/^h\d$/.test(name)) return inside.some(outer => /^h\d$/.test(outer));
  return (name === "a" || name === "nobr") && inside.includes(name);
}

export function written(page: readonly Part[]): string {
  return page
    .map(part => {
      if (typeof part === "string") return part;
      const open = part.name === "a" ? '<a href="/x">' : `<${part.name}>`;
      if (voids.has(part.name)) return open;
      const end = part.name.split("><").toReversed().join("></");
      return `${open}${written(part.children)}</${end}>`;
    })
    .join("");
}

/** A page with one part less, or with one element's children in its place: every way to do so. */
export function* smaller(page: readonly Part[]): Generator<Part[]> {
  for (const [at, part] of page.entries()) {
    const [before, after] = [page.slice(0, at), page.slice(at + 1)];
    yield [...before, ...after];
    if (typeof part === "string") continue;
    yield [...before, ...part.children, ...after];
    for (const children of smaller(part.children)) yield [...before, { ...part, children }, ...after];
  }
}

/** The words of a text in order, each with `-` before it where nothing parts it from the word before. */
export function wordsOf(text: string): string[] {
  let end: number | undefined;
  const shown = text.replace(linkTarget, "]");
  return Array.from(shown.matchAll(/q\d+z/g), match => {
    const between = end === undefined ? " " : shown.slice(end, match.index);
    end = match.index + match[0].length;
    return parting.test(between) ? match[0] : `-${match[0]}`;
  });
}

const linkTarget = /\]\([^)\s]*\)/g;
const parting = /\s|<br>|\||[()]/;

interface OracleNode {
  nodeName: string;
  value?: string;
  childNodes?: OracleNode[];
}

/** A table's caption and head come first, its foot last. */
function inShownOrder(nodes: OracleNode[]): OracleNode[] {
  const place = ({ nodeName }: OracleNode) => ["caption", "thead", "", "tfoot"].indexOf(nodeName);
  const rank = (node: OracleNode) => (place(node) < 0 ? 2 : place(node));
  return nodes.toSorted((a, b) => rank(a) - rank(b));
}

const ownLine = new Set(
  `${blocks} ${parts} br hr tr td th caption thead tbody tfoot body rt button`.split(" "),
);

/** Whether a child is the source at the end of a quotation, which is read as a line of its own. */
function isQuoter(all: OracleNode[], at: number): boolean {
  const isText = ({ nodeName, value = "" }: OracleNode) => nodeName !== "#text" || value.trim() !== "";
  return all[at]?.nodeName === "cite" && at > 0 && !all.slice(at + 1).some(isText);
}

/** The words as a browser shows them, after parse5: blocks, cells and breaks part words, as white space does, and so do
 * the borders of buttons and, in most pages' styles, of labels in a row. */
export function shownWords(html: string): string[] {
  let text = "";
  const visit = (node: OracleNode, before?: OracleNode): void => {
    if (node.nodeName === "#text") text += node.value;
    const isApart = ownLine.has(node.nodeName) || (node.nodeName === "label" && before?.nodeName === "label");
    if (isApart) text += " ";
    inShownOrder(node.childNodes ?? []).forEach((child, at, all) => {
      if (node.nodeName === "blockquote" && isQuoter(all, at)) text += " ";
      visit(child, all[at - 1]);
    });
    if (isApart && node.nodeName !== "label") text += " ";
  };
  visit(parse(`<!doctype html><body>${html}`) as unknown as OracleNode);
  return wordsOf(text);
}
