import { createRequire } from "node:module";
import { isOptional, type Rule } from "../../contracts/schema.ts";
import type { Auth } from "../http/admission.ts";
import type { Route } from "../routes/route.ts";
import { components, NamedParts, typeName } from "./components.ts";
import { webhookDocs } from "./events.ts";
import { type Drivers, generalIntroduction, sandboxDocs, tags } from "./introduction.ts";
import { fieldsOf, ruleSchema, toJsonSchema } from "./json-schema.ts";
import { failures, type Parts, pathNames, successes } from "./responses.ts";

type Json = Record<string, unknown>;

/**
 * The OpenAPI 3.1 document of a route table. Parameters and bodies come from the rules that validate them, answers from the
 * results in the contracts. Schemas that a contract names, bodies and answers are below `components`. `x-sandbox` lists what simulated platforms hold, where there are any.
 */
export function openApiDocument(routes: Route[], drivers: Drivers, publicUrl?: string): Json {
  const parts = { schemas: new NamedParts("schemas"), responses: new NamedParts("responses") };
  const sandbox = sandboxDocs(drivers);
  const shown = routes.filter(route => !route.hidden);
  const used = new Set(shown.map(route => route.tag));
  if (used.has("Webhook")) used.add("Events");
  const paths: Record<string, Json> = {};
  for (const route of shown) {
    const path = paths[route.path] ?? {};
    paths[route.path] = path;
    path[route.method.toLowerCase()] = operation(route, parts);
  }
  const webhooks = used.has("Webhook") ? { webhooks: webhookDocs(parts.schemas) } : {};
  return {
    openapi: "3.1.0",
    info: {
      title: "Magpie",
      version: packageVersion(),
      description: generalIntroduction + sandbox.prose,
      contact: { name: "The maintainers of Magpie" },
      license: { name: "MIT", identifier: "MIT" },
    },
    servers: [{ url: publicUrl ?? "/", description: "This installation." }],
    tags: tags.filter(({ name }) => used.has(name)),
    paths,
    ...webhooks,
    components: {
      ...components,
      schemas: { ...components.schemas, ...parts.schemas.all() },
      responses: parts.responses.all(),
    },
    ...(sandbox.prose ? { "x-sandbox": sandbox.inventory } : {}),
  };
}

/** The version of this program: the document changes with it. */
export function packageVersion(): string {
  const { version } = createRequire(import.meta.url)("../../../package.json") as { version: string };
  return version;
}

function operation(route: Route, parts: Parts): Json {
  return {
    operationId: route.name,
    tags: [route.tag],
    summary: route.summary,
    ...(route.description ? { description: route.description } : {}),
    ...parameters(route),
    ...requestBody(route, parts.schemas),
    responses: { ...successes(route, parts), ...failures(route, parts) },
    security: security[route.auth],
    ...(route.scopes && { "x-required-scopes": route.scopes }),
  };
}

const security: Record<Auth, Json[]> = {
  key: [{ apiKey: [] }, { bearer: [] }, { session: [] }],
  admin: [{ adminKey: [] }, { session: [] }],
  either: [{ apiKey: [] }, { bearer: [] }, { adminKey: [] }, { session: [] }],
  owner: [{ session: [] }],
  none: [],
};

function requestBody(route: Route, names: NamedParts): Json {
  if (route.raw?.media) {
    const { type, example } = route.raw.media;
    const { description } = ruleSchema(bodyRule(route));
    const media = { schema: { type: "string" }, example };
    return {
      requestBody: { required: true, ...(description ? { description } : {}), content: { [type]: media } },
    };
  }
  if (route.upload) return { requestBody: { required: true, content: formOf(route, names) } };
  const inPath = pathNames(route.path);
  const inBody = fieldsOf(route.action.params).filter(([name]) => !inPath.includes(name));
  if (route.method === "GET" || inBody.length === 0) return {};
  const { $$strict = false } = route.action.params;
  const schema = { ...toJsonSchema({ ...Object.fromEntries(inBody), $$strict }, names), ...route.bodyRules };
  const examples = Object.entries(route.examples ?? {}).map(([name, value]) => [name, { value }]);
  const media = {
    schema: names.refer(requestName(route.name), schema),
    ...(examples.length ? { examples: Object.fromEntries(examples) } : {}),
  };
  const required = "required" in schema && !route.alsoInQuery;
  return { requestBody: { required, content: { "application/json": media } } };
}

/** A form with a file and its options, of which the action has a parameter each (OpenAPI 3.1, 4.8.14.4). */
function formOf(route: Route, names: NamedParts): Json {
  const { file, options } = route.action.params;
  const [about, rule] = [file, options].filter(each => typeof each === "object");
  const { description } = about ? ruleSchema(about) : {};
  const schema = {
    type: "object",
    properties: {
      file: { type: "string", format: "binary", ...(description ? { description } : {}) },
      ...(rule && { options: ruleSchema(rule, names) }),
    },
    required: ["file"],
    additionalProperties: false,
  };
  const encoding = { options: { contentType: "application/json" } };
  return { "multipart/form-data": { schema: names.refer(requestName(route.name), schema), encoding } };
}

function bodyRule({ action }: Route): Rule {
  const { body } = action.params;
  return typeof body === "object" ? body : { type: "string" };
}

/** What is started is asked for by its own name: the body of `startCrawl` is a `CrawlRequest`. */
function requestName(operation: string): string {
  return `${typeName(operation.replace(/^start(?=[A-Z])/, ""))}Request`;
}

/** The parameters of a route in path, query and header; empty where it has none. */
function parameters(route: Route): Json {
  const inPath = pathNames(route.path);
  const list = fieldsOf(route.action.params).flatMap(([name, rule]) => {
    if (inPath.includes(name)) return [{ ...parameter(route, name, rule), in: "path", required: true }];
    if (route.alsoInQuery) return [inQueryOrBody(route, name, rule)];
    const isOfQuery = route.raw ? name !== "body" && !(name in route.raw.headers) : route.method === "GET";
    return isOfQuery ? inQuery(route, name, rule) : [];
  });
  const all = route.idempotent ? [...list, idempotencyKey] : list;
  return all.length ? { parameters: all } : {};
}

function parameter({ method, examples = {} }: Route, name: string, rule: Rule): Json {
  const { description, ...schema } = ruleSchema(rule);
  const [first = {}] = method === "GET" ? Object.values(examples) : [];
  return {
    name,
    ...(description ? { description } : {}),
    schema,
    ...(name in first ? { example: first[name] } : {}),
  };
}

/** A field that may be in the query in place of the body, for which the description has to say it. */
function inQueryOrBody(route: Route, name: string, rule: Rule): Json {
  const { description = "", ...rest } = parameter(route, name, rule);
  const inPlace = "In place of the body, which some proxies drop; not both.";
  return { ...rest, in: "query", required: false, description: `${description} ${inPlace}`.trim() };
}

/** A parameter under all its names. OpenAPI cannot require exactly one of them, so the description does. */
function inQuery(route: Route, name: string, rule: Rule): Json[] {
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
    "For 24 hours, requests with the same key and the same body are one, which makes one thing; the same key with another body is a 409. " +
    "Visible ASCII characters, no blanks.",
  schema: { type: "string", minLength: 1, maxLength: 255, pattern: "^[!-~]+$" },
};
