import { fail, invalid } from "../../contracts/errors.ts";
import type { Route } from "../routes/route.ts";

export interface RouteMatch {
  route: Route;
  /** Decoded path parameters. */
  params: Record<string, string>;
}

export interface Router {
  /** Finds the route of a path; throws `not_found`, `method_not_allowed`, or 400 for a path that does not decode. */
  match(method: string, path: string): RouteMatch;
  /** Methods that a path takes, in the order of `Allow`; throws `not_found`. */
  allowed(path: string): string[];
}

interface Branch {
  segments: string[];
  takesRest: boolean;
  /** Its parameters, and the segments that they are. */
  parameters: { name: string; at: number }[];
  byMethod: Map<string, Route>;
}

/** Looks up plain paths in a map, and paths with parameters among the few of the same length. */
export function createRouter(routes: Route[]): Router {
  const plain = new Map<string, Branch>();
  const byLength = new Map<number, Branch[]>();
  const open: Branch[] = [];
  for (const branch of branchesOf(routes)) {
    if (branch.takesRest) open.push(branch);
    else if (branch.parameters.length === 0) plain.set(branch.segments.join("/"), branch);
    else byLength.set(branch.segments.length, [...(byLength.get(branch.segments.length) ?? []), branch]);
  }
  const find = (path: string): { branch: Branch; segments: string[] } => {
    const trimmed = path.length > 1 && path.endsWith("/") ? path.slice(0, -1) : path;
    const branch = plain.get(trimmed);
    if (branch) return { branch, segments: branch.segments };
    const above = open.find(each => trimmed.startsWith(prefixOf(each)));
    // Its parameter is read from the target, which this path has lost parts of.
    if (above) return { branch: above, segments: [] };
    const segments = decoded(trimmed);
    const fitting = byLength.get(segments.length)?.find(candidate => fits(candidate.segments, segments));
    if (!fitting) throw fail("not_found", "There is nothing at this path. The paths are listed at /docs.");
    return { branch: fitting, segments };
  };
  return {
    match(method, path) {
      const { branch, segments } = find(path);
      const route = branch.byMethod.get(method === "HEAD" ? "GET" : method);
      if (!route)
        throw fail("method_not_allowed", "This path does not support this method.", { allow: allow(branch) });
      return { route, params: branch.takesRest ? {} : valuesOf(branch, segments) };
    },
    allowed: path => allow(find(path).branch),
  };
}

function branchesOf(routes: Route[]): Iterable<Branch> {
  const branches = new Map<string, Branch>();
  for (const route of routes) {
    const branch = branches.get(route.path) ?? branchOf(route);
    branch.byMethod.set(route.method, route);
    branches.set(route.path, branch);
  }
  return branches.values();
}

function branchOf({ path, takesRest = false }: Route): Branch {
  const segments = path.split("/");
  const parameters = segments.flatMap((part, at) =>
    isParameter(part) ? [{ name: part.slice(1, -1), at }] : [],
  );
  return { segments, takesRest, parameters, byMethod: new Map() };
}

/** What comes before the last parameter, with its slash. */
function prefixOf({ segments }: { segments: string[] }): string {
  return `${segments.slice(0, -1).join("/")}/`;
}

function isParameter(segment: string): boolean {
  return segment.startsWith("{");
}

function decoded(path: string): string[] {
  try {
    return path.split("/").map(decodeURIComponent);
  } catch {
    throw invalid("path", "bad_encoding", "The path has a percent sign that is not part of a valid escape.");
  }
}

function fits(pattern: string[], segments: string[]): boolean {
  return pattern.every((part, at) => (isParameter(part) ? segments[at] !== "" : part === segments[at]));
}

function allow({ byMethod }: Branch): string[] {
  return [...byMethod.keys(), ...(byMethod.has("GET") ? ["HEAD"] : []), "OPTIONS"];
}

function valuesOf({ parameters }: Branch, segments: string[]): Record<string, string> {
  const values: Record<string, string> = {};
  for (const { name, at } of parameters) values[name] = segments[at] ?? "";
  return values;
}
