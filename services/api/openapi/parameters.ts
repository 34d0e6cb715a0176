import type { Route } from "../route.ts";
import { isOptional, ruleSchema } from "./json-schema.ts";

type Json = Record<string, unknown>;

/** The parameters of a route in path, query and header; nothing where it has none. */
export function parameters(route: Route): Json {
  const inPath = pathNames(route.path);
  const list = fields(route).flatMap(([name, rule]) => {
    if (inPath.includes(name)) return [{ ...parameter(route, name, rule), in: "path", required: true }];
    return route.method === "GET" ? inQuery(route, name, rule) : [];
  });
  const all = route.idempotent ? [...list, idempotencyKey] : list;
  return all.length ? { parameters: all } : {};
}

function parameter({ method, examples = {} }: Route, name: string, rule: unknown): Json {
  const { description, ...schema } = ruleSchema(rule);
  const [first = {}] = method === "GET" ? Object.values(examples) : [];
  return {
    name,
    ...(description ? { description } : {}),
    schema,
    ...(name in first ? { example: first[name] } : {}),
  };
}

/** A parameter under all its names. OpenAPI cannot say that exactly one of them is required, so words do. */
function inQuery(route: Route, name: string, rule: unknown): Json[] {
  const { aliases = {} } = route;
  const { schema, ...rest } = parameter(route, name, rule);
  const own = { ...rest, in: "query", schema };
  const required = !isOptional(rule);
  const others = Object.keys(aliases).filter(alias => aliases[alias] === name);
  if (others.length === 0) return [{ ...own, required }];
  const unless = required ? ` Required, unless it is given as \`${others.join("`, `")}\`.` : "";
  const description = `${ruleSchema(rule).description ?? ""}${unless}`.trim();
  return [
    { ...own, required: false, description },
    ...others.map(alias => ({
      name: alias,
      in: "query",
      required: false,
      description: `Another name of \`${name}\`; not both.`,
      schema,
    })),
  ];
}

const idempotencyKey = {
  name: "Idempotency-Key",
  in: "header",
  description:
    "For 24 hours a request with the same key and the same body stands for the same job, however often it is sent; " +
    "another body is a 409. Visible ASCII characters, no blanks.",
  schema: { type: "string", minLength: 1, maxLength: 255, pattern: "^[!-~]+$" },
};

/** The names in a path template. */
export function pathNames(path: string): string[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name ?? "");
}

/** What an action takes, each with its rule. */
export function fields(route: Route): [string, unknown][] {
  return Object.entries(route.action.params).filter(([name]) => !name.startsWith("$$"));
}
