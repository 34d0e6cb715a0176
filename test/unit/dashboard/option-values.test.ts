import type { Field, FieldKind } from "../../../dashboard/playground/option-fields.ts";
import { bodyOf, fromQuery, toQuery, type Values } from "../../../dashboard/playground/option-values.ts";

const option = (path: string, kind: FieldKind, more: Partial<Field> = {}): Field => ({
  path,
  name: path,
  kind,
  required: false,
  description: "",
  preset: undefined,
  values: [],
  ...more,
});

const fields = [
  option("url", "text", { required: true }),
  option("timeout", "number", { preset: 30_000 }),
  option("output.formats", "choices", { preset: ["markdown"], values: ["html", "markdown", "links"] }),
  option("output.json.prompt", "prose"),
  option("output.json.json_schema", "json"),
  option("request.block_ads", "switch", { preset: true }),
  option("request.cookies", "pairs"),
  option("crawler.include", "lines", { preset: [] }),
  option("js_render.wait_until", "choice", { values: ["load"] }),
  option("js_render.actions", "json"),
];
const url = "https://example.com";

test.each<[string, Values, object]>([
  ["values that differ from their presets", { url, timeout: "30000", "request.block_ads": true }, { url }],
  ["a number", { url, timeout: "5000" }, { url, timeout: 5000 }],
  ["a switch", { url, "request.block_ads": false }, { url, request: { block_ads: false } }],
  [
    "marks in the order of the schema",
    { url, "output.formats": ["links", "html"] },
    { url, output: { formats: ["html", "links"] } },
  ],
  [
    "an object within an object",
    { url, "output.json.prompt": " a\n b " },
    { url, output: { json: { prompt: " a\n b " } } },
  ],
  [
    "JSON",
    { url, "output.json.json_schema": '{"type":"object"}' },
    { url, output: { json: { json_schema: { type: "object" } } } },
  ],
  ["lines", { url, "crawler.include": "/a/**\n\n /b \n" }, { url, crawler: { include: ["/a/**", "/b"] } }],
  [
    "pairs",
    { url, "request.cookies": "sid=a=b: c\nx: y" },
    { url, request: { cookies: { sid: "a=b: c", x: "y" } } },
  ],
  [
    "pairs as JSON",
    { url, "request.cookies": '[{"name":"a"}]' },
    { url, request: { cookies: [{ name: "a" }] } },
  ],
  ["what was emptied", { url, timeout: "", "js_render.wait_until": "" }, { url }],
])("a body is made of %s", (_name, values, body) => {
  expect(bodyOf(fields, values)).toEqual({ body, mistakes: [] });
});

test.each<[string, Values, string]>([
  ["url", {}, "This is required."],
  ["timeout", { url, timeout: "soon" }, "This must be a number."],
  ["output.formats", { url, "output.formats": [] }, "Choose at least one."],
  ["output.json.json_schema", { url, "output.json.json_schema": "{a" }, "This must be JSON: "],
  ["request.cookies", { url, "request.cookies": "sid" }, "Write `name: value`, one a line."],
])("a mistake in %s is named", (path, values, message) => {
  const { mistakes } = bodyOf(fields, values);
  expect(mistakes).toEqual([{ path, message: expect.stringContaining(message) }]);
});

const queryOf = (text: string) => (name: string) => new URLSearchParams(text).get(name) ?? "";

test("an address holds the options and gives them back", () => {
  const values: Values = {
    url: "https://example.com/a?b=c&d",
    "output.formats": ["html", "links"],
    "request.block_ads": false,
    "output.json.prompt": "what is it?\n+1",
  };
  const { timeout, ...query } = toQuery(fields, values);
  expect(timeout).toBeNull();
  const text = new URLSearchParams(
    Object.entries(query).map(([name, value]) => [name, value ?? ""]),
  ).toString();
  expect(fromQuery(fields, queryOf(text))).toEqual(values);
});

test("an address neither holds nor gives cookies, headers and actions", () => {
  const typing = '[{"type":"type","text":"secret"}]';
  const query = toQuery(fields, { url, "request.cookies": "sid: secret", "js_render.actions": typing });
  expect(JSON.stringify(query)).not.toContain("secret");
  expect(fromQuery(fields, queryOf("request.cookies=sid:1&js_render.actions=[]&nothing=1"))).toEqual({});
});

test("an address chooses only values that exist", () => {
  expect(fromQuery(fields, queryOf("output.formats=links,exe"))).toEqual({ "output.formats": ["links"] });
});
