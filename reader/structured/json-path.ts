import { type FilterFunction, FunctionExpressionType, JSONPathEnvironment, type JSONValue } from "json-p3";
import { TooMuchWork } from "../recipe/parse-page.ts";
import { compileExpression, type Expression } from "../text/expression.ts";
import type { RequestBudget } from "../text/request-budget.ts";

/** A value that a path has found, and where it is: the names and positions from the root. */
export interface FoundNode {
  location: (string | number)[];
  value: unknown;
}

/** Properties that are looked at for one path, and values that it may find. */
const [maxSteps, maxFound] = [5_000_000, 100_000];
const maxDepth = 200;

/** Why a text is no JSONPath (RFC 9535) that can be used; null for one that can. */
export function checkJsonPath(path: string, budget: RequestBudget): string | null {
  // Regular expressions in a path are compiled when it is used.
  if (!budget.spend(path.length)) return "The paths and expressions of this request are too large together.";
  try {
    new BoundedEnvironment().compile(path);
    return null;
  } catch (error) {
    const [reason = ""] = String((error as Error).message).split("\n");
    return `This is no JSONPath (RFC 9535): ${reason.replace(/\.$/, "").slice(0, 150)}.`;
  }
}

/** What a path finds in a value, in document order. Throws `TooMuchWork`, and for a path that `checkJsonPath` refuses. */
export function evaluateJsonPath(path: string, document: unknown): FoundNode[] {
  const found: FoundNode[] = [];
  for (const { location, value } of new BoundedEnvironment().lazyQuery(path, document as JSONValue)) {
    if (found.length >= maxFound) throw tooMuch();
    found.push({ location, value });
  }
  return found;
}

function tooMuch(): TooMuchWork {
  return new TooMuchWork("This JSONPath takes too long on this document.");
}

/** Counts the properties that a path looks at; its regular expressions take time that is linear in the text. */
class BoundedEnvironment extends JSONPathEnvironment {
  #left = maxSteps;

  constructor() {
    super({ maxRecursionDepth: maxDepth });
  }

  override entries(object: { [key: string]: JSONValue }): [string, JSONValue][] {
    const entries = Object.entries(object);
    this.#left -= 1 + entries.length;
    if (this.#left < 0) throw tooMuch();
    return entries;
  }

  protected override setupFilterFunctions(): void {
    super.setupFilterFunctions();
    this.functionRegister.set("match", new Matching(source => `^(?:${source})$`));
    this.functionRegister.set("search", new Matching(source => source));
  }
}

/** Limit of a compiled expression, its counted repetitions unfolded. */
const mostInstructions = 500;
/** Expressions that are kept compiled: a document may name one for each of its values. */
const mostKept = 100;

/** A function that tests a text by an I-Regexp (RFC 9485). Its syntax is a part of RE2's, but for the dot. */
class Matching implements FilterFunction {
  readonly argTypes = [FunctionExpressionType.ValueType, FunctionExpressionType.ValueType];
  readonly returnType = FunctionExpressionType.LogicalType;
  readonly #whole: (source: string) => string;
  readonly #compiled = new Map<string, Expression | null>();

  constructor(whole: (source: string) => string) {
    this.#whole = whole;
  }

  call(text: unknown, pattern: unknown): boolean {
    if (typeof text !== "string" || typeof pattern !== "string") return false;
    return this.#expression(pattern)?.test(text) ?? false;
  }

  #expression(pattern: string): Expression | null {
    const known = this.#compiled.get(pattern);
    if (known !== undefined) return known;
    const made = compiled(this.#whole(withDots(pattern)));
    if (this.#compiled.size < mostKept) this.#compiled.set(pattern, made);
    return made;
  }
}

/** Null for what is no expression: it matches nothing (RFC 9535, 2.4.6). */
function compiled(source: string): Expression | null {
  try {
    return compileExpression(source, { mostInstructions });
  } catch {
    return null;
  }
}

/** The dot of an I-Regexp is neither of the two ends of lines. */
function withDots(pattern: string): string {
  return pattern.replace(/\\.|\[(?:\\.|[^\]\\])*\]|\./gs, part => (part === "." ? "[^\\n\\r]" : part));
}
