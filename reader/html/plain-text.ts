import { type ElementNode, isBlock, isText, type Weight } from "./tree.ts";

/** The visible text of a tree: a line for each block, without markup. */
export function plainText(root: ElementNode): string {
  const lines: string[] = [];
  let line = "";
  const end = (): void => {
    const text = (line.includes("  ") ? line.replace(/ {2,}/g, " ") : line).trim();
    if (text !== "") lines.push(text);
    line = "";
  };
  const visit = (element: ElementNode): void => {
    for (const child of element.childNodes) {
      if (isText(child)) line += child.text;
      else if (child.name === "br" || child.name === "hr") end();
      else if (child.name === "td" || child.name === "th") {
        line += " ";
        visit(child);
      } else if (isBlock(child.name)) {
        end();
        visit(child);
        end();
      } else visit(child);
    }
  };
  visit(root);
  end();
  return lines.join("\n");
}

const proseBlocks = new Set(["p", "pre", "blockquote", "dd"]);
const minProse = 40;

/** Weighs every element of a tree in one pass; each keeps its weight. */
export function weighTree(root: ElementNode): (element: ElementNode) => Weight {
  weigh(root, false);
  return element => element;
}

function weigh(element: ElementNode, isInLink: boolean): void {
  const isLink = isInLink || element.name === "a";
  let chars = 0;
  let linkChars = 0;
  let proseChars = 0;
  let ownChars = 0;
  for (const child of element.childNodes) {
    if (isText(child)) ownChars += child.isWhitespace ? 0 : child.text.length;
    else {
      weigh(child, isLink);
      chars += child.chars;
      linkChars += child.linkChars;
      proseChars += child.proseChars;
    }
  }
  chars += ownChars;
  if (isLink) linkChars += ownChars;
  const isHeavy = chars >= minProse && linkChars < chars / 2;
  const isProse =
    isHeavy && (proseBlocks.has(element.name) || (element.name === "div" && ownChars > chars / 2));
  element.chars = chars;
  element.linkChars = linkChars;
  element.proseChars = isProse ? chars : proseChars;
}

const spaces = /\s+/g;
const runs = /[ \t\n\f\r]{2,}|[\t\n\f\r]/g;

/** Replaces every run of HTML white space by one space; keeps no-break spaces. */
export function collapse(text: string): string {
  return text.replace(runs, " ");
}

/**
 * Puts `joint` in place of each run of white space that ends a line. Takes the runs one by one: an expression that looks
 * for a line end within white space takes quadratic time on a run that has none.
 */
export function joinLines(text: string, joint: (lineEnds: number) => string = () => " "): string {
  if (!text.includes("\n")) return text;
  return text.replace(spaces, run => {
    const lineEnds = run.split("\n").length - 1;
    return lineEnds === 0 ? run : joint(lineEnds);
  });
}

/** Scripts that are written without spaces between words. */
const unspaced = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]/u;
const word = /[\p{L}\p{N}]/u;
/** What is segmented at a time. */
const maxRun = 500;

let segmenter: Intl.Segmenter | undefined;

const [unknown, space, sign, letter, hard] = [0, 1, 2, 3, 4];
/** What a UTF-16 code is, filled as codes occur: `hard` is one of a script without spaces, or half of a character. */
const kinds = new Uint8Array(0x10000);

function kindOf(code: number): number {
  const kind = kinds[code]!;
  return kind === unknown ? learnKind(code) : kind;
}

function learnKind(code: number): number {
  const character = String.fromCharCode(code);
  const isHard = unspaced.test(character) || (code & 0xf800) === 0xd800;
  const kind = /\s/.test(character) ? space : isHard ? hard : word.test(character) ? letter : sign;
  kinds[code] = kind;
  return kind;
}

/**
 * The words of a text in any language: what white space separates and has a letter or digit; in scripts without spaces
 * what Intl.Segmenter finds. Time is linear in the text.
 */
export function countWords(text: string): number {
  let count = 0;
  let start = -1;
  let most = space;
  for (let at = 0; at <= text.length; at++) {
    const kind = at < text.length ? kindOf(text.charCodeAt(at)) : space;
    if (kind !== space) {
      if (start < 0) start = at;
      if (kind > most) most = kind;
    } else if (start >= 0) {
      if (most === hard) count += countHard(text.slice(start, at));
      else if (most === letter) count++;
      start = -1;
      most = space;
    }
  }
  return count;
}

function countHard(run: string): number {
  if (unspaced.test(run)) return countUnspaced(run);
  return word.test(run) ? 1 : 0;
}

function countUnspaced(run: string): number {
  segmenter ??= new Intl.Segmenter("und", { granularity: "word" });
  let count = 0;
  for (let at = 0; at < run.length; at += maxRun) {
    for (const { isWordLike } of segmenter.segment(run.slice(at, at + maxRun))) if (isWordLike) count++;
  }
  return count;
}
