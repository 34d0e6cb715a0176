import { type ElementNode, findElement, isElement, newElement, type PageNode } from "../html/tree.ts";

/** Names that editors and highlighters give to a line of code. */
const lineName =
  /(?:^|\s)(?:code-?line|line-of-code|view-line|cm-line|ace_line|CodeMirror-line|token-line|hljs-line|highlight-line)(?:\s|$)/i;
/** Names that a line has in a block of code, and elsewhere too; `row` and `cl` more often elsewhere. */
const plainName = /(?:^|\s)(?:line|loc)(?:\s|$)/i;
const generalName = /(?:^|\s)(?:row|cl)(?:\s|$)/i;
const codeName =
  /(?:^|\s)(?:(?:source-?)?code|code-?(?:block|snippet|listing|lines|content|view|wrapper)|highlight|hljs|terminal|console|shell|snippet)(?:\s|$)/i;
/** What no line of code holds. */
const noCode = new Set("a img picture p ul ol table h1 h2 h3 h4 h5 h6".split(" "));
const monospace = /font(?:-family)?\s*:[^;]*(?:monospace|courier|consolas|menlo|monaco)/i;
const minLines = 2;

/** A block of code whose lines are blocks of their own, as one block. Undefined for any other element. */
export function joinLines(element: ElementNode): ElementNode | undefined {
  if (element.name !== "div" || !holdsLines(element)) return undefined;
  const lines = element.childNodes
    .filter(isElement)
    .map(line => newElement("div", { class: "line" }, contentOf(line)));
  return newElement("pre", Object.fromEntries(element.attributes), lines);
}

/** Whether an element holds lines of code, and nothing else. */
export function holdsLines(element: ElementNode): boolean {
  const { childNodes } = element;
  const first = childNodes.find(isElement);
  if (first === undefined || !isLine(first, element)) return false;
  const lines = childNodes.filter(isElement);
  return (
    lines.length >= minLines &&
    childNodes.every(child => isElement(child) || child.isWhitespace) &&
    lines.every(line => isLine(line, element))
  );
}

function isLine(element: ElementNode, parent: ElementNode): boolean {
  const names = namesOf(element);
  if (names !== "") return lineName.test(names) || isPlainLine(element, names, parent);
  const inner = onlyChild(element);
  return inner?.name === "pre" && lineName.test(namesOf(inner));
}

function isPlainLine(element: ElementNode, names: string, parent: ElementNode): boolean {
  const isPlain = plainName.test(names);
  if ((!isPlain && !generalName.test(names)) || !isOfCode(parent, isPlain)) return false;
  return findElement(element, isNoCode) === undefined;
}

function isNoCode({ name }: ElementNode): boolean {
  return noCode.has(name);
}

function isOfCode({ name, attributes }: ElementNode, mayBeNamed: boolean): boolean {
  return (
    name === "code" ||
    (mayBeNamed && codeName.test(attributes.get("class") ?? "")) ||
    monospace.test(attributes.get("style") ?? "")
  );
}

/** Some editors wrap each line in a block of code of its own. */
function contentOf(line: ElementNode): PageNode[] {
  const inner = onlyChild(line);
  return inner?.name === "pre" ? inner.childNodes : line.childNodes;
}

function onlyChild({ childNodes }: ElementNode): ElementNode | undefined {
  const [first] = childNodes;
  return childNodes.length === 1 && isElement(first) ? first : undefined;
}

function namesOf({ attributes }: ElementNode): string {
  return attributes.get("class") ?? "";
}
