import { scrapeData, shape } from "./schemas.ts";

const text = { type: "string" };
const count = (description: string) => ({ type: "integer", minimum: 0, description });
const nullableTime = (description: string) => ({
  type: ["string", "null"],
  format: "date-time",
  description,
});
const nextCursor = {
  type: ["string", "null"],
  description: "Where the next page of this list begins; null when it has ended.",
};

export const crawlAccepted = shape(
  {
    crawl_id: text,
    version: { const: "v1" },
    status: { const: "crawling" },
    webhook_secret: {
      ...text,
      description:
        "Signs deliveries to `webhook.url`; only when it was made for this request, and never shown again.",
    },
  },
  ["webhook_secret"],
);

const failedPage = {
  ...shape({
    metadata: shape({ final_url: text, status_code: { type: "integer" } }, ["status_code"]),
    error: shape({ code: text, message: text }),
  }),
  description: "With `status=failed`.",
};

export const progress = shape({
  discovered: count("Pages that were found: the sum of the others."),
  queued: count("Pages that wait."),
  running: count("Pages that are being read."),
  completed: count("Pages that were read."),
  failed: count("Pages that could not be read."),
  skipped: count("Pages that were not to be read."),
});

export const crawl = shape(
  {
    crawl_id: text,
    version: { const: "v1" },
    status: { enum: ["crawling", "completed", "failed", "cancelled"] },
    url: text,
    stop_reason: {
      enum: ["finished", "limit", "cancelled", "entry_failed", "given_up", null],
      description: "Null while it crawls.",
    },
    progress,
    data: { type: "array", items: { anyOf: [scrapeData, failedPage] }, description: "At most 10 MB." },
    next_cursor: nextCursor,
    started_at: { ...text, format: "date-time" },
    ended_at: nullableTime("Null while it crawls."),
    expires_at: nullableTime("Null while it crawls."),
    error: { ...shape({ code: text, message: text }), description: "Only when `failed`." },
  },
  ["error"],
);

export const crawlErrorList = shape({
  crawl_id: text,
  data: {
    type: "array",
    items: shape({ url: text, status: { enum: ["failed", "skipped"] }, code: text, message: text }),
  },
  next_cursor: nextCursor,
});
