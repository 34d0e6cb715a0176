import { type Site, startSite } from "../../support/http-site.ts";
import { type Refusal, type Scraper, startScraper } from "./scraper.ts";

let site: Site;
let scraper: Scraper;

beforeAll(async () => {
  site = await startSite({ "/": "<p>asked for once</p>" });
  scraper = await startScraper([site.port]);
});

afterAll(async () => {
  await scraper?.stop();
  await site?.close();
});

/** A body that is right but for `fields`. */
const body = (fields: object) => ({ url: `${site.url}/`, ...fields });
const json = (options: unknown) => ({ output: { formats: ["json"], json: options } });
const request = (options: unknown) => ({ request: options });
const cookie = (fields: object) => request({ cookies: [{ name: "a", value: "1", ...fields }] });
const actions = (...given: object[]) => ({ js_render: { actions: given } });
const viewport = (width: unknown, height: unknown) => ({ js_render: { viewport: { width, height } } });

describe("400 with the name of the field", () => {
  test.each<[string, object]>([
    ["url", {}],
    ["url", { url: "" }],
    ["url", { url: 5 }],
    ["url", { url: null }],
    ["url", { url: ["https://a.example/"] }],
    ["url", { url: `https://a.example/${"a".repeat(2048)}` }],
  ])("%s: %j", async (field, whole) => {
    await expectRefusal(whole, "validation_failed", field);
  });

  test.each([
    "no url",
    "/path",
    "a.example",
    "http://",
    "http:///a.example",
    "http:a.example",
    "http://a b/",
  ])("url: %j is none", async url => {
    await expectRefusal({ url }, "invalid_url", "url");
  });

  test.each<[string, object]>([
    ["formats", { formats: ["markdown"] }],
    ["mode", { mode: "later" }],
    ["webhook", { webhook: { url: "https://a.example/hook" } }],
    ["webhook", { mode: "sync", webhook: { url: "https://a.example/hook", events: ["completed"] } }],
    ["timeout", { timeout: 999 }],
    ["timeout", { timeout: 600_001 }],
    ["timeout", { timeout: "5000" }],
    ["timeout", { timeout: 1500.5 }],
    ["timeout", { timeout: -1 }],
    ["breakdown", { breakdown: "yes" }],
    ["breakdown", { breakdown: 1 }],
    ["output", { output: "markdown" }],
    ["output", { output: ["markdown"] }],
    ["output.format", { output: { format: "markdown" } }],
    ["output.formats", { output: { formats: "markdown" } }],
    ["output.formats", { output: { formats: [] } }],
    ["output.formats", { output: { formats: ["markdown", "markdown"] } }],
    ["output.formats.0", { output: { formats: ["pdf"] } }],
    ["output.formats.1", { output: { formats: ["markdown", "Markdown"] } }],
    ["output.formats", { output: { formats: [null] } }],
    ["output.screenshot", { output: { screenshot: "whole" } }],
    ["output.screenshot", { output: { screenshot: true } }],
    ["output.json", { output: { formats: ["json"] } }],
    ["output.json", json({})],
    ["output.json", json("the title")],
    ["output.json.schema", json({ schema: {} })],
    ["output.json.prompt", json({ prompt: "" })],
    ["output.json.prompt", json({ prompt: ["title"] })],
    ["output.json.prompt", json({ prompt: "a".repeat(4001) })],
    ["output.json.json_schema", json({ json_schema: [] })],
    ["output.json.json_schema", json({ json_schema: "object" })],
    ["output.json.recipe", json({ recipe: "h1" })],
    ["output.json.recipe", json({ recipe: [] })],
    ["request", request([])],
    ["request.cookie", request({ cookie: "a=1" })],
    ["request.locale", request({ locale: "german please" })],
    ["request.locale", request({ locale: 1 })],
    ["request.device", request({ device: "tablet" })],
    ["request.only_main_content", request({ only_main_content: "true" })],
    ["request.block_ads", request({ block_ads: 0 })],
    ["request.skip_tls_verification", request({ skip_tls_verification: "no" })],
    ["request.cookies", request({ cookies: "a=1" })],
    ["request.headers", request({ headers: ["x: 1"] })],
    ["request.headers", request({ headers: "x: 1" })],
    ["request.headers.x-a", request({ headers: { "x-a": "1\r\nx-b: 2" } })],
    ["request.headers.x-a", request({ headers: { "x-a": "\u0000" } })],
    ["request.headers.x-a", request({ headers: { "x-a": "п" } })],
    ["request.headers.a b", request({ headers: { "a b": "1" } })],
    ["request.headers.Host", request({ headers: { Host: "other.example" } })],
    ["request.headers.connection", request({ headers: { connection: "close" } })],
    ["request.headers.transfer-encoding", request({ headers: { "transfer-encoding": "chunked" } })],
    ["request.headers.Proxy-Authorization", request({ headers: { "Proxy-Authorization": "Basic x" } })],
    ["request.headers.sec-fetch-site", request({ headers: { "sec-fetch-site": "none" } })],
    ["request.headers", request({ headers: { "x-a": null } })],
    ["request.cookies.0.domain", cookie({ domain: "other.example" })],
    ["request.cookies.0.name", cookie({ name: "a b" })],
    ["request.cookies.0.value", cookie({ value: "1; Domain=other.example" })],
    ["request.cookies.0.path", cookie({ path: "no-slash" })],
    ["request.include_tags", request({ include_tags: "main" })],
    ["request.include_tags", request({ include_tags: Array.from({ length: 51 }, (_, n) => `p${n}`) })],
    ["request.include_tags.0", request({ include_tags: [""] })],
    ["request.include_tags.0", request({ include_tags: [`.${"a".repeat(500)}`] })],
    ["request.include_tags.1", request({ include_tags: ["main", "main >"] })],
    ["request.exclude_tags.0", request({ exclude_tags: ["a:hoover"] })],
    ["request.exclude_tags.0", request({ exclude_tags: ["[a"] })],
    ["request.exclude_tags.0", request({ exclude_tags: [":not(".repeat(100)] })],
    ["js_render.wait_for", { js_render: { wait_for: {} } }],
    ["js_render.wait_for", { js_render: { wait_for: { ms: 1 }, enabled: false } }],
    ["js_render.wait_for.ms", { js_render: { wait_for: { ms: 60_001 } } }],
    ["js_render.wait_for.ms", { js_render: { wait_for: { ms: -1 } } }],
    ["js_render.wait_for.selector", { js_render: { wait_for: { selector: "p >> a" } } }],
    ["js_render", { js_render: { wait_for: { ms: 5000 } }, timeout: 5000 }],
    [
      "js_render.actions",
      { js_render: { actions: Array.from({ length: 26 }, () => ({ type: "wait", ms: 1 })) } },
    ],
    ["js_render.actions", actions({ type: "wait", ms: 31_000 }, { type: "wait", ms: 30_000 })],
    ["js_render.actions", { js_render: { actions: [{ type: "screenshot" }], enabled: false } }],
    ["js_render.actions.0.type", actions({ type: "executeJavascript" })],
    ["js_render.actions.0.script", actions({ type: "click", selector: "a", script: "alert()" })],
    ["js_render.actions.0.ms", actions({ type: "wait", ms: 61_000 })],
    ["js_render.actions.0.key", actions({ type: "press", key: "Control+A" })],
    ["js_render.actions.0.direction", actions({ type: "scroll", direction: "left" })],
    ["js_render.actions.0", actions({ type: "wait" })],
    ["js_render.actions.0", actions({ type: "wait", ms: 1, selector: "a" })],
    ["js_render.actions.1.selector", actions({ type: "wait", ms: 1 }, { type: "click" })],
    ["js_render.actions.0.selector", actions({ type: "click", selector: "a[" })],
    ["js_render.actions.0.text", actions({ type: "type", selector: "a" })],
    ["js_render.actions.0.key", actions({ type: "press" })],
    ["js_render.actions.0.direction", actions({ type: "scroll" })],
    ["js_render.actions.0.text", actions({ type: "click", selector: "a", text: "b" })],
    ["max_age", { max_age: -1 }],
    ["max_age", { max_age: 604_800_001 }],
    ["max_age", { max_age: "1h" }],
    ["js_render", { js_render: true }],
    ["js_render.wait", { js_render: { wait: 1 } }],
    ["js_render.enabled", { js_render: { enabled: "false" } }],
    ["js_render.wait_until", { js_render: { wait_until: "networkidle0" } }],
    ["js_render.viewport.width", viewport(15, 600)],
    ["js_render.viewport.width", viewport(4097, 600)],
    ["js_render.viewport.height", viewport(800, 600.5)],
    ["js_render.viewport.height", viewport(800, undefined)],
    ["js_render.viewport.depth", { js_render: { viewport: { width: 800, height: 600, depth: 1 } } }],
    ["proxy", { proxy: "US" }],
    ["proxy.location", { proxy: { location: "USA" } }],
    ["proxy.location", { proxy: { location: "" } }],
    ["proxy.sticky_session", { proxy: { sticky_session: "" } }],
    ["proxy.sticky_session", { proxy: { sticky_session: true } }],
    ["proxy.country", { proxy: { country: "US" } }],
  ])("%s: %j", async (field, fields) => {
    await expectRefusal(body(fields), "validation_failed", field);
  });

  test.each<[string, object]>([
    ["not a type", { type: "text" }],
    ["a property that is no schema", { type: "object", properties: { a: 5 } }],
    ["a required that is no list", { type: "object", properties: {}, required: "a" }],
  ])("a JSON schema with %s", async (_, json_schema) => {
    const { details } = await expectRefusal(body(json({ json_schema })), "validation_failed");
    expect(details?.[0]?.field).toMatch(/^output\.json\.json_schema/);
  });

  test.each<[string, object]>([
    ["of another version", { version: 2, fields: { a: { selector: "h1" } } }],
    ["without fields", { version: 1 }],
    ["with a selector that is none", { version: 1, fields: { a: { selector: "h1[" } } }],
    ["with an unknown option", { version: 1, fields: { a: { selector: "h1", script: "1" } } }],
  ])("a recipe %s", async (_, recipe) => {
    const { details } = await expectRefusal(body(json({ recipe })), "validation_failed");
    expect(details?.[0]?.field).toMatch(/^output\.json\.recipe/);
  });
});

test("a webhook on a synchronous scrape says what to do", async () => {
  const hook = { webhook: { url: "https://a.example/hook" } };
  const refusal = await expectRefusal(body(hook), "validation_failed", "webhook");
  expect(refusal.error).toMatch(/set mode to async/);
});

test.each<[number, string, string, Record<string, string>]>([
  [400, "malformed_json", "{", {}],
  [400, "validation_failed", "[]", {}],
  [400, "validation_failed", '{"request":{"__proto__":{"device":"mobile"}}}', {}],
  [413, "payload_too_large", JSON.stringify({ url: "x".repeat(1024 * 1024) }), {}],
  [415, "unsupported_media_type", "url=https://a.example/", { "content-type": "text/plain" }],
  [401, "unauthorized", "{}", { "x-api-key": "not-a-key-of-anyone" }],
])("%i %s", async (status, code, text, headers) => {
  const reply = await scraper.request("POST", "/web/scrape", { body: text, headers });
  expect([reply.status, reply.json<Refusal>().code]).toEqual([status, code]);
});

test.each([
  ["PUT", "/web/scrape", "POST"],
  ["POST", "/web/screenshot/abc", "GET"],
])("%s %s: 405 with Allow", async (method, path, allowed) => {
  const reply = await scraper.request(method, path);
  expect([reply.status, reply.json<Refusal>().code]).toEqual([405, "method_not_allowed"]);
  expect(reply.headers.get("allow")?.split(/, */)).toContain(allowed);
});

test("null is as good as nothing", async () => {
  const nulls = {
    mode: null,
    timeout: null,
    breakdown: null,
    webhook: null,
    request: {
      locale: null,
      device: null,
      cookies: [{ name: "a", value: "1", domain: null, path: null, expires: null, secure: null }],
      headers: null,
      block_ads: null,
    },
    js_render: { enabled: null, wait_until: null, viewport: null },
    proxy: { location: null, sticky_session: null },
  };
  const output = { formats: null, screenshot: null, json: null };
  expect((await scraper.job(body({ ...nulls, output }))).data.markdown).toBe("asked for once");
  expect(
    (
      await scraper.job(
        body({ output: null, request: { locale: null, cookies: null }, js_render: null, proxy: null }),
      )
    ).status,
  ).toBe("completed");
  const empty = { prompt: null, json_schema: null, recipe: null };
  await expectRefusal(body({ ...nulls, ...json(empty) }), "validation_failed", "output.json");
});

async function expectRefusal(whole: object, code: string, field?: string): Promise<Refusal> {
  const hits = site.hits.length;
  const [status, actual, refusal] = await scraper.refusal(whole);
  expect([status, actual]).toEqual([400, code]);
  expect(site.hits).toHaveLength(hits);
  expect(refusal.error).toMatch(/^.{5,}\.$/s);
  for (const detail of refusal.details ?? [])
    expect(detail).toEqual({ field: detail.field, code: expect.any(String), message: expect.any(String) });
  const fields = refusal.details?.map(detail => detail.field);
  expect(fields).toContain(field ?? fields?.[0]);
  return refusal;
}
