import { errorStatus } from "../../contracts/errors.ts";

const text = { type: "string" };

/** The parts that operations refer to. */
export const components = {
  securitySchemes: {
    apiKey: { type: "apiKey", in: "header", name: "x-api-key", description: "An API key (`mk_…`)." },
    adminKey: { type: "apiKey", in: "header", name: "x-admin-key", description: "The admin key." },
  },
  headers: {
    RequestId: { description: "Names this request in the service's log.", schema: text },
    RetryAfter: { description: "Whole seconds to wait.", schema: { type: "integer", minimum: 1 } },
    RateLimitPolicy: {
      description: "Requests (`q`) in a window of `w` seconds, as in draft-ietf-httpapi-ratelimit-headers.",
      schema: text,
      example: '"default";q=600;w=60',
    },
    RateLimit: {
      description: "Requests that are left (`r`), and seconds (`t`) until the whole quota is free again.",
      schema: text,
      example: '"default";r=599;t=60',
    },
  },
  schemas: {
    Error: {
      type: "object",
      required: ["status", "code", "error", "message", "request_id"],
      properties: {
        status: { const: "error" },
        code: { ...text, description: "Stable; branch on it.", enum: Object.keys(errorStatus) },
        error: { ...text, description: "A plain sentence." },
        message: { ...text, description: "The same sentence." },
        request_id: text,
        details: {
          type: "array",
          description: "On validation_failed: every field that was refused.",
          items: {
            type: "object",
            required: ["field", "code", "message"],
            properties: { field: { ...text, description: "Dotted path." }, code: text, message: text },
          },
        },
        retry_after: { type: "integer", minimum: 1, description: "Whole seconds, on 429 and 503." },
        scrape_id: { ...text, description: "On scrape_timeout: the job that ran out of time." },
        content_type: { ...text, description: "On unsupported_media_type: what the target sent." },
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
