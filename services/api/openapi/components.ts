import { isDeepStrictEqual } from "node:util";
import { errorStatus } from "../../contracts/errors.ts";
import { keyScopes } from "../../contracts/key-scopes.ts";
import { detailCodes } from "../../domain/errors/detail-codes.ts";
import { quotaNames, quotaPeriods } from "../../domain/quota/quotas.ts";
import { refusalReasons } from "../../domain/url/refusals.ts";

type Json = Record<string, unknown>;

const text = { type: "string" };

/** The parts that operations refer to whatever the routes are. */
export const components = {
  securitySchemes: {
    apiKey: { type: "apiKey", in: "header", name: "x-api-key", description: "An API key (`mk_…`)." },
    bearer: {
      type: "http",
      scheme: "bearer",
      description: "The same API key as `Authorization: Bearer mk_…` (RFC 6750).",
    },
    adminKey: { type: "apiKey", in: "header", name: "x-admin-key", description: "The admin key." },
    session: {
      type: "apiKey",
      in: "cookie",
      name: "__Host-magpie",
      description:
        "The session of `POST /session`; over plain http on the gateway's own machine the name is `magpie`. It counts only " +
        "in requests that a page of this origin makes (`Sec-Fetch-Site: same-origin`, or an equal `Origin`); a write also " +
        "needs `x-magpie-csrf: 1`. An administrator or an owner names in `x-key-id` the API key to act as.",
    },
  },
  headers: {
    RequestId: { description: "Identifies this request in the service's log.", schema: text },
    Challenge: {
      description:
        "`Bearer`, with an `error` where a key was sent (RFC 6750, 3). With `insufficient_scope` it has the `scope`s of which any " +
        "one would do.",
      schema: text,
      example: 'Bearer realm="magpie"',
    },
    RetryAfter: { description: "Whole seconds to wait.", schema: { type: "integer", minimum: 1 } },
    RateLimitPolicy: {
      description:
        "Requests (`q`) in a window of `w` seconds, as in draft-ietf-httpapi-ratelimit-headers. Where the request is charged " +
        "to quotas of the key, these follow by their names, such as `pages-day`.",
      schema: text,
      example: '"default";q=600;w=60',
    },
    RateLimit: {
      description:
        "Requests that are left (`r`), and seconds (`t`) until the whole quota is free again; after it the quotas of the key " +
        "that the request is charged to.",
      schema: text,
      example: '"default";r=599;t=60',
    },
  },
  schemas: {
    Error: {
      type: "object",
      required: ["status", "code", "error", "message", "request_id"],
      properties: {
        status: { type: "string", const: "error" },
        code: { ...text, description: "Stable; branch on it.", enum: Object.keys(errorStatus) },
        error: { ...text, description: "A message for people." },
        message: { ...text, description: "The same message." },
        request_id: text,
        details: {
          type: "array",
          description: "On validation_failed: every field that was refused.",
          items: {
            type: "object",
            required: ["field", "code", "message"],
            properties: {
              field: { ...text, description: "Dotted path." },
              code: { ...text, description: "Stable; branch on it.", enum: Object.keys(detailCodes) },
              message: text,
            },
          },
        },
        retry_after: { type: "integer", minimum: 1, description: "Whole seconds, on 429 and 503." },
        scrape_id: { ...text, description: "On scrape_timeout: the job that ran out of time." },
        content_type: { ...text, description: "On unsupported_media_type: what the target sent." },
        rules: {
          type: "array",
          description: "On url_not_allowed: the rules that refused the URL.",
          items: { ...text, enum: Object.keys(refusalReasons) },
        },
        quota: {
          type: "object",
          description: "On quota_exceeded: the quota that is used up.",
          required: ["name", "period", "used", "limit", "resets_at"],
          properties: {
            name: { ...text, enum: quotaNames },
            period: { ...text, enum: quotaPeriods },
            used: { type: "integer", minimum: 0 },
            limit: { type: "integer", minimum: 0 },
            resets_at: { ...text, format: "date-time" },
          },
        },
        scopes: {
          type: "array",
          description: "On insufficient_scope: the scopes of which any one would do.",
          items: { ...text, enum: keyScopes },
        },
        oldest_seq: {
          type: "integer",
          description: "On expired, of a position in the events: the oldest that is kept.",
        },
      },
      example: {
        status: "error",
        code: "validation_failed",
        error: "`url` is required.",
        message: "`url` is required.",
        request_id: "6f1f6a0e-2f8e-4e0f-9a86-3f0d5f6e1b11",
        details: [{ field: "url", code: "required", message: "`url` is required." }],
      },
    },
  },
};

/**
 * What the document holds once, below `components`, and refers to: generated clients then have one type for one thing.
 */
export class NamedParts {
  readonly #kind: "schemas" | "responses";
  readonly #parts = new Map<string, Json>();

  constructor(kind: "schemas" | "responses") {
    this.#kind = kind;
  }

  /** Keeps a part under its name and refers to it. Throws when the name has another part already. */
  refer(name: string, part: Json): Json {
    if (!isDeepStrictEqual(this.#parts.get(name) ?? part, part))
      throw new Error(`Two ${this.#kind} of the OpenAPI document have the name ${name}.`);
    this.#parts.set(name, part);
    return { $ref: `#/components/${this.#kind}/${name}` };
  }

  /** All of them, in the order of their names. */
  all(): Json {
    return Object.fromEntries([...this.#parts].sort(([a], [b]) => (a < b ? -1 : 1)));
  }
}

/** The name of a type: `startCrawl` and `rss.item.created` become `StartCrawl` and `RssItemCreated`. */
export function typeName(name: string): string {
  return name.replace(/(?:^|[._ ])(\w)/g, (_, letter: string) => letter.toUpperCase());
}
