import { RE2JS } from "re2js";
import type { RequestBudget } from "./request-budget.ts";

/** A regular expression of a user, in the syntax of RE2. Tests take time that is linear in the text. */
export interface Expression {
  test(text: string): boolean;
}

interface ExpressionOptions {
  /** `i`, `m` and `s`. */
  flags?: string;
  /** Instructions of the compiled expression, at most. */
  mostInstructions?: number;
  /** What the request may cost; without it, the expression counts alone. */
  budget?: RequestBudget;
}

/** Go's limit for the repetitions of an expression, those within one another multiplied. */
const mostCopies = 1000;
const mostInstructions = 2500;
const mostDepth = 50;
const mostUnicodeClasses = 20;

/** What a class of Unicode costs to compile, in instructions; more where letters stand for their other cases. */
const [classCost, foldedClassCost] = [20, 100];

const flagBits: Record<string, number> = {
  i: RE2JS.CASE_INSENSITIVE,
  m: RE2JS.MULTILINE,
  s: RE2JS.DOTALL,
};

/**
 * Compiles an expression. What it costs is counted in its text before: RE2 matches in linear time, but unfolds counted
 * repetitions when it compiles them, so that sixteen characters may take seconds. Throws an error whose message is meant
 * for the author of the expression.
 */
export function compileExpression(source: string, options: ExpressionOptions = {}): Expression {
  const { flags = "", budget, mostInstructions: most } = options;
  const unknown = [...flags].find(flag => !Object.hasOwn(flagBits, flag));
  if (unknown !== undefined) throw new SyntaxError(`The flag ${unknown} is not one of i, m and s.`);
  admit(sizeOf(source, flags.includes("i")), budget);
  const bits = [...flags].reduce((all, flag) => all | (flagBits[flag] ?? 0), 0);
  const expression = compileOrExplain(source, bits);
  if (most !== undefined && expression.programSize() > most) throw new RangeError(tooLarge);
  return expression;
}

/**
 * A pattern of a JSON Schema: an expression of JavaScript, in the syntax of RE2. Without a budget, one that was checked before
 * and may be older than today's limits.
 */
export function compileSchemaPattern(pattern: string, budget?: RequestBudget): Expression {
  const source = RE2JS.translateRegExp(pattern);
  return budget ? compileExpression(source, { budget }) : compileOrExplain(source, 0);
}

const tooLarge = "This regular expression is too large.";

function admit(size: ExpressionSize, budget: RequestBudget | undefined): void {
  const { instructions, copies, depth, unicodeClasses, foldsCase } = size;
  if (copies > mostCopies)
    throw new RangeError(`Its counted repetitions come to more than ${mostCopies} in all.`);
  if (depth > mostDepth) throw new RangeError(`Its groups nest more than ${mostDepth} levels deep.`);
  if (unicodeClasses > mostUnicodeClasses)
    throw new RangeError(`It has more than ${mostUnicodeClasses} classes of Unicode.`);
  if (instructions > mostInstructions) throw new RangeError(tooLarge);
  const cost = instructions + unicodeClasses * (foldsCase ? foldedClassCost : classCost);
  if (budget?.spend(cost) === false)
    throw new RangeError("The selectors and expressions of this request are too large together.");
}

function compileOrExplain(source: string, bits: number): RE2JS {
  try {
    return RE2JS.compile(source, bits);
  } catch (cause) {
    const reason = (cause as Error).message.replace(/^error parsing regexp: /, "");
    throw new SyntaxError(`This is not a regular expression that RE2 can run: ${reason}.`, { cause });
  }
}

/** What an expression becomes when it is compiled, as far as its text tells. */
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

/** For a bracket that closes nothing. */
const unopened: Omit<Group, "last"> = { ends: 0, size: 0, copies: 0 };
const nothing: Repeatable = { size: 0, copies: 0 };
const count = /\{(\d{1,8})(?:(,)(\d{0,8}))?\}/y;
const unicodeClass = /\\[pP](?:\{[^}]*\}|[^{])/y;
const braces = /\\x\{[^}]*\}/y;
const groupStart = /\((?:\?(?:P?<[^>]*>|([a-zA-Z]*(?:-[a-zA-Z]*)?)([:)])))?/y;
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
    return { instructions, copies, depth, unicodeClasses, foldsCase };
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

  /** One code point. */
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
    if (this.#source[this.#at] === "]") this.#at += 1;
    while (this.#at < this.#source.length && this.#source[this.#at] !== "]") this.#classPart();
    this.#at += 1;
    this.#add({ size: 1, copies: 0 });
  }

  #classPart(): void {
    const named = this.#source.startsWith("[:", this.#at) ? this.#source.indexOf(":]", this.#at) : -1;
    if (named >= 0) this.#at = named + 2;
    else if (this.#match(unicodeClass)) this.#unicodeClasses += 1;
    else this.#at += this.#source[this.#at] === "\\" ? 2 : 1;
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
