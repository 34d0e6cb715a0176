import { invalid } from "../../contracts/errors.ts";
import type { Request } from "../gateway.ts";
import type { RouteMatch } from "../router.ts";
import { isForbiddenName } from "./check-json.ts";
import { coerceQuery } from "./coerce-query.ts";
import { dropNulls } from "./drop-nulls.ts";
import { readBody, readBytes } from "./read-body.ts";
import { type QueryValues, resolveAliases } from "./resolve-aliases.ts";

/**
 * What an action is called with: the path's parameters and the body's fields, or, for GET, the query's. Whatever would be
 * overlooked is refused: a query where the body is read, and a field that says something else than the path.
 */
export async function readParams(
  req: Request,
  { route, params }: RouteMatch,
): Promise<Record<string, unknown>> {
  if (route.raw) return { ...(await rawParams(req, route.raw.headers)), ...params };
  if (route.method !== "GET") {
    refuseQuery(req.query);
    return besidePath(dropNulls(route.action.params, await readBody(req)), params);
  }
  if (!req.query) return { ...params };
  const query = resolveAliases(queryOf(req.query), route.aliases ?? {});
  return besidePath(coerceQuery(query, route.action.params), params);
}

function refuseQuery(query: URLSearchParams | undefined): void {
  const [name] = query?.keys() ?? [];
  if (name !== undefined)
    throw invalid(name, "unknown_field", "This request takes nothing in its query. Send a JSON body.");
}

function besidePath(
  fields: Record<string, unknown>,
  params: Record<string, string>,
): Record<string, unknown> {
  const other = Object.keys(params).find(
    name => Object.hasOwn(fields, name) && fields[name] !== params[name],
  );
  if (other !== undefined)
    throw invalid(other, "unknown_field", `\`${other}\` is a part of the path, which says something else.`);
  return { ...fields, ...params };
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
