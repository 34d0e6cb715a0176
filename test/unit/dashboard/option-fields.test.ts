import {
  type Field,
  groupsOf,
  type Schema,
  writtenOut,
} from "../../../dashboard/playground/option-fields.ts";
import { openApiDocument } from "../../../services/api/openapi/document.ts";
import { crawlRoutes } from "../../../services/api/routes/crawl.routes.ts";
import type { Route } from "../../../services/api/routes/route.ts";
import { webRoutes } from "../../../services/api/routes/scrape.routes.ts";
import { startCrawl } from "../../../services/contracts/crawler.contract.ts";
import type { Rule } from "../../../services/contracts/schema.ts";
import { scrape } from "../../../services/contracts/scraper.contract.ts";

/** The schema of a body, as the service's document has it. */
function bodyOf(routes: Route[], path: string): Schema {
  const drivers = { microblog: "none", chatserver: "none", messenger: "none" };
  const document = JSON.parse(JSON.stringify(openApiDocument(routes, drivers as never)));
  const { schema } = document.paths[path].post.requestBody.content["application/json"];
  return writtenOut(schema, document.components.schemas);
}

/** Each value of the contract's parameters, by its path; what is inside a list or a free object is no option of its own. */
function optionsOf(fields: Readonly<Record<string, Rule | boolean>>, above = ""): string[] {
  return Object.entries(fields).flatMap(([name, rule]) =>
    typeof rule !== "boolean" && rule.type === "object" && rule.props
      ? optionsOf(rule.props, `${above}${name}.`)
      : [`${above}${name}`],
  );
}

const fieldsOf = (schema: Schema) => groupsOf(schema).flatMap(({ fields }) => fields);
const scrapeFields = fieldsOf(bodyOf(webRoutes, "/web/scrape"));
const crawlFields = fieldsOf(bodyOf(crawlRoutes, "/web/crawl"));

test.each([
  ["scrape", scrapeFields, scrape.params],
  ["crawl", crawlFields, startCrawl.params],
])("each option of a %s has one field", (_name, fields, params) => {
  const { $$strict: _, ...options } = params;
  const paths = optionsOf(options);
  expect(paths.length).toBeGreaterThan(20);
  expect(fields.map(({ path }) => path).sort()).toEqual(paths.sort());
});

test.each([
  ["url", "text"],
  ["mode", "choice"],
  ["timeout", "number"],
  ["breakdown", "switch"],
  ["output.formats", "choices"],
  ["output.screenshot", "choice"],
  ["output.json.prompt", "prose"],
  ["output.json.json_schema", "json"],
  ["output.json.recipe", "json"],
  ["request.locale", "text"],
  ["request.cookies", "pairs"],
  ["request.headers", "pairs"],
  ["js_render.viewport.width", "number"],
  ["webhook.events", "choices"],
  ["webhook.headers", "pairs"],
])("the option %s is typed as %s", (path, kind) => {
  expect(field(scrapeFields, path).kind).toBe(kind);
});

test("patterns of a crawl are typed as lines", () => {
  expect(field(crawlFields, "crawler.include").kind).toBe("lines");
});

test("a field has the bounds, values, preset and description of its option", () => {
  expect(field(scrapeFields, "timeout")).toMatchObject({ min: 1000, max: 600_000, preset: 30_000 });
  expect(field(scrapeFields, "mode")).toMatchObject({ values: ["sync", "async"], preset: "sync" });
  expect(field(scrapeFields, "output.formats").values).toContain("screenshot");
  expect(field(scrapeFields, "url")).toMatchObject({ required: true, name: "url", maxLength: 2048 });
  expect(field(scrapeFields, "output.json.prompt").required).toBe(false);
  for (const { path, description } of scrapeFields)
    if (path !== "webhook.url") expect([path, description.length > 8]).toEqual([path, true]);
});

test("an optional choice has no null among its values", () => {
  expect(field(scrapeFields, "js_render.wait_until").values).toEqual([
    "load",
    "domcontentloaded",
    "networkidle",
  ]);
});

test("objects of the body become groups, after its own values", () => {
  expect(groupsOf(bodyOf(webRoutes, "/web/scrape")).map(({ name }) => name)).toEqual([
    "",
    "output",
    "request",
    "js_render",
    "proxy",
    "session",
    "webhook",
  ]);
});

function field(fields: Field[], path: string): Field {
  const found = fields.find(each => each.path === path);
  if (!found) throw new Error(`no field ${path}`);
  return found;
}
