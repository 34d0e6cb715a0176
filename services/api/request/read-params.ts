import type { ParamsSchema } from "../../contracts/action.ts";
import { invalid } from "../../contracts/errors.ts";
import { isOptional, type Rule } from "../../contracts/schema.ts";
import type { RouteMatch } from "../http/router.ts";
import type { RawBody, Route, UploadBody } from "../routes/route.ts";
import { isForbiddenName, readBody, readBytes } from "./read-body.ts";
import { readForm } from "./read-form.ts";
import type { Request } from "./request.ts";

/**
 * The parameters of an action: those of the path, with the fields of the body or, for GET, of the query. Refuses what it
 * would otherwise ignore: a query beside a body, and a field that contradicts the path.
 */
export async function readParams(
  req: Request,
  { route, params }: RouteMatch,
): Promise<Record<string, unknown>> {
  if (route.takesRest) return restOf(req, route);
  if (route.upload) return await uploadParams(req, route, route.upload);
  if (route.raw) return { ...(await rawParams(req, route, route.raw)), ...params };
  if (route.method === "GET") return besidePath(readQuery(req, route), params);
  const query = route.alsoInQuery ? readQuery(req, route) : {};
  if (!route.alsoInQuery) refuseQuery(req.query);
  const body = dropNulls(route.action.params, await readBody(req));
  refuseBoth(query, body);
  return besidePath({ ...query, ...body }, params);
}

function readQuery({ query }: Request, { aliases = {}, action }: Route): Record<string, unknown> {
  return query ? coerceQuery(resolveAliases(queryOf(query), aliases), action.params) : {};
}

/** A field in both places is refused: one of them would win in silence. */
function refuseBoth(query: Record<string, unknown>, body: Record<string, unknown>): void {
  const [name] = Object.keys(query);
  if (name !== undefined && Object.keys(body).length > 0)
    throw invalid(name, "exactly_one", "Send the fields in the query or in a JSON body, not in both.");
}

/** The target behind the path's last slash: neither decoded nor cut, since its own escapes and slashes count. */
function restOf({ originalUrl = "" }: Request, { path }: Route): Record<string, string> {
  const at = path.lastIndexOf("/") + 1;
  const target = originalUrl.replace(/^https?:\/\/[^/]*/i, "");
  return { [path.slice(at + 1, -1)]: target.slice(at) };
}

function refuseQuery(query: URLSearchParams | undefined): void {
  const [name] = query?.keys() ?? [];
  if (name !== undefined)
    throw invalid(name, "unknown_field", "This request takes no query parameters. Send a JSON body.");
}

function besidePath(
  fields: Record<string, unknown>,
  params: Record<string, string>,
): Record<string, unknown> {
  const other = Object.keys(params).find(
    name => Object.hasOwn(fields, name) && fields[name] !== params[name],
  );
  if (other !== undefined)
    throw invalid(other, "unknown_field", `\`${other}\` contradicts the path, which has this field, too.`);
  return { ...fields, ...params };
}

async function rawParams(
  req: Request,
  route: Route,
  { headers: names, maxBytes }: RawBody,
): Promise<Record<string, unknown>> {
  const query = readQuery(req, route);
  const [reserved] = ["body", ...Object.keys(names)].filter(name => Object.hasOwn(query, name));
  if (reserved !== undefined)
    throw invalid(reserved, "unknown_field", `\`${reserved}\` is no parameter of the query.`);
  const headers = Object.entries(names).flatMap(([name, header]) => {
    const value = req.headers[header];
    return value === undefined ? [] : [[name, value]];
  });
  const body = (await readBytes(req, maxBytes)).toString("base64");
  return { ...query, ...Object.fromEntries(headers), body };
}

/** The file stays with the request: only what is known of it is a parameter. */
async function uploadParams(
  req: Request,
  { action }: Route,
  { maxBytes }: UploadBody,
): Promise<Record<string, unknown>> {
  refuseQuery(req.query);
  const account = req.uploads?.open(req.admission?.caller?.owner ?? "");
  if (!account) throw new TypeError("A request with a file needs the account of uploads");
  req.endUpload = () => account.close();
  const { file, options } = await readForm(req, maxBytes, account);
  req.upload = file;
  const { name, type, size } = file;
  const sent = { file: { name, type, size }, ...(options && { options }) };
  return dropNulls(action.params, sent);
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

/** Query parameters; a list where a name came more than once. */
type QueryValues = Record<string, string | string[]>;

/** Replaces aliases by the parameter's own name. Both names at once could contradict each other, hence 400. */
export function resolveAliases(query: QueryValues, aliases: Record<string, string>): QueryValues {
  const entries = Object.entries(query).map(([name, value]) => {
    const own = Object.hasOwn(aliases, name) ? aliases[name] : undefined;
    if (own === undefined) return [name, value];
    if (Object.hasOwn(query, own))
      throw invalid(name, "exactly_one", `Give \`${own}\` or \`${name}\`, not both.`);
    return [own, value];
  });
  return Object.fromEntries(entries);
}

/** Query parameters are text. Converts those whose rule asks for a number, a boolean or a list; validation does the rest. */
export function coerceQuery(
  query: Record<string, string | string[]>,
  schema: ParamsSchema,
): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(query).map(([name, value]) => [name, coerce(value, typeOf(schema, name))]),
  );
}

function typeOf(schema: ParamsSchema, name: string): Rule["type"] | undefined {
  const rule = Object.hasOwn(schema, name) ? schema[name] : undefined;
  return typeof rule === "object" ? rule.type : undefined;
}

function coerce(value: string | string[], type: Rule["type"] | undefined): unknown {
  if (type === "array") return [value].flat();
  if (typeof value !== "string") return value;
  if (type === "number" && /^-?\d{1,15}(\.\d{1,15})?$/.test(value)) return Number(value);
  if (type === "boolean" && (value === "true" || value === "false")) return value === "true";
  return value;
}

type Json = Record<string, unknown>;

/**
 * Removes the nulls of optional fields. Clients send a null for a field that they leave out, and the validator accepts it,
 * so handlers would have to expect a value, nothing, or null. A rule with `nullable` keeps its null.
 */
export function dropNulls(rules: ParamsSchema, body: Json): Json {
  const kept = Object.entries(body).filter(([name, value]) => value !== null || !mayBeLeftOut(rules[name]));
  return Object.fromEntries(kept.map(([name, value]) => [name, inner(rules[name], value)]));
}

function mayBeLeftOut(rule: Rule | boolean | undefined): boolean {
  return typeof rule === "object" && isOptional(rule) && rule.nullable === undefined;
}

/** Reads inside objects whose fields have rules, and lists of such objects. Other objects keep what the client sent. */
function inner(rule: Rule | boolean | undefined, value: unknown): unknown {
  if (typeof rule !== "object" || typeof value !== "object" || value === null) return value;
  if (rule.type === "multi")
    return inner(
      rule.rules?.find(({ type }) => (type === "array") === Array.isArray(value)),
      value,
    );
  if (Array.isArray(value)) return rule.type === "array" ? value.map(each => inner(rule.items, each)) : value;
  return rule.type === "object" && rule.props ? dropNulls(rule.props, value as Json) : value;
}
