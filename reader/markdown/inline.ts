import { joinLines } from "../html/plain-text.ts";

const punctuation = /[\p{P}\p{S}]/u;

/** A pair of delimiters for emphasis. */
type Delimiters = readonly [open: string, close: string];

const forms: Record<"em" | "strong" | "del", readonly Delimiters[]> = {
  em: [
    ["*", "*"],
    ["_", "_"],
    ["<em>", "</em>"],
  ],
  strong: [
    ["**", "**"],
    ["__", "__"],
    ["<strong>", "</strong>"],
  ],
  del: [
    ["~~", "~~"],
    ["<del>", "</del>"],
  ],
};

/**
 * Puts emphasis around `content`, white space at its ends outside. Takes the first form that a GFM parser reads back
 * between the characters `before` and `after` (the empty string at a block's edge): the delimiters must be flanking
 * (GFM 0.29, section 6.4) and must not touch others of their kind. If there is none, writes the HTML element.
 */
export function emphasise(
  kind: "em" | "strong" | "del",
  content: string,
  before: string,
  after: string,
): string {
  const inner = content.trim();
  if (inner === "" || inner.includes("\n\n")) return content;
  const start = content.length - content.trimStart().length;
  const lead = content.slice(0, start);
  const trail = content.slice(start + inner.length);
  const outerBefore = lead === "" ? before : " ";
  const outerAfter = trail === "" ? after : " ";
  for (const [open, close] of forms[kind]) {
    if (open.startsWith("<") || isReadable(open, inner, outerBefore, outerAfter)) {
      return lead + open + inner + close + trail;
    }
  }
  return content;
}

function isReadable(delimiter: string, inner: string, before: string, after: string): boolean {
  const mark = delimiter[0] ?? "";
  if (before === mark || after === mark) return false;
  if (hasUnescaped(inner, mark)) return false;
  const first = firstCharacter(inner);
  const last = lastCharacter(inner);
  const opens = !isPunctuation(first) || isEdge(before);
  const closes = !isPunctuation(last) || isEdge(after);
  if (!opens || !closes) return false;
  return mark !== "_" || (isEdge(before) && isEdge(after));
}

/** Whether inner markup uses the same mark: then only another mark separates the two. */
function hasUnescaped(inner: string, mark: string): boolean {
  for (let at = inner.indexOf(mark); at >= 0; at = inner.indexOf(mark, at + 1)) {
    if (inner[at - 1] !== "\\") return true;
  }
  return false;
}

function isEdge(character: string): boolean {
  return character === "" || /\s/.test(character) || isPunctuation(character);
}

function isPunctuation(character: string): boolean {
  return punctuation.test(character);
}

function firstCharacter(text: string): string {
  return String.fromCodePoint(text.codePointAt(0) ?? 32);
}

function lastCharacter(text: string): string {
  const code = text.charCodeAt(text.length - 1);
  const isLowSurrogate = code >= 0xdc00 && code <= 0xdfff;
  return text.slice(isLowSurrogate ? -2 : -1);
}

const scheme = /^[a-z][a-z0-9+.-]{1,31}:[^\s<>]*$/i;

/**
 * An inline link, or an autolink if the text is the URL. `content` is markdown, `text` is the visible text. A link
 * without content gives nothing.
 */
export function renderLink(content: string, text: string, href: string, title: string): string {
  const inner = joinLines(content.trim());
  if (inner === "") return content === "" ? "" : " ";
  const lead = /^\s/.test(content) ? " " : "";
  const trail = /\s$/.test(content) ? " " : "";
  return lead + (autolink(text.trim(), href) ?? `[${inner}](${destination(href)}${quoted(title)})`) + trail;
}

/** An image. Its alternative text is plain; brackets in it are escaped. */
export function renderImage(alt: string, src: string, title: string): string {
  const text = alt
    .replace(/\s+/g, " ")
    .trim()
    .replace(/[\\`*_[\]<]/g, "\\$&");
  return `![${text}](${destination(src)}${quoted(title)})`;
}

function autolink(text: string, href: string): string | undefined {
  if (scheme.test(text) && (text === href || `${text}/` === href)) return `<${text}>`;
  if (href === `mailto:${text}` && /^[\w.+-]+@[\w.-]+$/.test(text)) return `<${text}>`;
  return undefined;
}

/** Puts URLs with white space, control characters or unbalanced parentheses in angle brackets. */
function destination(url: string): string {
  const safe = url
    .replace(/[\n\r]/g, "")
    .replace(/\\(?=[!-/:-@[-`{-~])/g, "\\\\")
    .replace(/&(?=#?\w+;)/g, "\\&");
  if (safe === "") return "";
  return /[\s<>\x00-\x1f]/.test(safe) || !isBalanced(safe) ? `<${safe.replace(/[<>]/g, "\\$&")}>` : safe;
}

function isBalanced(url: string): boolean {
  let open = 0;
  for (const character of url) {
    if (character === "(") open++;
    if (character === ")" && --open < 0) return false;
  }
  return open === 0;
}

function quoted(title: string): string {
  const text = joinLines(title).trim();
  return text === "" ? "" : ` "${text.replace(/["\\&]/g, "\\$&")}"`;
}
