import { type ElementNode, findElement, isBlock, isText, type PageNode } from "../html/tree.ts";

const languageClass =
  /(?:^|\s)(?:language-|lang-|highlight-(?:source-|text-)?|sourceCode\s+|brush:\s*(?=\w+;?(?:\s|$)))([^\s`]+)/;
/** Names of themes and parts that begin like those of languages. */
const noLanguageClass = /^(?:line|lines|wrapper|container|block|code|table|theme|copy|copy-.*|hljs.*)$/;
const gutterClass =
  /(?:^|\s)(?:line-?numbers?(?:-rows)?|linenos?|lineno|gutter|hljs-ln-numbers|rouge-gutter|blob-num|ln|react-syntax-highlighter-line-number)(?:\s|$)/;
const noSelection = /user-select\s*:\s*none/;
const lineClass = /(?:^|\s)(?:line|code-line|token-line|view-line|cl|highlight-line)(?:\s|$)/;
const noLanguage = new Set(["plaintext", "none", "nohighlight", "auto", "default", "undefined"]);

/** A fenced code block: the exact text, its language, and a fence longer than any run of backticks inside. */
export function fencedCode(pre: ElementNode): string {
  // A no-break space in code is one that a page shows as such.
  const text = codeText(codeIn(pre) ?? pre).replaceAll("\u00a0", " ");
  const fence = "`".repeat(Math.max(3, longestRun(text) + 1));
  const ending = text === "" || text.endsWith("\n") ? "" : "\n";
  return `${fence}${codeLanguage(pre)}\n${text}${ending}${fence}`;
}

/** The code of a block that has its language's name above the code as well. */
function codeIn(pre: ElementNode): ElementNode | undefined {
  if (!pre.childNodes.some(child => !isText(child) && child.name === "div")) return undefined;
  const code = findElement(pre, ({ name }) => name === "code");
  if (code === undefined || code.parentNode === pre) return undefined;
  const language = codeLanguage(pre).toLowerCase();
  const beside = pre.textContent.length - code.textContent.length;
  const label = beside > maxLabel ? "" : pre.textContent.slice(0, beside).trim().toLowerCase();
  return label !== "" && label === language ? code : undefined;
}

const maxLabel = 60;

/** Inline code; its delimiter is longer than any run of backticks inside (GFM 0.29, section 6.3). */
export function inlineCode(content: string): string {
  const text = content.replaceAll("\n", " ");
  if (text === "") return "";
  const delimiter = "`".repeat(delimiterLength(text));
  const isAmbiguous =
    text.startsWith("`") ||
    text.endsWith("`") ||
    (text.startsWith(" ") && text.endsWith(" ") && text.trim() !== "");
  const padding = isAmbiguous ? " " : "";
  return delimiter + padding + text + padding + delimiter;
}

/** The text of code without line numbers; `<br>` and line elements end lines. */
export function codeText(code: ElementNode): string {
  const isPre = code.name === "pre";
  const [first] = code.childNodes;
  // A parser drops the first newline after `<pre>`, and a block that begins there begins no other line.
  const isBlankFirst = isPre && first !== undefined && isText(first) && first.text.startsWith("\n");
  const pieces = isPre && !isBlankFirst ? ["\n"] : [];
  for (const child of code.childNodes) collect(child, pieces);
  return pieces.join("").slice(isPre ? 1 : 0);
}

function collect(node: PageNode, pieces: string[]): void {
  if (isText(node)) {
    pieces.push(node.text);
    return;
  }
  if (node.name === "br" || node.name === "hr") pieces.push("\n");
  if (isGutter(node)) return;
  if (isBlock(node.name)) startLine(node.name, pieces);
  const before = pieces.length;
  for (const child of node.childNodes) collect(child, pieces);
  const isBlank =
    pieces.length === before && (!isBlock(node.name) || lineClass.test(node.getAttribute("class")));
  if (endsLine(node) && (isBlank || !(pieces.at(-1) ?? "\n").endsWith("\n"))) pieces.push("\n");
}

/** A block starts a new line; a cell continues the line of its row. */
function startLine(name: string, pieces: string[]): void {
  if (pieces.at(-1)?.endsWith("\n") === true) return;
  pieces.push(name === "td" || name === "th" ? " " : "\n");
}

function isGutter(node: ElementNode): boolean {
  if (node.name === "button") return true;
  const isMarked =
    gutterClass.test(node.getAttribute("class")) || noSelection.test(node.getAttribute("style"));
  return isMarked && holdsNumbers(node);
}

const holding = new WeakMap<ElementNode, boolean>();

/** Whether all text below is digits. Cached, since gutters may be nested. */
function holdsNumbers(node: PageNode): boolean {
  if (isText(node)) return /^[\s\d]*$/.test(node.text);
  const known = holding.get(node) ?? node.childNodes.every(holdsNumbers);
  holding.set(node, known);
  return known;
}

function endsLine(node: ElementNode): boolean {
  if (isBlock(node.name)) return node.name !== "td" && node.name !== "th";
  if (!lineClass.test(node.getAttribute("class"))) return false;
  // Highlighters that keep the line ends between their line elements need no added ones.
  return node.parentNode !== null && holdsElementsOnly(node.parentNode);
}

const elementsOnly = new WeakMap<ElementNode, boolean>();

function holdsElementsOnly(parent: ElementNode): boolean {
  const { childNodes } = parent;
  const known =
    elementsOnly.get(parent) ??
    (childNodes.length > 1 && !childNodes.some(child => isText(child) || child.name === "br"));
  elementsOnly.set(parent, known);
  return known;
}

function codeLanguage(pre: ElementNode): string {
  const code = findElement(pre, element => element.name === "code");
  const parent = pre.parentNode;
  const nearby = [code, pre, parent, parent?.parentNode].filter(element => element != null);
  for (const element of nearby) {
    const stated =
      element.getAttribute("data-lang") ||
      element.getAttribute("data-language") ||
      languageOf(element.getAttribute("class")) ||
      languageOf(element.getAttribute("data-syntaxhighlighter-params"));
    // SyntaxHighlighter separates its settings by semicolons.
    const language = stated.trim().replace(/(?<=\w);$/, "");
    if (/^[^\s`]+$/.test(language)) return noLanguage.has(language) ? "" : language;
  }
  return "";
}

/** The language that a class names. highlight.js writes it beside its own class without a mark. */
function languageOf(classes: string): string {
  const named = languageClass.exec(classes)?.[1] ?? "";
  if (named !== "" && !noLanguageClass.test(named)) return named;
  const names = classes.split(/\s+/);
  if (!names.includes("hljs")) return "";
  return names.find(name => /^[a-z][\w+#.]*$/i.test(name) && !noLanguageClass.test(name)) ?? "";
}

function longestRun(text: string): number {
  let longest = 0;
  for (const [run] of text.matchAll(/`{3,}/g)) longest = Math.max(longest, run.length);
  return longest;
}

function delimiterLength(text: string): number {
  const lengths = new Set(Array.from(text.matchAll(/`+/g), ([run]) => run.length));
  let length = 1;
  while (lengths.has(length)) length++;
  return length;
}
