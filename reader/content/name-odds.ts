import type { ElementNode } from "../html/tree.ts";
import type { Frame } from "./outline.ts";
import {
  elementTokens,
  mostNameChars,
  mostNameLength,
  mostNames,
  nameTokens,
  propertyTokens,
  type TokenOdds,
} from "./tokens.ts";
import { hashWith, noHash, WordTable } from "./word-table.ts";

/** The odds of the names of each element, summed over its tokens, and what they come to with those around it. */
export class NameOdds {
  /** At each element's place in the outline: its own odds, and over it and all around it their sum, least and most. */
  readonly own: Float64Array;
  readonly sums: Float64Array;
  readonly least: Float64Array;
  readonly most: Float64Array;
  private readonly odds: TokenOdds;
  private readonly known: KnownNames;
  /** Many elements of a page share their classes. */
  private readonly byClass = new Map<string, { odds: number; names: number }>();

  /** `frames` has each element after the one around it. */
  constructor(frames: readonly Frame[], odds: TokenOdds) {
    this.odds = odds;
    this.known = knownNames(odds);
    this.own = new Float64Array(frames.length);
    this.sums = new Float64Array(frames.length);
    this.least = new Float64Array(frames.length);
    this.most = new Float64Array(frames.length);
    for (let at = 0; at < frames.length; at++) {
      const { element, parent } = frames[at] as Frame;
      const own = this.read(element);
      const above = parent?.index ?? 0;
      this.own[at] = own;
      this.sums[at] = this.sums[above]! + own;
      this.least[at] = Math.min(this.least[above]!, own);
      this.most[at] = Math.max(this.most[above]!, own);
    }
  }

  of(frame: Frame | null): number {
    return frame === null ? 0 : this.own[frame.index]!;
  }

  private read(element: ElementNode): number {
    const { name, attributes } = element;
    const tag = this.known.tags.get(name) ?? 0;
    if (attributes.size === 0) return tag;
    const [classes, id] = [attributes.get("class") ?? "", attributes.get("id") ?? ""];
    if (classes.length + id.length >= mostNameChars) return this.oddsOf(elementTokens(element));
    const named = this.classOdds(classes);
    if (named.names >= mostNames) return this.oddsOf(elementTokens(element));
    let kind = tag;
    for (const token of propertyTokens(attributes)) kind += this.odds.get(token) ?? 0;
    return kind + named.odds + (id === "" ? 0 : this.nameOdds(id));
  }

  private classOdds(classes: string): { odds: number; names: number } {
    const known = this.byClass.get(classes);
    if (known !== undefined) return known;
    const odds = {
      odds: classes === "" ? 0 : this.nameOdds(classes),
      names: classes.length < 2 * mostNames - 1 ? 1 : classes.split(/\s+/, mostNames).length,
    };
    this.byClass.set(classes, odds);
    return odds;
  }

  /** Reads the odds of `nameTokens` without cutting out what is ASCII. */
  private nameOdds(names: string): number {
    let sum = 0;
    for (let at = 0, count = 0; at < names.length && count < mostNames; at++) {
      if (isWhite(names.charCodeAt(at))) continue;
      const start = at;
      while (at < names.length && !isWhite(names.charCodeAt(at))) {
        if (names.charCodeAt(at) > 127) return this.oddsOf(nameTokens(names));
        at++;
      }
      count++;
      if (at - start <= mostNameLength) sum = this.addName(sum, names, start, at);
    }
    return sum;
  }

  /** Adds the odds of a whole name, and of its parts if it has several. */
  private addName(sum: number, names: string, start: number, end: number): number {
    const { table, whole, parts } = this.known;
    const length = takeName(names, start, end);
    let hash = noHash;
    let hasParts = false;
    for (let at = 0; at < length; at++) {
      hash = hashWith(hash, codes[at]!);
      hasParts ||= !isLower(codes[at]!);
    }
    const place = table.find(codes, 0, length, hash);
    let added = place < 0 ? sum : sum + whole[place]!;
    for (let at = 0; hasParts && at < length; at++) {
      const first = at;
      for (hash = noHash; at < length && isLower(codes[at]!); at++) hash = hashWith(hash, codes[at]!);
      const part = at - first > 1 ? table.find(codes, first, at, hash) : -1;
      if (part >= 0) added += parts[part]!;
    }
    return added;
  }

  private oddsOf(tokens: readonly string[]): number {
    let sum = 0;
    for (const token of tokens) sum += this.odds.get(token) ?? 0;
    return sum;
  }
}

/** The name that is being read, in lower case and with a hyphen where a capital began a word. */
const codes = new Uint16Array(2 * mostNameLength);

/** Returns its length. */
function takeName(names: string, start: number, end: number): number {
  let length = 0;
  let isAfterLower = false;
  for (let at = start; at < end; at++) {
    const code = names.charCodeAt(at);
    const isUpper = code >= 65 && code <= 90;
    if (isUpper && isAfterLower) codes[length++] = hyphen;
    codes[length++] = isUpper ? code + 32 : code;
    isAfterLower = isLower(code);
  }
  return length;
}

const hyphen = 45;

function isLower(code: number): boolean {
  return code >= 97 && code <= 122;
}

/** White space of ASCII. */
function isWhite(code: number): boolean {
  return code === 32 || (code >= 9 && code <= 13);
}

/** The odds of tags, and of names without the marks of their kind, by the name's place in the table; 0 where there are none. */
interface KnownNames {
  tags: Map<string, number>;
  table: WordTable;
  whole: Float64Array;
  parts: Float64Array;
}

const knownOf = new WeakMap<TokenOdds, KnownNames>();

function knownNames(odds: TokenOdds): KnownNames {
  const found = knownOf.get(odds);
  if (found !== undefined) return found;
  const marked = (mark: string) =>
    new Map([...odds].flatMap(([token, value]) => (token.startsWith(mark) ? [[token.slice(1), value]] : [])));
  const [whole, parts] = [marked("."), marked("~")];
  const list = [...new Set([...whole.keys(), ...parts.keys()])];
  const valuesOf = (names: Map<string, number>) => Float64Array.from(list, name => names.get(name) ?? 0);
  const known = {
    tags: marked("<"),
    table: new WordTable(list),
    whole: valuesOf(whole),
    parts: valuesOf(parts),
  };
  knownOf.set(odds, known);
  return known;
}
