import { type ErrorCode, errorStatus } from "../../contracts/errors.ts";
import { isOptional, nothing, type Rule } from "../../contracts/schema.ts";
import type { Auth } from "../http/admission.ts";
import type { ResponseDoc, Route } from "../routes/route.ts";
import { components } from "./components.ts";
import { webhookDocs } from "./events.ts";
import { type Drivers, generalIntroduction, sandboxDocs, tags } from "./introduction.ts";
import { answerSchema, fieldsOf, ruleSchema, toJsonSchema } from "./json-schema.ts";

type Json = Record<string, unknown>;

/**
 * The OpenAPI 3.1 document of a route table. Parameters and bodies come from the rules that validate them, answers from the
 * results in the contracts. `x-sandbox` lists what simulated platforms hold, where there are any.
 */
export function openApiDocument(routes: Route[], drivers: Drivers): Json {
  const sandbox = sandboxDocs(drivers);
  const shown = routes.filter(route => !route.hidden);
  const used = new Set(shown.map(route => route.tag));
  if (used.has("Webhook")) used.add("Events");
  const paths: Record<string, Json> = {};
  for (const route of shown) {
    const path = paths[route.path] ?? {};
    paths[route.path] = path;
    path[route.method.toLowerCase()] = operation(route);
  }
  return {
    openapi: "3.1.0",
    info: {
      title: "Magpie",
      version: "1.0.0",
      description: generalIntroduction + sandbox.prose,
      license: { name: "MIT", identifier: "MIT" },
    },
    servers: [{ url: "/" }],
    tags: tags.filter(({ name }) => used.has(name)),
    paths,
    ...(used.has("Webhook") ? { webhooks: webhookDocs() } : {}),
    components,
    ...(sandbox.prose ? { "x-sandbox": sandbox.inventory } : {}),
  };
}

function operation(route: Route): Json {
  return {
    operationId: route.name,
    tags: [route.tag],
    summary: route.summary,
    ...(route.description ? { description: route.description } : {}),
    ...parameters(route),
    ...requestBody(route),
    responses: { ...successes(route), ...failures(route) },
    security: security[route.auth],
  };
}

const security: Record<Auth, Json[]> = {
  key: [{ apiKey: [] }, { bearer: [] }, { session: [] }],
  admin: [{ adminKey: [] }, { session: [] }],
  either: [{ apiKey: [] }, { bearer: [] }, { adminKey: [] }, { session: [] }],
  owner: [{ session: [] }],
  none: [],
};

function requestBody(route: Route): Json {
  const inPath = pathNames(route.path);
  const inBody = fieldsOf(route.action.params).filter(([name]) => !inPath.includes(name));
  if (route.method === "GET" || inBody.length === 0) return {};
  const { $$strict = false } = route.action.params;
  const schema = { ...toJsonSchema({ ...Object.fromEntries(inBody), $$strict }), ...route.bodyRules };
  const examples = Object.entries(route.examples ?? {}).map(([name, value]) => [name, { value }]);
  const media = { schema, ...(examples.length ? { examples: Object.fromEntries(examples) } : {}) };
  return { requestBody: { required: "required" in schema, content: { "application/json": media } } };
}

function successes(route: Route): Json {
  return Object.fromEntries(
    Object.entries(route.responses).map(([status, doc]) => [status, success(route, doc)]),
  );
}

function success(route: Route, response: ResponseDoc): Json {
  const { description, type, example, headers: own = {} } = response;
  const schema = responseSchema(route, response);
  const headers = {
    "x-request-id": { $ref: "#/components/headers/RequestId" },
    ...limitHeaders(route),
    ...Object.fromEntries(
      Object.entries(own).map(([name, says]) => [name, { description: says, schema: { type: "string" } }]),
    ),
  };
  if (!schema && !type) return { description, headers };
  const media = { schema: schema ?? { type: "string" }, ...(example === undefined ? {} : { example }) };
  return { description, headers, content: { [type ?? "application/json"]: media } };
}

/** The schema of an answer in JSON: what the operation answers, unless the status has an answer of its own. */
export function responseSchema({ action }: Route, { schema, type }: ResponseDoc): Json | undefined {
  const rule = schema ?? action.result;
  return type || !rule || rule === nothing ? undefined : answerSchema(rule);
}

function limitHeaders({ auth }: Route): Json {
  if (auth !== "key" && auth !== "either") return {};
  return {
    "RateLimit-Policy": { $ref: "#/components/headers/RateLimitPolicy" },
    RateLimit: { $ref: "#/components/headers/RateLimit" },
  };
}

/** Errors of one HTTP status share an entry, which names their codes. */
function failures(route: Route): Json {
  const byStatus = new Map<number, ErrorCode[]>();
  for (const code of new Set([...usualErrors(route), ...(route.errors ?? [])])) {
    const status = errorStatus[code];
    byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
  }
  return Object.fromEntries(
    [...byStatus].sort(([a], [b]) => a - b).map(([status, codes]) => [status, failure(status, codes)]),
  );
}

function failure(status: number, codes: ErrorCode[]): Json {
  const retry = status === 429 || status === 503;
  return {
    description: codes.map(code => `\`${code}\``).join(", "),
    headers: {
      "x-request-id": { $ref: "#/components/headers/RequestId" },
      ...(retry ? { "Retry-After": { $ref: "#/components/headers/RetryAfter" } } : {}),
    },
    content: { "application/json": { schema: { $ref: "#/components/schemas/Error" } } },
  };
}

/** Errors of the HTTP layer, before it knows the operation. */
const beforeRouting: ErrorCode[] = [
  "malformed_request",
  "request_timeout",
  "expectation_failed",
  "headers_too_large",
];

function usualErrors(route: Route): ErrorCode[] {
  const takes = fieldsOf(route.action.params).length > 0;
  const hasBody =
    route.method !== "GET" && fieldsOf(route.action.params).length > pathNames(route.path).length;
  return [
    ...beforeRouting,
    ...(takes || route.auth === "key" ? (["validation_failed"] as const) : []),
    ...(route.idempotent ? (["conflict"] as const) : []),
    ...(hasBody ? (["malformed_json", "payload_too_large", "unsupported_media_type"] as const) : []),
    ...(route.auth === "none" ? [] : (["unauthorized"] as const)),
    ...(route.auth === "none" ? [] : (["forbidden", "rate_limited"] as const)),
    ...(route.auth === "none" ? [] : (["overloaded"] as const)),
  ];
}

/** The parameters of a route in path, query and header; empty where it has none. */
function parameters(route: Route): Json {
  const inPath = pathNames(route.path);
  const list = fieldsOf(route.action.params).flatMap(([name, rule]) => {
    if (inPath.includes(name)) return [{ ...parameter(route, name, rule), in: "path", required: true }];
    return route.method === "GET" ? inQuery(route, name, rule) : [];
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
    "For 24 hours, requests with the same key and the same body are one job; the same key with another body is a 409. " +
    "Visible ASCII characters, no blanks.",
  schema: { type: "string", minLength: 1, maxLength: 255, pattern: "^[!-~]+$" },
};

/** The names in a path template. */
function pathNames(path: string): string[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name ?? "");
}
