import { toConfig } from "../../../mixins/config/config.ts";
import { type Site, startSite } from "../../support/http-site.ts";
import { until } from "../../support/until.ts";
import { type Refusal, type Scraper, startScraper } from "./scraper.ts";

let site: Site;
let scraper: Scraper;

beforeAll(async () => {
  site = await startSite({
    "/plain": "<title>t</title><p>An ordinary page.</p>",
    "/script": "<title>t</title><p>As it was sent.</p><script>document.body.append('shown')</script>",
    "/text": { headers: { "content-type": "text/plain" }, body: "text" },
  });
  const path = "/nowhere/chrome-headless-shell";
  scraper = await startScraper([site.port], { browser: toConfig({ BROWSER_PATH: path }).browser });
});

afterAll(async () => {
  await scraper?.stop();
  await site?.close();
});

test("what needs no browser works", async () => {
  for (const [path, body, text] of [
    ["/plain", {}, "An ordinary page."],
    ["/text", {}, "text"],
    ["/script", { js_render: { enabled: false } }, "As it was sent."],
  ] as const) {
    const { data } = await scraper.job({ url: site.url + path, ...body });
    expect(data.metadata.engine).toBe("http");
    expect(data.markdown).toContain(text);
  }
});

test.each<[string, string, object]>([
  ["a page with scripts", "/script", {}],
  ["a screenshot", "/plain", { output: { formats: ["screenshot"] } }],
  ["a screenshot of a text", "/text", { output: { formats: ["screenshot"] } }],
])("%s: 503 that says what to do, rather than less than was asked for", async (_, path, body) => {
  const reply = await scraper.scrape({ url: site.url + path, ...body });
  const refusal = reply.json<Refusal>();
  expect([reply.status, refusal.code]).toEqual([503, "overloaded"]);
  expect(refusal.error).toMatch(/needs a browser.*js_render\.enabled/);
  expect(refusal.retry_after).toBeGreaterThanOrEqual(1);
  expect(reply.text).not.toContain("/nowhere");
});

test("readiness is degraded, and names the package to install", async () => {
  const state = async () => await scraper.request("GET", "/health/ready", { key: null });
  await until(
    "the first start of a browser has failed",
    async () => (await state()).json().status === "degraded",
  );
  const reply = await state();
  expect(reply.status).toBe(200);
  expect(reply.json().missing).toEqual([
    {
      service: "scraper",
      room: "scraper",
      name: "browser",
      status: "missing",
      detail: expect.stringMatching(/apt-get install chromium-headless-shell.*BROWSER_PATH/),
    },
  ]);
});

test("a schema that nothing fits names what it requires, and where a model may find more", async () => {
  const json = {
    json_schema: { type: "object", required: ["boiling_point"], properties: { boiling_point: {} } },
  };
  const [, , { message }] = await scraper.refusal({
    url: `${site.url}/plain`,
    output: { formats: ["json"], json },
  });
  expect(message).toMatch(/^Nothing that was asked for .* requires `boiling_point`\. .*LLM_BASE_URL\.$/);
});

test("values of a model are refused where there is none", async () => {
  const json = { prompt: "Is it made of wood?", mode: "values" };
  const [status, code, { message }] = await scraper.refusal({
    url: `${site.url}/plain`,
    output: { formats: ["json"], json },
  });
  expect([status, code]).toEqual([422, "extraction_failed"]);
  expect(message).toMatch(/no language model.*LLM_BASE_URL/);
});
