import { coerceQuery, dropNulls, resolveAliases } from "../../../services/api/request/read-params.ts";
import { requestId } from "../../../services/api/request/request.ts";
import type { ParamsSchema } from "../../../services/contracts/action.ts";
import { dispatch } from "../../../services/contracts/admin.contract.ts";
import { createKey, setMessengerDefaultKey } from "../../../services/contracts/keys.contract.ts";
import { scrape } from "../../../services/contracts/scraper.contract.ts";
import { changeWebhook } from "../../../services/contracts/webhook-dispatcher.contract.ts";

describe("other names of parameters", () => {
  const aliases = { query: "q" };

  test.each<[Record<string, string | string[]>, Record<string, string | string[]>]>([
    [{ q: "a" }, { q: "a" }],
    [{ query: "a" }, { q: "a" }],
    [
      { query: ["a", "b"], limit: "2" },
      { q: ["a", "b"], limit: "2" },
    ],
    [{ toString: "x" }, { toString: "x" }],
    [{}, {}],
  ])("%j becomes %j", (query, params) => {
    expect(resolveAliases(query, aliases)).toEqual(params);
  });

  test("both names at once are refused", () => {
    expect(() => resolveAliases({ q: "a", query: "a" }, aliases)).toThrow("not both");
  });
});

test.each([
  [
    { n: "5", b: "true", s: "5", a: "x" },
    { n: 5, b: true, s: "5", a: ["x"] },
  ],
  [
    { n: "five", b: "yes" },
    { n: "five", b: "yes" },
  ],
  [
    { n: ["1", "2"], a: ["x", "y"] },
    { n: ["1", "2"], a: ["x", "y"] },
  ],
  [
    { n: "1e3", other: "7" },
    { n: "1e3", other: "7" },
  ],
])("the query %j is read as %j", (query, params) => {
  const schema: ParamsSchema = {
    n: { type: "number" },
    b: { type: "boolean", optional: true },
    s: { type: "string" },
    a: { type: "array", items: { type: "any" } },
  };
  expect(coerceQuery(query, schema)).toEqual(params);
});

type Json = Record<string, unknown>;

test.each<[string, ParamsSchema, Json, Json]>([
  ["goes where the field may be left out", dispatch.params, { post: null, posts: null }, {}],
  ["goes in fields of fields", createKey.params, { limits: { requestsPerMinute: null } }, { limits: {} }],
  ["stays where the field is required", createKey.params, { owner: null, limits: null }, { owner: null }],
  ["stays where it is a value", setMessengerDefaultKey.params, { apiKeyId: null }, { apiKeyId: null }],
  [
    "stays where it switches something off",
    changeWebhook.params,
    { ordering: null, batch: null },
    { batch: null },
  ],
  ["stays where it is a mistake", changeWebhook.params, { url: null, rotate_secret: null }, { url: null }],
  ["stays where the field is unknown", createKey.params, { colour: null }, { colour: null }],
  [
    "stays within what has no fields of its own",
    scrape.params,
    { timeout: null, output: { json: { prompt: null, json_schema: { default: null } } } },
    { output: { json: { json_schema: { default: null } } } },
  ],
  ["stays within lists", dispatch.params, { posts: [null, { a: null }] }, { posts: [null, { a: null }] }],
])("null %s", (_, params, body, expected) => {
  expect(dropNulls(params, body)).toEqual(expected);
});

test.each([
  ["abc-1._", true],
  ["", false],
  ["a".repeat(65), false],
  ["a b", false],
  ['"><script>', false],
])("a client's request id %j is kept: %s", (own, kept) => {
  expect(requestId({ "x-request-id": own }) === own).toBe(kept);
});
