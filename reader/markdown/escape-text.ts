import { type ElementNode, indexIn, isBlock, isText, type PageNode } from "../html/tree.ts";

const special = /[\\`*_~[\]<&!|]/;
const word = /[\p{L}\p{N}]/u;
const asciiPunctuation = /[!-/:-@[-`{-~]/;
const lineStart =
  /^(?:([-+])(?=\s|$|[-=]*$)|(=+)(?=\s*$)|(#{1,6})(?=\s|$)|(>)|(\d{1,9})([.)])(?=\s|$)|(-{2,})|(~{3,}))/;

/** The context of a piece of text. */
interface TextPlace {
  isLineStart: boolean;
  isInLink: boolean;
  /** First character of what follows in the same block: `[` for a link, the empty string at the end. */
  next(): string;
}

/**
 * Escapes only what a GFM parser would read as markup: a `_` inside a word or a `*` between spaces cannot
 * open or close emphasis, a `]` that no `(`, `[` or `:` follows ends no link (GFM 0.29, sections 6.4 and 6.6).
 */
export function escapeText(text: string, place: TextPlace): string {
  const escaped = special.test(text) ? escapeInline(text, place) : text;
  return place.isLineStart ? escapeLineStart(escaped) : escaped;
}

function escapeInline(text: string, { isInLink, next, isLineStart }: TextPlace): string {
  let escaped = "";
  let from = 0;
  const addresses = isInLink ? [] : addressesIn(text);
  let nearest = 0;
  for (let at = 0; at < text.length; at++) {
    if (!special.test(text[at] ?? "")) continue;
    while ((addresses[nearest]?.[1] ?? text.length) <= at) nearest++;
    if (at > (addresses[nearest]?.[0] ?? text.length) && addressSigns.has(text[at] ?? "")) continue;
    if (!isMarkup(text, at, isInLink, next, isLineStart)) continue;
    escaped += `${text.slice(from, at)}\\`;
    from = at;
  }
  return escaped + text.slice(from);
}

/** Where bare addresses begin and end, which a GFM parser makes links of (GFM 0.29, section 6.9). */
function addressesIn(text: string): (readonly [start: number, end: number])[] {
  if (!text.includes("://") && !text.includes("www.")) return [];
  return Array.from(
    text.matchAll(/(?<![\p{L}\p{N}])(?:https?:\/\/|www\.)[^\s<]+/gu),
    ({ 0: found, index }) => [index, index + found.length],
  );
}

/** In an address a backslash before these would be a part of it. */
const addressSigns = new Set("_*~");

function isMarkup(
  text: string,
  at: number,
  isInLink: boolean,
  next: () => string,
  isLineStart: boolean,
): boolean {
  const after = text[at + 1] ?? next();
  const before = text[at - 1] ?? (isLineStart ? "" : "x");
  switch (text[at]) {
    case "\\":
      return after === "" || asciiPunctuation.test(after);
    case "`":
      return true;
    case "*":
      return !(isGap(before) && isGap(after)) || before === "";
    case "_":
      return !(word.test(before) && word.test(after)) && !(isGap(before) && isGap(after) && before !== "");
    case "~":
      return after === "~" || before === "~" || !isGap(before);
    case "[":
      return isInLink || text.slice(at + 1, at + 4).match(/^[ xX]?\]/) !== null;
    case "]":
      return isInLink || at === text.length - 1 || after === "(" || after === "[" || after === ":";
    case "!":
      return at === text.length - 1 && after === "[";
    case "<":
      return after === "" || /[a-zA-Z/!?]/.test(after) || at === text.length - 1;
    case "&":
      return /^&(?:#\d{1,7}|#[xX][\da-fA-F]{1,6}|[a-zA-Z][a-zA-Z\d]*);/.test(text.slice(at, at + 40));
    default:
      return isLineStart && at === 0;
  }
}

function isGap(character: string): boolean {
  return character === "" || /\s/.test(character);
}

function escapeLineStart(text: string): string {
  return text.replace(lineStart, (match, _1, _2, _3, _4, digits?: string, mark?: string) =>
    digits === undefined ? `\\${match}` : `${digits}\\${mark}`,
  );
}

/** How far to look for a sibling that has any content. */
const maxEmptySiblings = 20;

const markers: Record<string, string> = {
  a: "[",
  img: "!",
  code: "`",
  em: "*",
  i: "*",
  strong: "*",
  b: "*",
  del: "~",
  s: "~",
  sup: "<",
  sub: "<",
};

/** The first character after a node in its block, as written; the empty string at the end of the block. */
export function followingCharacter(node: PageNode): string {
  let at = node;
  for (let parent = at.parentNode; parent !== null; parent = at.parentNode) {
    const from = indexIn(parent, at) + 1;
    for (const sibling of parent.childNodes.slice(from, from + maxEmptySiblings)) {
      const first = firstCharacter(sibling);
      if (first !== undefined) return first;
    }
    if (isBlock(parent.name)) return "";
    at = parent;
  }
  return "";
}

function firstCharacter(node: PageNode): string | undefined {
  if (isText(node))
    return node.text === "" ? undefined : String.fromCodePoint(node.text.codePointAt(0) ?? 32);
  if (node.name === "br" || isBlock(node.name)) return "";
  if (node.name === "img") return markers.img;
  const inner = firstInside(node);
  const marker = markers[node.name];
  return marker === undefined || inner === undefined || /^\s/.test(inner) ? inner : marker;
}

function firstInside(element: ElementNode): string | undefined {
  for (const child of element.childNodes) {
    const first = firstCharacter(child);
    if (first !== undefined) return first;
  }
  return undefined;
}
