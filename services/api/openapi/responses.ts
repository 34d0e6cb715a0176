import { type ErrorCode, errorStatus } from "../../contracts/errors.ts";
import { nothing } from "../../contracts/schema.ts";
import type { ResponseDoc, Route } from "../routes/route.ts";
import { type NamedParts, typeName } from "./components.ts";
import { answerSchema, fieldsOf } from "./json-schema.ts";

type Json = Record<string, unknown>;

/** What the document says once of several operations. */
export interface Parts {
  readonly schemas: NamedParts;
  readonly responses: NamedParts;
}

const json = "application/json";
const requestId = { "x-request-id": { $ref: "#/components/headers/RequestId" } };

/** The answers of a route when all goes well. */
export function successes(route: Route, { schemas }: Parts): Json {
  return Object.fromEntries(
    Object.entries(route.responses).map(([status, doc]) => [status, success(route, doc, schemas)]),
  );
}

function success(route: Route, response: ResponseDoc, names: NamedParts): Json {
  const { description, type, also, forms, example, headers: own = {} } = response;
  const schema = type ? contentOf(type) : namedSchema(route, response, names);
  const described = Object.entries(own).map(([name, says]) => [
    name,
    { description: says, schema: { type: "string" } },
  ]);
  const headers = { ...requestId, ...limitHeaders(route), ...Object.fromEntries(described) };
  if (!schema) return { description, headers };
  const media = { schema, ...(example === undefined ? {} : { example }) };
  const others = [...(also ? [also] : []), ...Object.values(forms?.types ?? {})];
  const content = others.map(each => [each.replace(/;.*/s, ""), { schema: contentOf(each) }]);
  return { description, headers, content: { [type ?? json]: media, ...Object.fromEntries(content) } };
}

/** Text, or bytes as generators of clients expect them. */
function contentOf(type: string): Json {
  return type.startsWith("text/") ? { type: "string" } : { type: "string", format: "binary" };
}

/** An answer that has no name of its own has that of its operation. */
function namedSchema(route: Route, response: ResponseDoc, names: NamedParts): Json | undefined {
  const schema = responseSchema(route, response, names);
  return schema?.properties ? names.refer(`${typeName(route.name)}Response`, schema) : schema;
}

/** The schema of an answer in JSON: what the operation answers, unless the status has an answer of its own. */
export function responseSchema(
  { action }: Route,
  { schema, type }: ResponseDoc,
  names?: NamedParts,
): Json | undefined {
  const rule = schema ?? action.result;
  return type || !rule || rule === nothing ? undefined : answerSchema(rule, names);
}

function limitHeaders({ auth }: Route): Json {
  if (auth !== "key" && auth !== "either") return {};
  return {
    "RateLimit-Policy": { $ref: "#/components/headers/RateLimitPolicy" },
    RateLimit: { $ref: "#/components/headers/RateLimit" },
  };
}

/** Errors of one HTTP status share an entry, which names their codes; one or two have the same entry everywhere. */
export function failures(route: Route, { responses }: Parts): Json {
  const byStatus = new Map<number, ErrorCode[]>();
  for (const code of new Set([...usualErrors(route), ...(route.errors ?? [])])) {
    const status = errorStatus[code];
    byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
  }
  const entries = [...byStatus].sort(([a], [b]) => a - b);
  return Object.fromEntries(
    entries.map(([status, codes]) => {
      const response = failure(status, codes);
      const name = codes.map(typeName).join("Or");
      return [status, codes.length <= 2 ? responses.refer(name, response) : response];
    }),
  );
}

function failure(status: number, codes: ErrorCode[]): Json {
  const retry = status === 429 || status === 503;
  return {
    description: codes.map(code => `\`${code}\``).join(", "),
    headers: {
      ...requestId,
      ...(retry ? { "Retry-After": { $ref: "#/components/headers/RetryAfter" } } : {}),
      ...(status === 401 || codes.includes("insufficient_scope")
        ? { "WWW-Authenticate": { $ref: "#/components/headers/Challenge" } }
        : {}),
    },
    content: { [json]: { schema: { $ref: "#/components/schemas/Error" } } },
  };
}

/** Errors of the HTTP layer, before it knows the operation. */
const beforeRouting: ErrorCode[] = [
  "malformed_request",
  "request_timeout",
  "expectation_failed",
  "misdirected_request",
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
    ...(route.scopes ? (["key_expired", "insufficient_scope"] as const) : []),
    ...(route.auth === "none" ? [] : (["forbidden", "rate_limited"] as const)),
    ...(route.auth === "none" ? [] : (["overloaded"] as const)),
  ];
}

/** The names in a path template. */
export function pathNames(path: string): string[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name ?? "");
}
