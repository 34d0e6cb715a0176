import { Ajv2020 } from "ajv/dist/2020.js";
import { Validators } from "moleculer";
import { ruleSchema, toJsonSchema } from "../../../services/api/openapi/json-schema.ts";
import * as keys from "../../../services/contracts/keys.contract.ts";
import * as scraper from "../../../services/contracts/scraper.contract.ts";

test.each([
  [
    { type: "string", min: 1, max: 5 },
    { type: "string", minLength: 1, maxLength: 5 },
  ],
  [
    { type: "string", length: 10 },
    { type: "string", minLength: 10, maxLength: 10 },
  ],
  [
    { type: "string", pattern: /^a$/ },
    { type: "string", pattern: "^a$" },
  ],
  ["string|min:2|optional", { type: "string", minLength: 2 }],
  [
    { type: "number", integer: true, min: 1 },
    { type: "integer", minimum: 1 },
  ],
  [
    { type: "boolean", default: true },
    { type: "boolean", default: true },
  ],
  [
    { type: "enum", values: ["a"] },
    { type: "string", enum: ["a"] },
  ],
  [
    { type: "array", items: "string", unique: true, max: 2 },
    { type: "array", items: { type: "string" }, uniqueItems: true, maxItems: 2 },
  ],
  [{ type: "object" }, { type: "object" }],
  [
    { type: "record", value: "number" },
    { type: "object", additionalProperties: { type: "number" } },
  ],
  [["string", "number"], { anyOf: [{ type: "string" }, { type: "number" }] }],
  [{ type: "string", nullable: true }, { type: ["string", "null"] }],
  [{ type: "any" }, {}],
])("%j becomes %j", (rule, schema) => {
  expect(ruleSchema(rule)).toEqual(schema);
});

test("a rule that it does not know is an error, not a gap in the document", () => {
  expect(() => ruleSchema({ type: "luhn" })).toThrow(/luhn/);
});

const samples = [
  {},
  { unknown: 1 },
  { key: "k" },
  { key: "" },
  { key: "x".repeat(600) },
  { id: "1" },
  { id: 1 },
  { id: "1", days: 3 },
  { id: "1", days: 0 },
  { id: "1", days: 367 },
  { id: "1", name: "n", limits: { requestsPerMinute: 1 } },
  { id: "1", limits: { requestsPerMinute: 1.5 } },
  { id: "1", limits: { more: 1 } },
  { owner: "o", name: "n" },
  { owner: "o", name: "n".repeat(101) },
  { apiKeyId: null },
  { apiKeyId: "1" },
  { counts: [] },
  { counts: [{ keyId: "1", day: "2025-01-01", requests: 1 }] },
  { counts: [{ keyId: "1", day: "2025-01-01", requests: 0 }] },
  { url: "https://example.com" },
  { url: "" },
  { url: "https://example.com", timeout: 999 },
  { url: "https://example.com", timeout: 600_000 },
  { url: "https://example.com", mode: "later" },
  { url: "https://example.com", output: { formats: [] } },
  { url: "https://example.com", output: { formats: ["html", "html"] } },
  { url: "https://example.com", output: { formats: ["pdf"] } },
  { url: "https://example.com", output: { formats: ["json"], json: { prompt: "p" } } },
  { url: "https://example.com", output: { more: 1 } },
  { url: "https://example.com", request: { cookies: { a: "b" } } },
  { url: "https://example.com", request: { cookies: [{ name: "a", value: "b" }] } },
  { url: "https://example.com", request: { cookies: [{ name: "a" }] } },
  { url: "https://example.com", request: { cookies: "a=b" } },
  { url: "https://example.com", request: { headers: { a: "b" } } },
  { url: "https://example.com", request: { headers: { a: 1 } } },
  { url: "https://example.com", request: { locale: "de-AT" } },
  { url: "https://example.com", request: { locale: "!" } },
  { url: "https://example.com", js_render: { viewport: { width: 100, height: 100 } } },
  { url: "https://example.com", js_render: { viewport: { width: 100 } } },
  { url: "https://example.com", proxy: { location: "USA" } },
  { url: "https://example.com", webhook: { url: "https://example.com/hook", events: ["completed"] } },
  { url: "https://example.com", webhook: { events: ["completed"] } },
];

/** The documented schema and the validating one must judge alike, or the document lies. */
describe.each(Object.entries({ ...keys, ...scraper }).filter(([, value]) => "params" in Object(value)))(
  "%s",
  (_name, contract) => {
    const { params } = contract as { params: Record<string, unknown> };
    const check = new Validators.Fastest().compile(params);
    const documented = new Ajv2020({ strict: false }).compile(toJsonSchema(params));

    test.each(samples)("judges %j alike", sample => {
      expect(documented(structuredClone(sample))).toBe(check(structuredClone(sample)) === true);
    });
  },
);
