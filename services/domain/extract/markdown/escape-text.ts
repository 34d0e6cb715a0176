const special = /[\\`*_~[\]<&!|]/;
const word = /[\p{L}\p{N}]/u;
const asciiPunctuation = /[!-/:-@[-`{-~]/;
const lineStart =
  /^(?:([-+])(?=\s|$|[-=]*$)|(=+)(?=\s*$)|(#{1,6})(?=\s|$)|(>)|(\d{1,9})([.)])(?=\s|$)|(-{2,})|(~{3,}))/;

/** Where a piece of text will stand. */
export interface TextPlace {
  isLineStart: boolean;
  isInLink: boolean;
  /** First character of what follows in the same block: `[` for a link, the empty string at the end. */
  next: string;
}

/**
 * Escapes what a GFM parser would take for markup, and no more: a `_` inside a word or a `*` between spaces cannot
 * open or close emphasis, a `]` that no `(`, `[` or `:` follows ends no link (GFM 0.29, sections 6.4 and 6.6).
 */
export function escapeText(text: string, place: TextPlace): string {
  const escaped = special.test(text) ? escapeInline(text, place) : text;
  return place.isLineStart ? escapeLineStart(escaped) : escaped;
}

function escapeInline(text: string, { isInLink, next, isLineStart }: TextPlace): string {
  let escaped = "";
  let from = 0;
  for (let at = 0; at < text.length; at++) {
    if (!special.test(text[at] ?? "")) continue;
    if (!isMarkup(text, at, isInLink, next, isLineStart)) continue;
    escaped += `${text.slice(from, at)}\\`;
    from = at;
  }
  return escaped + text.slice(from);
}

function isMarkup(text: string, at: number, isInLink: boolean, next: string, isLineStart: boolean): boolean {
  const after = text[at + 1] ?? next;
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
      return at === text.length - 1 && next === "[";
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
