import { type Attacks, asking } from "./attack.ts";

/** Counted repetitions: a few characters that unfold to a hundred thousand states. */
const pattern = "a{0,999}".repeat(60);
const schema = {
  type: "object",
  properties: Object.fromEntries(
    Array.from({ length: 30 }, (_, n) => [`p${n}`, { type: "string", pattern }]),
  ),
};
const selectors = Array.from({ length: 50 }, (_, n) => `.s${n}${":not(.a):not(.b)".repeat(28)}`);

/** Expressions of one request, each of which fits the limits of its field. */
export const expressionAttacks: Attacks = {
  "schema-patterns": {
    site: () => ({ "/": "<p>A page." }),
    run: asking("POST", "/web/scrape", site => ({
      url: `${site}/`,
      output: { formats: ["json"], json: { json_schema: schema } },
    })),
  },
  "batch-of-hosts": {
    run: asking("POST", "/web/batch", () => ({
      urls: Array.from({ length: 1000 }, (_, n) => `https://host${n}.example/`),
      request: { include_tags: selectors, exclude_tags: selectors },
    })),
  },
};
