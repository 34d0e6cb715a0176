/** What a reader of the document meets first. */
export const introduction = `Tracks sources, delivers what is new, and scrapes the public web.

**Authentication.** Send your API key in \`x-api-key\`. The endpoints below /internal take the admin key in \`x-admin-key\`.

**Requests.** Bodies are JSON in UTF-8 of at most 1 MB, nested at most 32 deep, with at most 10,000 members in a list or an object. Fields that are not documented are refused and named.

**Errors.** Every error has the same body: \`{status: "error", code, error, message, request_id}\`. Branch on \`code\`; \`message\` (and the same sentence in \`error\`) is for people. Refused parameters are listed in \`details\`. 429 and 503 carry \`retry_after\` in whole seconds, also as \`Retry-After\`.

**Limits.** Each key has a sliding window of 60 s. \`RateLimit-Policy\` and \`RateLimit\` on every answer tell its size and what is left of it.

**Request ids.** Every answer carries \`x-request-id\`. An id of your own (letters, digits, \`. _ -\`, at most 64) is kept.

**Browsers.** Other origins may read this document only: an API key does not belong into a web page.`;

export const tags = [
  { name: "Web", description: "Scraping of single pages." },
  { name: "Tracking", description: "Sources whose new content is delivered." },
  { name: "Microblog", description: "Posts and accounts." },
  { name: "Messenger", description: "Messages." },
  { name: "Webhook", description: "Where events are delivered, and how that went." },
  { name: "Stream", description: "The same events over a connection of the client's own." },
  { name: "Events", description: "What webhooks receive and streams carry." },
  { name: "API keys", description: "The keys of the calling key's owner." },
  {
    name: "Administration",
    description: "Keys, and posts that are fetched or handed on by hand. Takes the admin key.",
  },
  { name: "Operations", description: "Health, metrics and this document." },
];
