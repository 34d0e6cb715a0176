/** What an expression becomes when it is compiled, as far as its text shows. */
export interface ExpressionSize {
  /** Instructions, counted repetitions unfolded; never fewer than RE2 makes of it. */
  instructions: number;
  /** Copies that counted repetitions make, those around them multiplied. */
  copies: number;
  /** Groups within one another. */
  depth: number;
  /** Classes of Unicode such as `\p{L}`, each of which is hundreds of ranges. */
  unicodeClasses: number;
  /** Whether a letter may stand for its other cases, which makes classes large. */
  foldsCase: boolean;
  /** Characters in ranges of classes whose other cases RE2 looks up, one by one. */
  foldedCharacters: number;
}

/** A group that is open, or the whole expression. */
interface Group {
  /** Instructions for its two ends: a group that captures nothing has none. */
  ends: number;
  size: number;
  copies: number;
  /** What a repetition would repeat. */
  last: Repeatable;
}

interface Repeatable {
  size: number;
  copies: number;
}

/** The group of a bracket that closes nothing. */
const unopened: Omit<Group, "last"> = { ends: 0, size: 0, copies: 0 };
const nothing: Repeatable = { size: 0, copies: 0 };
const count = /\{(\d{1,8})(?:(,)(\d{0,8}))?\}/y;
const unicodeClass = /\\[pP](?:\{[^}]*\}|[^{])/y;
const braces = /\\x\{[^}]*\}/y;
const groupStart = /\((?:\?(?:P?<[^>]*>|([a-zA-Z]*(?:-[a-zA-Z]*)?)([:)])))?/y;
/** A class that no range begins with. */
const perlClass = /\\[dswDSW]/y;
const escaped = /\\(?:x\{([\da-fA-F]+)\}|x([\da-fA-F]{2})|([0-7]{1,3})|([a-z])|)/y;
/** RE2 looks up the cases of these. */
const [firstFolded, lastFolded] = [0x41, 0x1e943];
/** The ends of a program, and a start that is found anywhere. */
const programEnds = 4;

/**
 * Reads an expression of RE2 from left to right, once, and counts what it would become. Whether it is an expression at all
 * is for the compiler to say: what is none is counted somehow.
 */
export function sizeOf(source: string, foldsCase = false): ExpressionSize {
  return new Reading(source, foldsCase).size();
}

class Reading {
  readonly #source: string;
  readonly #groups: Group[] = [{ ends: 0, size: programEnds, copies: 0, last: nothing }];
  #at = 0;
  #depth = 0;
  #unicodeClasses = 0;
  #foldedCharacters = 0;
  #foldsCase: boolean;

  constructor(source: string, foldsCase: boolean) {
    this.#source = source;
    this.#foldsCase = foldsCase;
  }

  size(): ExpressionSize {
    while (this.#at < this.#source.length) this.#step();
    while (this.#groups.length > 1) this.#close();
    const { size: instructions, copies } = this.#top();
    const [depth, unicodeClasses, foldsCase] = [this.#depth, this.#unicodeClasses, this.#foldsCase];
    return {
      instructions,
      copies,
      depth,
      unicodeClasses,
      foldsCase,
      foldedCharacters: this.#foldedCharacters,
    };
  }

  #top(): Group {
    return this.#groups.at(-1) as Group;
  }

  #step(): void {
    const first = this.#source[this.#at];
    if (first === "\\") this.#escape();
    else if (first === "[") this.#class();
    else if (first === "(") this.#open();
    else if (first === ")") this.#close(1);
    else if (first === "|") this.#alternative();
    else if (first === "*") this.#repeat(1, 2);
    else if (first === "+" || first === "?") this.#repeat(1, 1);
    else if (first !== "{" || !this.#counted()) this.#character();
  }

  /** Reads a code point. */
  #character(): void {
    this.#at += (this.#source.codePointAt(this.#at) ?? 0) > 0xffff ? 2 : 1;
    this.#add({ size: 1, copies: 0 });
  }

  #add(last: Repeatable): void {
    const group = this.#top();
    group.size += last.size;
    group.copies += last.copies;
    group.last = last;
  }

  #escape(): void {
    if (this.#source.startsWith("\\Q", this.#at)) this.#quoted();
    else {
      if (this.#match(unicodeClass)) this.#unicodeClasses += 1;
      else if (!this.#match(braces)) this.#at += 2;
      this.#add({ size: 1, copies: 0 });
    }
  }

  /** `\Q…\E`: a text. */
  #quoted(): void {
    const end = this.#source.indexOf("\\E", this.#at);
    const until = end < 0 ? this.#source.length : end;
    this.#at += 2;
    while (this.#at < until) this.#character();
    this.#at = end < 0 ? until : end + 2;
  }

  #class(): void {
    this.#at += 1;
    if (this.#source[this.#at] === "^") this.#at += 1;
    // A bracket that is first is a character.
    do this.#classPart();
    while (this.#at < this.#source.length && this.#source[this.#at] !== "]");
    this.#at += 1;
    this.#add({ size: 1, copies: 0 });
  }

  #classPart(): void {
    const named = this.#source.startsWith("[:", this.#at) ? this.#source.indexOf(":]", this.#at) : -1;
    if (named >= 0) this.#at = named + 2;
    else if (this.#match(unicodeClass)) this.#unicodeClasses += 1;
    else if (!this.#match(perlClass)) this.#range();
  }

  /** A character of a class, or a range. */
  #range(): void {
    const from = this.#classCharacter();
    if (this.#source[this.#at] !== "-" || this.#source[this.#at + 1] === "]") return;
    this.#at += 1;
    const to = this.#classCharacter();
    const isWhole = from <= firstFolded && to >= lastFolded;
    if (this.#foldsCase && !isWhole)
      this.#foldedCharacters += Math.max(0, Math.min(to, lastFolded) - Math.max(from, firstFolded) + 1);
  }

  #classCharacter(): number {
    const [, braced, hex, octal, control] = this.#match(escaped) ?? [];
    if (braced ?? hex) return Number.parseInt(braced ?? hex ?? "", 16);
    if (octal) return Number.parseInt(octal, 8);
    if (control) return 0;
    const character = this.#source.codePointAt(this.#at) ?? 0;
    this.#at += character > 0xffff ? 2 : 1;
    return character;
  }

  #open(): void {
    const [, flags = "", end] = this.#match(groupStart) ?? [];
    if (flags.split("-")[0]?.includes("i")) this.#foldsCase = true;
    // `(?i)` changes flags and opens nothing.
    if (end === ")") return;
    this.#groups.push({ ends: end === ":" ? 0 : 2, size: 0, copies: 0, last: nothing });
    this.#depth = Math.max(this.#depth, this.#groups.length - 1);
  }

  /** Ends a group. */
  #close(length = 0): void {
    this.#at += length;
    const { ends, size, copies } = (this.#groups.length > 1 && this.#groups.pop()) || unopened;
    this.#add({ size: Math.max(size + ends, 1), copies });
  }

  #alternative(): void {
    this.#at += 1;
    this.#add({ size: 1, copies: 0 });
    this.#top().last = nothing;
  }

  /** Repeats what was last: `*`, `+`, `?`, each of which may be lazy. */
  #repeat(length: number, more: number): void {
    this.#at += length;
    this.#grow(({ size, copies }) => ({ size: size + more, copies }));
  }

  #counted(): boolean {
    const [, from = "", comma, to = ""] = this.#match(count) ?? [];
    if (from === "") return false;
    const least = Number(from);
    const most = to === "" ? least : Number(to);
    const times = Math.max(most, 1);
    // Each copy that may be missing is a choice; without an end, the last one repeats.
    const choices = comma === undefined ? 0 : Math.max(most - least, 0) + 2;
    this.#grow(({ size, copies }) => ({ size: size * times + choices, copies: times * Math.max(copies, 1) }));
    return true;
  }

  /** Replaces what was last. */
  #grow(grown: (last: Repeatable) => Repeatable): void {
    if (this.#source[this.#at] === "?") this.#at += 1;
    const group = this.#top();
    const last = grown(group.last);
    group.size += last.size - group.last.size;
    group.copies += last.copies - group.last.copies;
    group.last = last;
  }

  /** Moves behind what matches here. */
  #match(expression: RegExp): RegExpExecArray | null {
    expression.lastIndex = this.#at;
    const found = expression.exec(this.#source);
    if (found) this.#at += found[0].length;
    return found;
  }
}
