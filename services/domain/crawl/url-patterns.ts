import { RE2JS } from "re2js";
import { compileExpression, type Expression } from "../../../reader/text/expression.ts";
import type { RequestBudget } from "../../../reader/text/request-budget.ts";
import { normalEncoding, siteOf } from "../url/canonical-url.ts";

/** Limit of a compiled expression, its counted repetitions unfolded. */
const mostInstructions = 500;
const maxLength = 512;
const inSlashes = /^\/(.+)\/$/s;

/** A pattern that cannot be used. `message` is meant for its author. */
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
 * Which URLs a crawl takes: those that match one of `include`, or any when there is none, and that match none of
 * `exclude`. A pattern in slashes is a regular expression (RE2, found anywhere) over path and query, or over the URL when it
 * begins with `http` or `^http`. Any other is a glob over the path, or over the URL when it begins with `http://` or
 * `https://`: `*` is anything within a segment, `**` any number of segments; one without a leading slash matches at
 * any depth; a trailing slash has no meaning, and the query counts only when the glob has a `?`. Time is linear in the
 * URL, whatever the pattern. Throws a `PatternError` for invalid patterns and for expressions that are too large.
 * `budget`: what the expressions of a request may cost together; those of a crawl were checked when it was accepted, maybe
 * by limits of that time.
 */
export function urlPatterns(
  include: string[],
  exclude: string[],
  budget?: RequestBudget,
): (url: string) => boolean {
  const compile = (list: "include" | "exclude", patterns: string[]) =>
    patterns.map((pattern, index) => {
      try {
        return compilePattern(pattern, budget);
      } catch (cause) {
        throw new PatternError(list, index, (cause as Error).message, { cause });
      }
    });
  const [included, excluded] = [compile("include", include), compile("exclude", exclude)];
  if (included.length + excluded.length === 0) return text => URL.canParse(text);
  return text => {
    const url = URL.parse(text);
    if (url === null) return false;
    const subjects = subjectsOf(url);
    const fits = (pattern: Pattern) => pattern.expression.test(subjects[pattern.over]);
    return (included.length === 0 || included.some(fits)) && !excluded.some(fits);
  };
}

/** Characters of globs that are compiled in a few milliseconds. */
const quickLength = 1000;

/** Whether patterns take no time to speak of: a few globs, and no expression. */
export function isQuick(include: readonly string[], exclude: readonly string[]): boolean {
  const all = [...include, ...exclude];
  const length = all.reduce((sum, pattern) => sum + pattern.length, 0);
  return length <= quickLength && !all.some(pattern => inSlashes.test(pattern));
}

/** What patterns are matched against. For globs, without the trailing slash of the path, and with the site as host. */
type Subject = "path" | "url" | "globPath" | "globUrl";

interface Pattern {
  expression: Expression;
  over: Subject;
}

function compilePattern(pattern: string, budget: RequestBudget | undefined): Pattern {
  if (pattern === "" || pattern.length > maxLength)
    throw new RangeError(`A pattern has 1 to ${maxLength} characters.`);
  const source = inSlashes.exec(pattern)?.[1];
  if (source !== undefined)
    return {
      expression: compileExpression(source, { mostInstructions, ...(budget && { budget }) }),
      over: /^\^?http/.test(source) ? "url" : "path",
    };
  return { expression: globExpression(pattern), over: isUrlGlob(pattern) ? "globUrl" : "globPath" };
}

/** A glob is always an expression, and is compiled when it is first wanted: two hundred of them take half a second. */
function globExpression(glob: string): Expression {
  let compiled: RE2JS | undefined;
  return {
    test(text) {
      compiled ??= RE2JS.compile(globSource(glob), RE2JS.DOTALL);
      return compiled.test(text);
    },
  };
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

const urlGlob = /^https?:\/\/(?:www\.(?=[^./]+\.))?([^/?]*)/i;

/** Whether a glob is meant for the whole URL. */
function isUrlGlob(glob: string): boolean {
  return urlGlob.test(glob);
}

/**
 * The regular expression (RE2) for a glob over a path without a slash at its end, or over host and path; both with their
 * query.
 */
function globSource(glob: string): string {
  const whole = urlGlob.exec(glob);
  const host = whole === null ? "" : wildcards(hostOf(whole[1] ?? ""), "[^/]*");
  const { path, query } = parts(whole === null ? glob : glob.slice(whole[0].length), whole !== null);
  const rest = query === undefined ? "(?:\\?.*)?" : `\\?${wildcards(normalEncoding(query), ".*")}`;
  return `^${host}${path.split("/").slice(1).map(segmentSource).join("")}${rest}$`;
}

function parts(text: string, isAfterHost: boolean): { path: string; query: string | undefined } {
  const at = text.indexOf("?");
  const path = normalEncoding(at < 0 ? text : text.slice(0, at)).replace(/\/$/, "");
  const isAnchored = isAfterHost || path === "" || path.startsWith("/");
  return { path: isAnchored ? path : `/**/${path}`, query: at < 0 ? undefined : text.slice(at + 1) };
}

function segmentSource(segment: string): string {
  if (segment === "**") return "(?:/[^/]*)*";
  return segment === "*" ? "/[^/]+" : `/${wildcards(segment, "[^/]*")}`;
}

/** `one`: the expression for a single asterisk. */
function wildcards(text: string, one: string): string {
  const pieces = text.split(/(\*+)/).map((piece, at) => {
    if (at % 2 === 0) return RE2JS.quote(piece);
    return piece === "*" ? one : ".*";
  });
  return pieces.join("");
}

function hostOf(text: string): string {
  return text.toLowerCase().split(".").map(asciiLabel).join(".");
}

/** A label may hold wildcards, which no host name can. */
function asciiLabel(label: string): string {
  return /^[\u0000-\u007f]*$/.test(label) ? label : (URL.parse(`http://${label}`)?.hostname ?? label);
}
