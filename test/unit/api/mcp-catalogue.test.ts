import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { toolsOf } from "../../../services/api/mcp/catalogue.ts";
import { routes } from "../../../services/api/routes/routes.ts";

interface Schema {
  properties?: Record<string, Schema>;
  required?: string[];
}

const tools = [...toolsOf(routes)];
const names = tools.map(([name]) => name);

/** The schema of a field, `output.formats` for one within an object. */
function fieldAt(schema: Schema, path: string): Schema | undefined {
  return path.split(".").reduce<Schema | undefined>((at, name) => at?.properties?.[name], schema);
}

test("the tools are these, in the order of the table", () => {
  expect(names.toSorted()).toEqual([
    ...["batch", "crawl", "crawl_status", "diff", "get_checks", "get_source", "get_versions"],
    ...["list_site_pages", "list_sources", "map", "monitors", "preview_source", "read_events", "run_monitor"],
    ...["scrape", "search", "search_messages", "track", "untrack"],
  ]);
  expect([...toolsOf(routes).keys()]).toEqual(names);
});

test("rows of one tool say the same of it", () => {
  for (const [, { rows }] of tools) expect(new Set(rows.map(({ tool }) => tool)).size).toBe(1);
});

test.each(tools)("%s has a schema that stands alone and that APIs of models accept", (_, { listing }) => {
  const { inputSchema } = listing;
  const ajv = new Ajv2020({ strict: false });
  addFormats.default(ajv);
  ajv.compile(inputSchema);
  expect(JSON.stringify(inputSchema)).not.toContain('"$ref":');
  expect(Object.keys(inputSchema)).toEqual(expect.not.arrayContaining(["anyOf", "oneOf", "allOf"]));
  expect(JSON.stringify(inputSchema)).not.toContain('"null"');
});

test.each(tools)("%s shows fields that its rows have", (_, { listing, rows }) => {
  const shown = rows.flatMap(({ tool }) => tool.shows ?? []);
  expect(shown.filter(path => !fieldAt(listing.inputSchema as Schema, path))).toEqual([]);
});

test("what every row of a tool needs is required, and nothing else", () => {
  const required = tools.map(([name, { listing }]) => [name, (listing.inputSchema as Schema).required]);
  expect(Object.fromEntries(required)).toEqual({
    ...{ scrape: undefined, map: ["url"], crawl: ["url"], crawl_status: undefined, batch: ["urls"] },
    ...{ track: ["source", "sid"], untrack: ["source"], list_sources: undefined },
    preview_source: ["source", "sid"],
    ...{ read_events: undefined, search_messages: ["q"], search: ["q"] },
    ...{ list_site_pages: ["id"], monitors: undefined, run_monitor: ["id"] },
    ...{ get_source: ["id"], get_checks: ["id"], get_versions: ["id"], diff: ["id"] },
  });
});

test("an object of which fields are shown has no default: it may be left out", () => {
  const { inputSchema } = toolsOf(routes).get("scrape")?.listing ?? {};
  expect(fieldAt(inputSchema as Schema, "output")).not.toHaveProperty("default");
  expect(fieldAt(inputSchema as Schema, "output.screenshot")).toBeUndefined();
});

test("what another tool shows is said in words, by its type", () => {
  const { inputSchema } = toolsOf(routes).get("track")?.listing ?? {};
  const [actions, method] = ["options.actions", "options.method"].map(path =>
    fieldAt(inputSchema as Schema, path),
  );
  expect(actions).toEqual({
    ...{ type: "array", items: { type: "object", additionalProperties: true } },
    description: "As `js_render.actions` of `scrape`.",
  });
  expect(method).toMatchObject({ type: "string", enum: ["GET", "POST"] });
});

test("all listings together stay below what a conversation can spare", () => {
  expect(JSON.stringify(tools.map(([, { listing }]) => listing)).length).toBeLessThan(35_000);
});
