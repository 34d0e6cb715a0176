import { admits, type KeyScope, keyScopes } from "../../contracts/key-scopes.ts";
import type { Fields, Rule } from "../../contracts/schema.ts";
import { fieldsOf, toJsonSchema } from "../openapi/json-schema.ts";
import type { Route } from "../routes/route.ts";
import { pagingRules } from "./paging.ts";
import type { Tool } from "./tools.ts";

type Json = Record<string, unknown>;

/** A row of the routes, with its tool. */
export interface ToolRow {
  route: Route;
  tool: Tool;
}

/** A tool with the rows that it runs; those with parameters in their path are first. */
export interface OfferedTool {
  /** The tool as `tools/list` shows it. */
  listing: Json & { name: string; inputSchema: Json & { type: "object" } };
  rows: ToolRow[];
}

/** The tools of a route table by name, in the order of the table. */
export function toolsOf(routes: readonly Route[]): Map<string, OfferedTool> {
  const rows = routes.flatMap(route => (route.tool ? [{ route, tool: route.tool }] : []));
  const byName = Map.groupBy(rows, ({ tool }) => tool.name);
  return new Map([...byName].map(([name, each]) => [name, offered(each)]));
}

/** The tools for keys of some scopes: of each tool what the rows that admit them take. Each list is made once. */
export function toolsByScopes(routes: readonly Route[], all: Map<string, OfferedTool>) {
  const known = new Map<string, Map<string, OfferedTool>>();
  return (scopes: readonly KeyScope[] | undefined): Map<string, OfferedTool> => {
    if (!scopes) return all;
    const name = keyScopes.filter(scope => scopes.includes(scope)).join(" ");
    const tools = known.get(name) ?? toolsOf(routes.filter(route => admits(scopes, route.scopes ?? [])));
    known.set(name, tools);
    return tools;
  };
}

function offered(rows: ToolRow[]): OfferedTool {
  const [first] = rows;
  if (!first) throw new TypeError("a tool has a row");
  const { name, title, description, hints } = first.tool;
  const listing = {
    name,
    title,
    description,
    inputSchema: inputSchema(rows),
    annotations: { title, ...hints },
  };
  return { listing, rows: rows.toSorted((a, b) => pathNames(b.route).length - pathNames(a.route).length) };
}

/** The names of the parameters in a row's path. */
export function pathNames({ path }: Route): string[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name ?? "");
}

/**
 * The arguments of all rows of a tool. What only some rows take, no call needs; APIs of models refuse a schema that says
 * `anyOf` at its top.
 */
function inputSchema(rows: ToolRow[]): Json & { type: "object" } {
  const schemas = rows.map(({ route, tool }) =>
    toJsonSchema(chosen(Object.fromEntries(fieldsOf(route.action.params)), tool)),
  );
  const properties = Object.assign({}, ...schemas.map(schema => schema.properties), pagingSchema());
  const required = schemas.map(schema => new Set((schema.required ?? []) as string[]));
  const always = [...(required[0] ?? [])].filter(name => required.every(each => each.has(name)));
  return {
    type: "object",
    properties: lean(properties) as Json,
    ...(always.length > 0 && { required: always }),
  };
}

/** What all tools have, in few words: a value that is out of bounds is refused by a sentence that names them. */
function pagingSchema(): unknown {
  const { max_chars, cursor } = toJsonSchema(pagingRules).properties as Record<string, Json>;
  const { minimum: _, maximum: __, ...chars } = max_chars ?? {};
  const { pattern: ___, ...place } = cursor ?? {};
  return { max_chars: chars, cursor: place };
}

/** The fields that a tool shows, and of objects among them the fields that it names. `above`: the path of their object. */
function chosen(fields: Fields, { shows, words = {} }: Pick<Tool, "shows" | "words">, above = ""): Fields {
  if (!shows) return fields;
  const entries = Object.entries(fields).flatMap(([name, rule]): [string, Rule][] => {
    const said = words[above + name];
    if (shows.includes(name)) return [[name, said === undefined ? rule : inWords(rule, said)]];
    const inner = shows.flatMap(path => (path.startsWith(`${name}.`) ? [path.slice(name.length + 1)] : []));
    if (inner.length === 0 || rule.type !== "object" || !rule.props) return [];
    const { default: _, ...rest } = rule;
    return [
      [
        name,
        { ...rest, optional: true, props: chosen(rule.props, { shows: inner, words }, `${above}${name}.`) },
      ],
    ];
  });
  return Object.fromEntries(entries);
}

/** A field by its type and some words. */
function inWords(rule: Rule, description: string): Rule {
  const { type } = rule;
  if (type === "object") return { type, optional: true, description };
  if (type === "array") return { type, items: { type: "object" }, optional: true, description };
  return { ...rule, description } as Rule;
}

/** A schema in fewer words: a field that may be left out need not say that it may be null. */
function lean(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(lean);
  if (typeof schema !== "object" || schema === null) return schema;
  const entries = Object.entries(schema).map(([name, value]): [string, unknown] => {
    if (name === "type" && Array.isArray(value)) return [name, value.find(each => each !== "null")];
    if (name === "enum" && Array.isArray(value)) return [name, value.filter(each => each !== null)];
    if (name === "anyOf" && Array.isArray(value)) return [name, value.filter(isNoNull).map(lean)];
    return [name, lean(value)];
  });
  return Object.fromEntries(entries);
}

function isNoNull(schema: { type?: unknown }): boolean {
  return schema.type !== "null";
}
