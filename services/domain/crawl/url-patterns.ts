import { RE2JS } from "re2js";
import { globSource, isUrlGlob } from "./glob-source.ts";
import { normalEncoding } from "./percent-encoding.ts";
import { siteOf } from "./site.ts";

/** Instructions of a compiled expression: its length, and what its counted repetitions unfold to. */
const [mostInstructions, mostInstructionsOfAll] = [500, 5000];
const maxLength = 512;

/** A pattern that cannot be used. `message` is a plain sentence for whoever wrote it. */
export class PatternError extends Error {
  readonly list: "include" | "exclude";
  readonly index: number;

  constructor(list: "include" | "exclude", index: number, message: string, options?: ErrorOptions) {
    super(message, options);
    this.list = list;
    this.index = index;
  }
}

/**
 * Which URLs a crawl takes: those that one of `include` fits, or any when there is none, and that none of `exclude`
 * fits. A pattern in slashes is a regular expression (RE2, found anywhere) over path and query, or over the URL when it
 * begins with `http` or `^http`. Any other is a glob over the path, or over the URL when it begins with `http://` or
 * `https://`: `*` is anything within a segment, `**` any number of segments; one without a slash at its start fits at
 * any depth; a slash at its end says nothing, and the query only counts when the glob has a `?`. Time is linear in the
 * URL, whatever the pattern. Throws a `PatternError` for what is no pattern, and for expressions that are too large.
 */
export function urlPatterns(include: string[], exclude: string[]): (url: string) => boolean {
  const budget = { left: mostInstructionsOfAll };
  const compile = (list: "include" | "exclude", patterns: string[]) =>
    patterns.map((pattern, index) => {
      try {
        return compilePattern(pattern, budget);
      } catch (cause) {
        throw new PatternError(list, index, (cause as Error).message, { cause });
      }
    });
  const [included, excluded] = [compile("include", include), compile("exclude", exclude)];
  return text => {
    const url = URL.parse(text);
    if (url === null) return false;
    const subjects = subjectsOf(url);
    const fits = (pattern: Pattern) => pattern.expression.test(subjects[pattern.over]);
    return (included.length === 0 || included.some(fits)) && !excluded.some(fits);
  };
}

/** What patterns are held against; for globs the path has no slash at its end, and the URL is that of its site. */
type Subject = "path" | "url" | "globPath" | "globUrl";

interface Pattern {
  expression: RE2JS;
  over: Subject;
}

function compilePattern(pattern: string, budget: { left: number }): Pattern {
  if (pattern === "" || pattern.length > maxLength)
    throw new RangeError(`A pattern has 1 to ${maxLength} characters.`);
  const source = /^\/(.+)\/$/s.exec(pattern)?.[1];
  if (source !== undefined)
    return { expression: compileExpression(source, budget), over: /^\^?http/.test(source) ? "url" : "path" };
  const expression = RE2JS.compile(globSource(pattern), RE2JS.DOTALL);
  return { expression, over: isUrlGlob(pattern) ? "globUrl" : "globPath" };
}

function compileExpression(source: string, budget: { left: number }): RE2JS {
  const expression = compileOrExplain(source);
  const size = expression.programSize();
  if (size > mostInstructions) throw new RangeError("This regular expression is too large.");
  budget.left -= size;
  if (budget.left < 0) throw new RangeError("The regular expressions are too large together.");
  return expression;
}

function compileOrExplain(source: string): RE2JS {
  try {
    return RE2JS.compile(source);
  } catch (cause) {
    const told = (cause as Error).message.replace(/^error parsing regexp: /, "");
    throw new SyntaxError(`This is not a regular expression that RE2 can run: ${told}.`, { cause });
  }
}

function subjectsOf(url: URL): Record<Subject, string> {
  const [path, query] = [normalEncoding(url.pathname), normalEncoding(url.search)];
  const globPath = path.replace(/\/$/, "") + query;
  return {
    path: path + query,
    url: `${url.protocol}//${url.host}${path}${query}`,
    globPath,
    globUrl: siteOf(url) + globPath,
  };
}
