import { type ElementNode, findElement, isText, type PageNode } from "../tree.ts";

const languageClass =
  /(?:^|\s)(?:language-|lang-|highlight-source-|sourceCode\s+|brush:\s*(?=\w+;?(?:\s|$)))([^\s`]+)/;
const gutterClass =
  /(?:^|\s)(?:line-?numbers?(?:-rows)?|linenos?|lineno|gutter|hljs-ln-numbers|rouge-gutter|blob-num|ln|react-syntax-highlighter-line-number)(?:\s|$)/;
const lineClass = /(?:^|\s)(?:line|code-line|token-line|view-line|cl|highlight-line)(?:\s|$)/;
const noLanguage = new Set(["plaintext", "none", "nohighlight", "auto"]);

/** A fenced code block: the exact text, its language, and a fence longer than any run of backticks inside. */
export function fencedCode(pre: ElementNode): string {
  const text = codeText(pre);
  const fence = "`".repeat(Math.max(3, longestRun(text) + 1));
  const ending = text === "" || text.endsWith("\n") ? "" : "\n";
  return `${fence}${codeLanguage(pre)}\n${text}${ending}${fence}`;
}

/** Inline code; its delimiter is longer than any run of backticks inside (GFM 0.29, section 6.3). */
export function inlineCode(content: string): string {
  const text = content.replaceAll("\n", " ");
  if (text.trim() === "") return text;
  const delimiter = "`".repeat(delimiterLength(text));
  const isAmbiguous =
    text.startsWith("`") || text.endsWith("`") || (text.startsWith(" ") && text.endsWith(" "));
  const padding = isAmbiguous ? " " : "";
  return delimiter + padding + text + padding + delimiter;
}

/** The text of preformatted code without line numbers; `<br>` and line elements end lines. */
export function codeText(pre: ElementNode): string {
  const pieces: string[] = [];
  collect(pre, pieces);
  return pieces.join("").replace(/^\n/, "");
}

function collect(node: PageNode, pieces: string[]): void {
  if (isText(node)) {
    pieces.push(node.text);
    return;
  }
  if (node.name === "br") pieces.push("\n");
  if (isGutter(node)) return;
  for (const child of node.childNodes) collect(child, pieces);
  if (endsLine(node) && !(pieces.at(-1) ?? "\n").endsWith("\n")) pieces.push("\n");
}

function isGutter(node: ElementNode): boolean {
  if (node.name === "button") return true;
  return gutterClass.test(node.getAttribute("class")) && /^[\s\d]*$/.test(node.textContent);
}

function endsLine(node: ElementNode): boolean {
  if (node.name === "div" || node.name === "tr" || node.name === "p" || node.name === "li") return true;
  if (!lineClass.test(node.getAttribute("class"))) return false;
  const siblings = node.parentNode?.childNodes ?? [];
  // Highlighters that keep the line ends between their line elements need none added.
  return siblings.length > 1 && siblings.every(child => !isText(child));
}

function codeLanguage(pre: ElementNode): string {
  const code = findElement(pre, element => element.name === "code");
  const parent = pre.parentNode;
  const nearby = [code, pre, parent, parent?.parentNode].filter(element => element != null);
  for (const element of nearby) {
    const stated =
      element.getAttribute("data-lang") ||
      element.getAttribute("data-language") ||
      (languageClass.exec(element.getAttribute("class"))?.[1] ?? "");
    // SyntaxHighlighter separates its settings by semicolons.
    const language = stated.trim().replace(/(?<=\w);$/, "");
    if (/^[^\s`]+$/.test(language)) return noLanguage.has(language) ? "" : language;
  }
  return "";
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
