import { type Attack, type Attacks, asking, inWords } from "./attack.ts";

const page: NonNullable<Attack["site"]> = () => ({ "/": "<p>A page." });
const times = <Value>(count: number, value: (nth: number) => Value): Value[] =>
  Array.from({ length: count }, (_, nth) => value(nth));
const named = (count: number, value: (nth: number) => unknown) =>
  Object.fromEntries(times(count, nth => [`p${nth}`, value(nth)]));

/** Counted repetitions: a few characters that unfold to a hundred thousand states. */
const pattern = "a{0,999}".repeat(60);
const schemaOf = (patterns: number) => ({
  type: "object",
  properties: named(patterns, () => ({ type: "string", pattern })),
});
const schema = schemaOf(30);
const output = { formats: ["json"], json: { json_schema: schema } };
const selectors = times(50, n => `.s${n}${":not(.a):not(.b)".repeat(28)}`);
const nested = (levels: number) => `${":not(".repeat(levels)}a${")".repeat(levels)}`;

/** Expressions of one request, each of which fits the limits of its field. */
export const expressionAttacks: Attacks = {
  "schema-pattern": {
    site: page,
    run: asking("POST", "/web/scrape", site => ({
      url: `${site}/`,
      output: { formats: ["json"], json: { json_schema: schemaOf(1) } },
    })),
  },
  "schema-patterns": {
    site: page,
    run: asking("POST", "/web/scrape", site => ({ url: `${site}/`, output })),
  },
  "preview-schema": {
    site: page,
    run: asking("POST", "/track/web/preview", site => ({ sid: `${site}/`, options: { json: { schema } } })),
  },
  "firecrawl-schema": {
    site: page,
    run: asking("POST", "/v1/extract", site => ({ urls: [`${site}/`], schema })),
  },
  "batch-patterns": {
    run: asking("POST", "/web/batch", () => ({
      urls: times(3, n => `https://host${n}.example/`),
      output: { formats: ["json"], json: { json_schema: schemaOf(10) } },
    })),
  },
  "batch-of-hosts": {
    run: asking("POST", "/web/batch", () => ({
      urls: times(1000, n => `https://host${n}.example/`),
      request: { include_tags: selectors, exclude_tags: selectors },
    })),
  },
  "watch-patterns": {
    site: page,
    run: async ({ ask, site }) => {
      const ignore = [`/${"a{0,999}".repeat(120)}/`];
      const all = times(10, n => ask("POST", "/track/web", { sid: `${site}/?${n}`, options: { ignore } }));
      return inWords((await Promise.all(all))[0] as Awaited<ReturnType<typeof ask>>);
    },
  },
  "watch-selectors": {
    site: page,
    run: asking("POST", "/track/web", site => ({
      sid: `${site}/`,
      options: { select: times(20, () => nested(165)), remove: times(50, () => nested(165)) },
    })),
  },
  "recipe-of-200-fields": {
    site: page,
    run: asking("POST", "/web/scrape", site => {
      const recipe = { version: 1, fields: named(200, () => ({ list: nested(80), except: nested(80) })) };
      return { url: `${site}/`, output: { formats: ["json"], json: { recipe } } };
    }),
  },
  "crawl-globs": {
    site: page,
    run: asking("POST", "/web/crawl", site => {
      const globs = times(100, n => `/**/${"a*".repeat(250)}${n}`);
      return { url: `${site}/`, crawler: { include: globs, exclude: globs, limit: 5 } };
    }),
  },
  "crawl-long-urls": {
    isLong: true,
    site: () => ({ "/": times(1000, n => `<a href="/${"abbab".repeat(390)}${n}">a</a>`).join(" ") }),
    run: async ({ ask, site }) => {
      const include = times(8, () => "/[ab].{0,120}[ab].{0,115}[xy]$/");
      const started = await ask("POST", "/web/crawl", { url: `${site}/`, crawler: { include, limit: 5 } });
      const [, id] = /"crawl_id":"(\w+)"/.exec(started.text) ?? [];
      const isOver = async () => !(await ask("GET", `/web/crawl/${id}`)).text.includes('"status":"crawling"');
      for (let look = 0; look < 20 && !(await isOver()); look++) await pause();
      return inWords(started);
    },
  },
  "short-members": {
    run: asking("POST", "/web/scrape", () => `{${times(64_000, n => `"p${n}":1`).join()}}`),
  },
};

function pause(): Promise<void> {
  return new Promise(resolve => setTimeout(resolve, 1000));
}
