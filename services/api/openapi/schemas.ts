/** Schemas of answers, written by hand: they are promises to clients, not mirrors of the code. */

type Json = Record<string, unknown>;

const text = { type: "string" };
const time = { type: "string", format: "date-time" };
const nullableText = { type: ["string", "null"] };

/** An object whose named fields are all present, unless `optional` names them. */
export function shape(properties: Json, optional: string[] = []): Json {
  return {
    type: "object",
    required: Object.keys(properties).filter(name => !optional.includes(name)),
    properties,
  };
}

export const limits = shape({
  requestsPerMinute: { type: "integer", description: "Requests in any window of 60 s." },
  concurrentScrapes: { type: "integer", description: "Scrapes at a time." },
  concurrentCrawls: { type: "integer", description: "Crawls at a time." },
  trackedSources: { type: "integer", description: "Sources that the key may track." },
});

const keyFields = { id: text, name: text, key: { ...text, description: "The key value." }, createdAt: time };

export const apiKey = shape(keyFields);
export const adminKey = shape({ ...keyFields, owner: text, limits });
export const usageDay = shape({
  keyId: text,
  day: { type: "string", format: "date" },
  requests: { type: "integer" },
});

/** The envelope of successes outside scraping. */
export const withMessage = (data: Json) => shape({ data, message: text });

const metadata = shape({
  title: text,
  status_code: { type: "integer", description: "The target's own status; its 404 is no error of ours." },
  final_url: { ...text, description: "After redirects." },
  description: nullableText,
  language: { ...nullableText, description: "BCP 47 tag as the page declares it." },
  canonical_url: nullableText,
  og: { type: "object", additionalProperties: text, description: "OpenGraph properties without `og:`." },
  engine: { enum: ["http", "browser"], description: "What read the page." },
  proxy_location: { ...nullableText, description: "Country that served; null when fetched directly." },
});

export const scrapeData = shape(
  {
    markdown: { ...text, description: "GitHub Flavored Markdown." },
    html: {
      ...text,
      description: "The content without scripts, styles and, unless asked for, the page's frame.",
    },
    raw_html: { ...text, description: "The whole page, as the server sent it or the browser has it." },
    links: { type: "array", items: text, description: "Absolute URLs, each once." },
    summary: { ...text, description: "A few sentences." },
    json: { type: "object", description: "What was extracted; it fits the schema that was sent." },
    json_recipe: {
      type: "object",
      description: "With `breakdown`: selectors that can be sent back as `output.json.recipe`.",
    },
    screenshot: { ...text, description: "Key for `GET /web/screenshot/{key}`." },
    metadata,
  },
  ["markdown", "html", "raw_html", "links", "summary", "json", "json_recipe", "screenshot"],
);

const scrapeFields = {
  scrape_id: text,
  version: { const: "v1" },
  status: { const: "completed" },
  url: text,
  data: { ...scrapeData, description: "Only the formats that were asked for are present." },
  started_at: time,
  ended_at: time,
};
const scrapeState = { enum: ["pending", "completed", "failed"] };

export const finishedScrape = shape(scrapeFields);
export const acceptedScrape = shape(
  {
    scrape_id: text,
    version: { const: "v1" },
    status: { ...scrapeState, description: "`pending`, unless the same request was sent before." },
    webhook_secret: {
      ...text,
      description:
        "Signs the deliveries to `webhook.url`. Shown once: when it was made, for a key that had none.",
    },
  },
  ["webhook_secret"],
);
export const scrapeJob = shape(
  {
    ...scrapeFields,
    status: scrapeState,
    data: { ...scrapeFields.data, description: "When `completed`: the formats that were asked for." },
    error: { ...shape({ code: text, message: text }), description: "When `failed`." },
    started_at: { ...time, description: "Once it has started." },
    ended_at: { ...time, description: "Once it has ended." },
  },
  ["data", "error", "started_at", "ended_at"],
);

const sourceFields = {
  id: { ...text, description: "`iid` when untracking." },
  source: { ...text, description: "The kind in upper case, for example `RSS`." },
  externalId: {
    ...text,
    description: "`eid` when untracking: what the platform calls it; for pages and feeds the URL.",
  },
  username: { ...text, description: "Its handle; for pages and feeds the host." },
  name: { ...text, description: "Display name; for pages and feeds the title." },
};

export const source = shape(sourceFields);
export const datedSourceFields = {
  ...sourceFields,
  createdAt: { ...time, description: "When the calling key began to track it." },
  updatedAt: { ...time, description: "When the source last changed its name, address or state." },
};
export const datedSource = shape(datedSourceFields);

export const webhook = {
  properties: {
    id: text,
    apiKey: { ...text, description: "The key value that it belongs to." },
    name: nullableText,
    url: text,
    status: { enum: ["ACTIVE", "FAILED"] },
  },
};

export const delivery = shape({
  id: text,
  event_id: text,
  type: text,
  attempt: { type: "integer", minimum: 1 },
  outcome: {
    enum: ["succeeded", "failed", "dead"],
    description: "`dead`: set aside after the last attempt.",
  },
  http_status: { type: ["integer", "null"], description: "Null when no answer came." },
  error: { enum: ["timeout", "connection", "tls", "redirect", "refused", "http", null] },
  duration_ms: { type: "number" },
  answer: { ...text, description: "Its first 2 KB." },
  at: time,
});

const finding = {
  name: text,
  status: { enum: ["ok", "degraded", "missing"] },
  detail: { ...text, description: "What to do about it." },
};

export const readiness = shape({
  status: { enum: ["ready", "degraded"] },
  rooms: {
    type: "object",
    additionalProperties: shape({
      status: { enum: ["ready", "degraded", "unavailable"] },
      findings: { type: "array", items: shape(finding, ["detail"]) },
    }),
  },
  missing: { type: "array", items: shape({ room: text, ...finding }, ["detail"]) },
});
