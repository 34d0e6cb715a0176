import { invalid } from "../../contracts/errors.ts";
import type { Request } from "../gateway.ts";
import type { RouteMatch } from "../router.ts";
import { isForbiddenName } from "./check-json.ts";
import { coerceQuery } from "./coerce-query.ts";
import { dropNulls } from "./drop-nulls.ts";
import { readBody, readBytes } from "./read-body.ts";
import { type QueryValues, resolveAliases } from "./resolve-aliases.ts";

/**
 * What an action is called with: the path's parameters over the body's fields, or, for GET, over the query's.
 * A query never reaches an action that takes a body.
 */
export async function readParams(
  req: Request,
  { route, params }: RouteMatch,
): Promise<Record<string, unknown>> {
  if (route.raw) return { ...(await rawParams(req, route.raw.headers)), ...params };
  if (route.method !== "GET") return { ...dropNulls(route.action.params, await readBody(req)), ...params };
  if (!req.query) return { ...params };
  const query = resolveAliases(queryOf(req.query), route.aliases ?? {});
  return { ...coerceQuery(query, route.action.params), ...params };
}

async function rawParams(req: Request, names: Record<string, string>): Promise<Record<string, unknown>> {
  const headers = Object.entries(names).flatMap(([name, header]) => {
    const value = req.headers[header];
    return value === undefined ? [] : [[name, value]];
  });
  return { ...Object.fromEntries(headers), body: (await readBytes(req)).toString("base64") };
}

/** A name that comes more than once becomes a list. One pass: a URL holds some 8,000 names. */
function queryOf(query: URLSearchParams): QueryValues {
  const values = new Map<string, string | string[]>();
  for (const [name, value] of query) {
    if (isForbiddenName(name)) throw invalid(name, "forbidden_name", "A parameter may not have this name.");
    const known = values.get(name);
    if (Array.isArray(known)) known.push(value);
    else values.set(name, known === undefined ? value : [known, value]);
  }
  return Object.fromEntries(values);
}
