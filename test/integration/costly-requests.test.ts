/** Requests whose expressions cost much: each is refused before anything is compiled, and names its field. */
import { jest } from "@jest/globals";
import { RE2JS } from "re2js";
import type { Config } from "../../mixins/config/config.ts";
import { RequestBudget } from "../../reader/text/request-budget.ts";
import { crawlerService } from "../../services/crawler/crawler.service.ts";
import { keysService } from "../../services/keys/keys.service.ts";
import { scraperService } from "../../services/scraper/scraper.service.ts";
import { trackerService } from "../../services/tracker/tracker.service.ts";
import { webhookDispatcherService } from "../../services/webhook-dispatcher/webhook-dispatcher.service.ts";
import { type Magpie, startMagpie } from "../support/magpie.ts";

let magpie: Magpie;
const compile = jest.spyOn(RE2JS, "compile");
const spend = jest.spyOn(RequestBudget.prototype, "spend");

beforeAll(async () => {
  const services = (config: Config) =>
    [keysService, scraperService, crawlerService, trackerService, webhookDispatcherService].map(service =>
      service(config),
    );
  magpie = await startMagpie({}, services);
});

afterAll(async () => {
  compile.mockRestore();
  spend.mockRestore();
  await magpie?.stop();
});

beforeEach(() => {
  compile.mockClear();
  spend.mockClear();
});

interface Refusal {
  code: string;
  details: { field: string; code: string; message: string }[];
}

const times = <Value>(count: number, value: (nth: number) => Value): Value[] =>
  Array.from({ length: count }, (_, nth) => value(nth));
const named = (count: number, value: unknown) => Object.fromEntries(times(count, nth => [`p${nth}`, value]));
const pattern = "a{0,999}".repeat(60);
const schemaOf = (count: number) => ({
  type: "object",
  properties: named(count, { type: "string", pattern }),
});
const nested = (levels: number) => `${":not(".repeat(levels)}a${")".repeat(levels)}`;
const json = (wanted: object) => ({ formats: ["json"], json: wanted });
const url = "https://site.example/";
const inSlashes = `/${"a{0,999}".repeat(120)}/`;

test.each<[what: string, path: string, body: object, field: string]>([
  [
    "a pattern of a schema",
    "/web/scrape",
    { url, output: json({ json_schema: schemaOf(1) }) },
    "output.json.json_schema.properties.p0.pattern",
  ],
  [
    "thirty patterns",
    "/web/scrape",
    { url, output: json({ json_schema: schemaOf(30) }) },
    "output.json.json_schema.properties.p0.pattern",
  ],
  [
    "patterns of a batch",
    "/web/batch",
    { urls: times(3, nth => `https://h${nth}.example/`), output: json({ json_schema: schemaOf(10) }) },
    "output.json.json_schema.properties.p0.pattern",
  ],
  [
    "patterns of a crawl's pages",
    "/web/crawl",
    { url, output: json({ json_schema: schemaOf(10) }) },
    "output.json.json_schema.properties.p0.pattern",
  ],
  [
    "an expression of a crawl",
    "/web/crawl",
    { url, crawler: { include: ["/blog/**", `/${pattern}/`] } },
    "crawler.include.1",
  ],
  ["what a watch ignores", "/track/web", { sid: url, options: { ignore: [inSlashes] } }, "options.ignore.0"],
  [
    "what a watch waits for",
    "/track/web",
    { sid: url, options: { when: { contains: [inSlashes] } } },
    "options.when.contains.0",
  ],
  [
    "a watch of many sources",
    "/track/batch",
    { items: [{ source: "web", sid: url, options: { when: { not_contains: [inSlashes] } } }] },
    "items.0.options.when.not_contains.0",
  ],
  [
    "selectors in one another",
    "/track/web",
    { sid: url, options: { select: times(20, () => nested(165)) } },
    "options.select.0",
  ],
  [
    "a recipe of 200 fields",
    "/web/scrape",
    { url, output: json({ recipe: { version: 1, fields: named(200, { list: nested(80) }) } }) },
    "output.json.recipe.fields.p0.list",
  ],
])("%s: 400, and nothing is compiled", async (_, path, body, field) => {
  const reply = await magpie.request("POST", path, { body });
  const { code, details } = reply.json<Refusal>();
  expect([reply.status, code]).toEqual([400, "validation_failed"]);
  expect(details).toEqual([
    { field, code: expect.any(String), message: expect.stringMatching(/more than 1000|at most 8 levels/) },
  ]);
  expect(compile).not.toHaveBeenCalled();
});

test("two hundred globs at their limits are taken, and not compiled for that", async () => {
  const globs = times(100, nth => `/**/${"a*".repeat(250)}${nth}`);
  const crawler = { include: globs, exclude: globs };
  const reply = await magpie.request("POST", "/web/crawl", { body: { url, crawler } });
  expect(reply.status).toBe(200);
  expect(compile).not.toHaveBeenCalled();
});

test("a thousand sources with the same options are checked once", async () => {
  const options = { ignore: times(10, nth => `/[a-z]{1,9}${nth}/i`), select: [".price"] };
  const items = times(1000, nth => ({ source: "web", sid: `${url}${nth}`, options }));
  const wrong = { source: "web", sid: url, options: { select: ["p:::x"] } };
  const reply = await magpie.request("POST", "/track/batch", { body: { items: [...items, wrong] } });
  expect([reply.status, reply.json<Refusal>().details[0]?.field]).toEqual([
    400,
    "items.1000.options.select.0",
  ]);
  expect(spend).toHaveBeenCalledTimes(12);
  expect(compile).toHaveBeenCalledTimes(10);
});
