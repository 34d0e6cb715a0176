import { MathMLToLaTeX } from "mathml-to-latex";
import { parseHtml } from "../html/parse-html.ts";
import { joinLines } from "../html/plain-text.ts";
import {
  type ElementNode,
  findElement,
  isElement,
  isText,
  neighbour,
  newElement,
  type PageNode,
  TextNode,
} from "../html/tree.ts";
import { escapeHtml } from "../text/escape-html.ts";

export const mathClass =
  /katex|MathJax|mjx-|mwe-math-(?:element|fallback)|(?:^|\s)(?:math|math-inline|math-block|arithmatex|ltx_Math|ltx_equation)(?:\s|$)/;
const preview = /(?:^|\s)MathJax_Preview(?:\s|$)/;
const displayClass =
  /katex-display|MathJax(?:_SVG)?_Display|mjx-full-width|mwe-math-element-block|mwe-math-(?:mathml|fallback-image)-display|(?:^|\s)(?:display|math-block)(?:\s|$)/;
/** A page's formulas have at most so many elements that are translated; the rest is plain text. */
const maxElements = 20_000;
const maxElementsEach = 1000;
/** The longest text in an element: the time of the library grows faster than it. */
const maxText = 200;

/** How much of a page's MathML was translated. */
export interface FormulaBudget {
  elements: number;
}

export function newFormulaBudget(): FormulaBudget {
  return { elements: maxElements };
}

/** Whether the element is what KaTeX, MathJax, MediaWiki, Pandoc or Sphinx write for a formula, or MathML. */
export function isFormula({ name, attributes }: ElementNode): boolean {
  if (name === "math" || name === "tex" || name === "mjx-container") return true;
  const classes = attributes.get("class");
  return (
    classes !== undefined && (name === "span" || name === "div" || name === "p") && mathClass.test(classes)
  );
}

/**
 * A formula as TeX between dollar signs, `$…$` in a line and `$$…$$` on lines of its own, from the TeX that the page has
 * of it, else from its MathML. Undefined when the element is no formula in spite of its name.
 */
export function readFormula(element: ElementNode, budget: FormulaBudget): PageNode[] | undefined {
  if (isShownElsewhere(element)) return [];
  const math = findSelf(element, ({ name }) => name === "math" || name === "tex");
  const tex = math === undefined ? texBeside(element, budget) : texOf(math, budget);
  if (tex === undefined) return hasDrawnOnly(element) ? [] : undefined;
  const text = tidy(tex);
  if (text === "") return [];
  return isDisplay(element, math) ? [block(text)] : [formula(`$${joinLines(text)}$`)];
}

/** MathJax 2 puts a preview and a picture of the formula before the script that has its TeX. */
function isShownElsewhere(element: ElementNode): boolean {
  if (element.name === "tex" || element.name === "math") return false;
  const next = neighbour(element, 1);
  if (!isElement(next)) return false;
  return next.name === "tex" || (preview.test(element.getAttribute("class")) && isFormula(next));
}

function findSelf(element: ElementNode, test: (element: ElementNode) => boolean): ElementNode | undefined {
  return test(element) ? element : findElement(element, test);
}

function texOf(math: ElementNode, budget: FormulaBudget): string | undefined {
  if (math.name === "tex") return math.textContent;
  const annotation = findElement(
    math,
    ({ name, attributes }) => name === "annotation" && /tex/i.test(attributes.get("encoding") ?? ""),
  );
  const stated = annotation?.textContent ?? math.getAttribute("alttext");
  return stated.trim() === "" ? translate(math, budget) : stated;
}

/** TeX of a formula without MathML: of its picture, of MathJax's own attribute, or between TeX's own delimiters. */
function texBeside(element: ElementNode, budget: FormulaBudget): string | undefined {
  const picture = findElement(element, ({ name, attributes }) => name === "img" && attributes.has("alt"));
  if (picture !== undefined) return picture.getAttribute("alt") || undefined;
  const stated = ["data-math", "data-tex", "data-latex"]
    .map(name => element.getAttribute(name))
    .find(Boolean);
  if (stated !== undefined) return stated;
  const held = [element, element.childNodes.find(isElement)].find(it => it?.attributes.has("data-mathml"));
  if (held !== undefined) {
    const math = findElement(parseHtml(held.getAttribute("data-mathml")), ({ name }) => name === "math");
    return math && texOf(math, budget);
  }
  if (!element.childNodes.every(isText)) return undefined;
  return /^\s*(?:\\\(([\s\S]*)\\\)|\\\[([\s\S]*)\\\]|\$\$([\s\S]*)\$\$)\s*$/
    .exec(element.textContent)
    ?.slice(1)
    .find(tex => tex !== undefined);
}

/** Whether the element holds a formula as glyphs without text. */
function hasDrawnOnly(element: ElementNode): boolean {
  return element.name === "mjx-container";
}

function isDisplay(element: ElementNode, math: ElementNode | undefined): boolean {
  const isBlock = (it: ElementNode): boolean =>
    it.getAttribute("display") === "block" ||
    it.getAttribute("display") === "true" ||
    it.getAttribute("mode") === "display" ||
    /mode\s*=\s*display/i.test(it.getAttribute("type"));
  if (element.name === "div" || displayClass.test(element.getAttribute("class")) || isBlock(element))
    return true;
  if (
    math !== undefined &&
    (isBlock(math) || displayClass.test(math.parentNode?.getAttribute("class") ?? ""))
  )
    return true;
  return math === undefined && /^\s*(?:\\\[|\$\$)/.test(element.textContent);
}

function tidy(tex: string): string {
  const text = tex.trim().replace(/\n[\s]*\n/g, "\n");
  const inner = /^\{\\(?:display|text)style\b([\s\S]*)\}$/.exec(text)?.[1];
  return inner !== undefined && isBalanced(inner) ? inner.trim() : text;
}

function isBalanced(tex: string): boolean {
  let depth = 0;
  for (let at = 0; at < tex.length && depth >= 0; at++) {
    if (tex[at] === "\\") at++;
    else if (tex[at] === "{") depth++;
    else if (tex[at] === "}") depth--;
  }
  return depth === 0;
}

function formula(text: string): ElementNode {
  const math = newElement("math", {}, []);
  math.childNodes.push(new TextNode(text, math));
  return math;
}

function block(tex: string): ElementNode {
  return newElement("div", { class: "math" }, [formula(`$$\n${tex}\n$$`)]);
}

const presentation = new Set(
  (
    "math mrow mi mn mo ms mtext mspace mfrac msqrt mroot mstyle merror mpadded mphantom mfenced menclose msub msup msubsup " +
    "munder mover munderover mmultiscripts mprescripts none mtable mtr mtd semantics"
  ).split(" "),
);
const withoutContent = new Set(["annotation", "annotation-xml", "maction-hidden"]);
const attributesRead = ["mathvariant", "linethickness", "open", "close", "separators", "notation"];
const named =
  /(?<![\\A-Za-z])(?:arccos|arcsin|arctan|arg|cos|cosh|cot|coth|csc|deg|det|dim|exp|gcd|hom|inf|ker|lg|lim|liminf|limsup|ln|log|max|min|sec|sin|sinh|sup|tan|tanh)(?![A-Za-z])/g;

/** MathML as TeX; its text where it has too many elements or breaks the rules of MathML. */
function translate(math: ElementNode, budget: FormulaBudget): string | undefined {
  const pieces: string[] = [];
  const limit = Math.min(maxElementsEach, budget.elements);
  const count = write(math, pieces, limit);
  budget.elements -= Math.min(count, limit);
  if (count >= limit) return undefined;
  try {
    return nameFunctions(MathMLToLaTeX.convert(pieces.join("")));
  } catch {
    // A fraction with one child, and the like.
    return undefined;
  }
}

/**
 * Writes a formula as XML: only elements of MathML, whatever the page has. Returns how many elements it wrote, or `limit` if
 * there was no room for all.
 */
function write(element: ElementNode, pieces: string[], limit: number): number {
  if (limit <= 1) return limit;
  if (withoutContent.has(element.name)) return 1;
  const name = presentation.has(element.name) ? element.name : "mrow";
  const stated = attributesRead
    .filter(key => element.attributes.has(key))
    .map(key => ` ${key}="${escapeXml(element.getAttribute(key).slice(0, 20))}"`);
  pieces.push(`<${name}${stated.join("")}>`);
  let count = 1;
  for (const child of element.childNodes) {
    if (isText(child) && child.text.length > maxText) return limit;
    if (isText(child)) pieces.push(escapeXml(child.text));
    else count += write(child, pieces, limit - count);
    if (count >= limit) return limit;
  }
  pieces.push(`</${name}>`);
  return count;
}

/** Removes the characters that XML cannot hold. */
function escapeXml(text: string): string {
  return escapeHtml(text.replace(/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd]/g, ""));
}

const accents: readonly (readonly [overset: string, accent: string])[] = [
  ["\\overset{\\rightarrow}{", "\\vec{"],
  ["\\overset{\\sim}{", "\\tilde{"],
  ["\\overset{\\cdot}{", "\\dot{"],
  ["\\overset{\\overline}{", "\\overline{"],
];

/**
 * The names that TeX has for functions and accents: `sin` is a product of three letters, `\sin` the function. Text is no
 * formula.
 */
function nameFunctions(tex: string): string {
  return accents
    .reduce((text, [overset, accent]) => text.replaceAll(overset, accent), tex)
    .split(/(\\text\{[^{}]*\})/)
    .map(part => (part.startsWith("\\text{") ? part : part.replace(named, "\\$&")))
    .join("");
}
