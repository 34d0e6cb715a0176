import { type ErrorCode, errorStatus } from "../../contracts/errors.ts";
import type { Auth, ResponseDoc, Route } from "../route.ts";
import { components } from "./components.ts";
import { webhookDocs } from "./event-schemas.ts";
import { toJsonSchema } from "./json-schema.ts";
import { fields, parameters, pathNames } from "./parameters.ts";
import { introduction, tags } from "./prose.ts";
import { type Drivers, sandboxDocs } from "./sandbox.ts";

type Json = Record<string, unknown>;

/**
 * The OpenAPI 3.1 document of a route table: parameters and bodies from the schemas that validate them. `x-sandbox` lists
 * what the simulated platforms hold, where there are any.
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
      description: introduction + sandbox.prose,
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
    operationId: operationId(route),
    tags: [route.tag],
    summary: route.summary,
    ...(route.description ? { description: route.description } : {}),
    ...parameters(route),
    ...requestBody(route),
    responses: { ...successes(route), ...failures(route) },
    security: security[route.auth],
  };
}

function operationId({ method, path }: Route): string {
  const words = path.split(/[^A-Za-z0-9]+/).filter(Boolean);
  return method.toLowerCase() + words.map(word => word[0]?.toUpperCase() + word.slice(1)).join("");
}

const security: Record<Auth, Json[]> = {
  key: [{ apiKey: [] }],
  admin: [{ adminKey: [] }],
  either: [{ apiKey: [] }, { adminKey: [] }],
  none: [],
};

function requestBody(route: Route): Json {
  const inPath = pathNames(route.path);
  const inBody = fields(route).filter(([name]) => !inPath.includes(name));
  if (route.method === "GET" || inBody.length === 0) return {};
  const strict = route.action.params.$$strict;
  const schema = toJsonSchema({ ...Object.fromEntries(inBody), $$strict: strict });
  const examples = Object.entries(route.examples ?? {}).map(([name, value]) => [name, { value }]);
  const media = { schema, ...(examples.length ? { examples: Object.fromEntries(examples) } : {}) };
  return { requestBody: { required: "required" in schema, content: { "application/json": media } } };
}

function successes(route: Route): Json {
  return Object.fromEntries(
    Object.entries(route.responses).map(([status, doc]) => [status, success(route, doc)]),
  );
}

function success(route: Route, { description, schema, type, example, headers: own = {} }: ResponseDoc): Json {
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

function usualErrors(route: Route): ErrorCode[] {
  const takes = fields(route).length > 0;
  const hasBody = route.method !== "GET" && fields(route).length > pathNames(route.path).length;
  return [
    ...(takes ? (["validation_failed"] as const) : []),
    ...(route.idempotent ? (["conflict"] as const) : []),
    ...(hasBody ? (["malformed_json", "payload_too_large", "unsupported_media_type"] as const) : []),
    ...(route.auth === "none" ? [] : (["unauthorized"] as const)),
    ...(route.auth === "key" || route.auth === "either" ? (["rate_limited"] as const) : []),
    ...(route.auth === "none" ? [] : (["overloaded"] as const)),
  ];
}
