import type { ElementNode } from "../html/tree.ts";
import { mostChars, mostNameChars, mostNameLength, mostNames } from "./tokens.ts";
import { hashWith, noHash } from "./word-table.ts";

/**
 * Clues are what training gives a weight: a word, two words that follow one another, a short text as a whole, the words of
 * the heading above, a class, a role. Each is a number that is made of its kind and its characters.
 */
export class ClueList {
  readonly numbers = new Int32Array(512);
  size = 0;

  add(clue: number): void {
    if (this.size < this.numbers.length) this.numbers[this.size++] = clue;
  }

  clear(): this {
    this.size = 0;
    return this;
  }
}

/** The kinds of clues. */
const kinds = { name: 1, part: 2, tag: 3, role: 4, property: 5, type: 6, label: 7 };
const ofShort = { word: 11, pair: 12, start: 13, whole: 14 };
const ofLong = { word: 21, pair: 22 };
const ofHeading = { word: 31, whole: 32 };

/** An element says more of the text in it the nearer it is: its clue at a level, 0 for the element that holds the text. */
export function clueAt(level: number, clue: number): number {
  return mixed(clue, 41 + level);
}

/** How many levels an element's clues have of their own. */
export const clueLevels = 2;

/** Adds what an element says of all text in it: its names and their parts, its role, label and type. */
export function addElementClues(list: ClueList, { attributes }: ElementNode): void {
  if (attributes.size === 0) return;
  addNames(list, attributes.get("class"));
  addNames(list, attributes.get("id"));
  addFirst(list, attributes.get("role"), kinds.role);
  addFirst(list, attributes.get("itemprop"), kinds.property);
  addFirst(list, attributes.get("itemtype"), kinds.type);
  const label = attributes.get("aria-label");
  if (label === undefined) return;
  const count = findWords(label, 5);
  for (let at = 0; at < count; at++) list.add(mixed(words[at]!, kinds.label));
}

/** The clue of an element's name. */
export function tagClue({ name }: ElementNode): number {
  return mixed(hashOf(name), kinds.tag);
}

function addNames(list: ClueList, names: string | undefined): void {
  if (names === undefined) return;
  const end = Math.min(names.length, mostNameChars);
  for (let at = 0, count = 0; at < end && count < mostNames; at++) {
    if (isWhite(names.charCodeAt(at))) continue;
    const start = at;
    while (at < end && !isWhite(names.charCodeAt(at))) at++;
    count++;
    if (at - start <= mostNameLength) addName(list, names, start, at);
  }
}

/** Adds a name, and its parts if it has several: they end where a small letter does. */
function addName(list: ClueList, names: string, start: number, end: number): void {
  let whole = noHash;
  let part = noHash;
  let length = 0;
  let parts = 0;
  for (let at = start; at < end; at++) {
    const code = names.charCodeAt(at);
    const isUpper = code >= 65 && code <= 90;
    const isLower = (code >= 97 && code <= 122) || code > 127;
    // Numbers count parts of a page: they are all the same.
    if (!isDigit(code)) whole = hashWith(whole, isUpper ? code + 32 : code);
    else if (at === start || !isDigit(names.charCodeAt(at - 1))) whole = hashWith(whole, 48);
    if ((!isLower && !isUpper) || (isUpper && !isUpperAt(names, at - 1, start))) {
      if (length > 1) list.add(mixed(part, kinds.part));
      parts++;
      part = noHash;
      length = 0;
    }
    if (!isLower && !isUpper) continue;
    part = hashWith(part, isUpper ? code + 32 : code);
    length++;
  }
  if (length > 1 && parts > 0) list.add(mixed(part, kinds.part));
  list.add(mixed(whole, kinds.name));
}

function isUpperAt(names: string, at: number, start: number): boolean {
  if (at < start) return true;
  const code = names.charCodeAt(at);
  return code >= 65 && code <= 90;
}

function isDigit(code: number): boolean {
  return code >= 48 && code <= 57;
}

function isWhite(code: number): boolean {
  return code === 32 || (code >= 9 && code <= 13);
}

function addFirst(list: ClueList, value: string | undefined, kind: number): void {
  if (value === undefined) return;
  const [word = ""] = value.trim().slice(-30).toLowerCase().split(/\s/, 1);
  if (word !== "") list.add(mixed(hashOf(word), kind));
}

function hashOf(text: string): number {
  let hash = noHash;
  for (let at = 0; at < text.length; at++) hash = hashWith(hash, text.charCodeAt(at));
  return hash;
}

const mostShort = 10;
const mostWhole = 5;
const mostLong = 30;

/** Adds what a text says of itself. */
export function addTextClues(list: ClueList, text: string): void {
  const count = findWords(text, mostLong);
  if (count === 0) return;
  const isShort = count <= mostShort;
  const kind = isShort ? ofShort : ofLong;
  for (let at = 0; at < count; at++) {
    list.add(mixed(words[at]!, kind.word));
    if (at > 0) list.add(mixed(joined(words[at - 1]!, words[at]!), kind.pair));
  }
  if (!isShort) return;
  list.add(mixed(count > 1 ? joined(words[0]!, words[1]!) : words[0]!, ofShort.start));
  if (count <= mostWhole) list.add(mixed(allOf(count), ofShort.whole));
}

const mostOfHeading = 8;

/** Adds what a heading says of the text below it. */
export function addHeadingClues(list: ClueList, text: string): void {
  const count = findWords(text, mostOfHeading);
  for (let at = 0; at < count; at++) list.add(mixed(words[at]!, ofHeading.word));
  if (count > 0) list.add(mixed(allOf(count), ofHeading.whole));
}

/** The hashes of the words that were found. */
const words = new Int32Array(mostLong);

function joined(first: number, second: number): number {
  return (Math.imul(first, 0x01000193) ^ second) | 0;
}

function allOf(count: number): number {
  let hash = words[0]!;
  for (let at = 1; at < count; at++) hash = joined(hash, words[at]!);
  return hash;
}

/** Finds the first words of a text; returns how many, at most `most`. */
function findWords(text: string, most: number): number {
  const lower = (text.length > mostChars ? text.slice(0, mostChars) : text).toLowerCase();
  let count = 0;
  let hash = noHash;
  let isIn = false;
  for (let at = 0; at < lower.length; at++) {
    const code = lower.charCodeAt(at);
    if ((code >= 97 && code <= 122) || (code > 127 && isLetter(code))) {
      hash = hashWith(hash, code);
      isIn = true;
    } else if (isIn) {
      words[count++] = hash;
      if (count === most) return count;
      hash = noHash;
      isIn = false;
    }
  }
  if (isIn) words[count++] = hash;
  return count;
}

const [unknown, other, letter] = [0, 1, 2];
const known = new Uint8Array(0x10000);

function isLetter(code: number): boolean {
  if (known[code] === unknown) known[code] = /\p{L}/u.test(String.fromCharCode(code)) ? letter : other;
  return known[code] === letter;
}

/** A number in which each bit depends on all bits of the hash and on the kind (MurmurHash3, Appleby 2008). */
function mixed(hash: number, kind: number): number {
  let bits = Math.imul(hash ^ Math.imul(kind, 0x9e3779b1), 0x85ebca6b);
  bits = Math.imul(bits ^ (bits >>> 13), 0xc2b2ae35);
  return bits ^ (bits >>> 16);
}
