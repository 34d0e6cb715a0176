import { RE2JS } from "re2js";
import { type ExpressionSize, sizeOf } from "./expression-size.ts";
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
  /** What the request may cost; without it, the expression was checked before, and may be older than today's limits. */
  budget?: RequestBudget;
}

/** Go's limit for the repetitions of an expression, those within one another multiplied. */
const mostCopies = 1000;
const mostInstructions = 2500;
const mostDepth = 50;
const mostUnicodeClasses = 20;
/** Characters whose other cases cost as much to look up as an instruction. */
const foldedPerInstruction = 50;

/** What a class of Unicode costs to compile, in instructions; more where letters stand for their other cases. */
const [classCost, foldedClassCost] = [20, 100];

const flagBits: Record<string, number> = {
  i: RE2JS.CASE_INSENSITIVE,
  m: RE2JS.MULTILINE,
  s: RE2JS.DOTALL,
};

/**
 * Compiles an expression. With a budget, what it costs is counted in its text before: RE2 matches in linear time, but
 * unfolds counted repetitions when it compiles them, so that sixteen characters may take seconds. Throws an error whose
 * message is meant for the author of the expression.
 */
export function compileExpression(source: string, options: ExpressionOptions = {}): Expression {
  const { flags = "", budget, mostInstructions: most } = options;
  const unknown = [...flags].find(flag => !Object.hasOwn(flagBits, flag));
  if (unknown !== undefined) throw new SyntaxError(`The flag ${unknown} is not one of i, m and s.`);
  if (budget) admit(sizeOf(source, flags.includes("i")), budget);
  const bits = [...flags].reduce((all, flag) => all | (flagBits[flag] ?? 0), 0);
  const expression = compileOrExplain(source, bits);
  if (most !== undefined && expression.programSize() > most) throw new RangeError(tooLarge);
  return expression;
}

/** A pattern of a JSON Schema: an expression of JavaScript, in the syntax of RE2. `budget`: as for `compileExpression`. */
export function compileSchemaPattern(pattern: string, budget?: RequestBudget): Expression {
  return compileExpression(RE2JS.translateRegExp(pattern), { ...(budget && { budget }) });
}

const tooLarge = "This regular expression is too large.";

function admit(size: ExpressionSize, budget: RequestBudget): void {
  const { copies, depth, unicodeClasses, foldsCase } = size;
  const instructions = size.instructions + Math.floor(size.foldedCharacters / foldedPerInstruction);
  if (copies > mostCopies)
    throw new RangeError(`Its counted repetitions come to more than ${mostCopies} in all.`);
  if (depth > mostDepth) throw new RangeError(`Its groups nest more than ${mostDepth} levels deep.`);
  if (unicodeClasses > mostUnicodeClasses)
    throw new RangeError(`It has more than ${mostUnicodeClasses} classes of Unicode.`);
  if (instructions > mostInstructions) throw new RangeError(tooLarge);
  const cost = instructions + unicodeClasses * (foldsCase ? foldedClassCost : classCost);
  if (!budget.spend(cost))
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
