import type { ConnectorTools } from "../../../services/connectors/connector.ts";
import { resolvePage } from "../../../services/connectors/web/resolve-page.ts";
import { type ErrorCode, fail } from "../../../services/contracts/errors.ts";

/** Looks up a page that a plain fetch does not get, and of which the scraper says so. */
function lookUp(code: ErrorCode) {
  const tools: ConnectorTools = {
    admit: text => new URL(text),
    fetchDocument: async () => {
      throw fail("target_unreachable", "The site did not answer.");
    },
    readFeed: async () => ({ ok: false, reason: "A page is no feed." }),
    visit: async () => {
      throw fail(code, "As the scraper says.");
    },
    now: Date.now,
    random: () => 0,
    minIntervalMs: 60_000,
  };
  return resolvePage("https://x.example/", tools);
}

test.each<[ErrorCode, object]>([
  ["scrape_timeout", { type: "target_unreachable", code: 502 }],
  [
    "unsupported_media_type",
    {
      type: "validation_failed",
      code: 400,
      data: { details: [{ field: "sid", code: "unsupported_media_type" }] },
    },
  ],
  ["url_not_allowed", { type: "url_not_allowed", data: { details: [{ field: "sid" }] } }],
  ["overloaded", { type: "overloaded", code: 503 }],
])("what a scrape fails with, %s, is a fault of what is to be tracked", async (code, fault) => {
  await expect(lookUp(code)).rejects.toMatchObject(fault);
});
