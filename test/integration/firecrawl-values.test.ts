import { type OpenAiServer, startOpenAiServer } from "../fakes/openai-server.ts";
import type { Site } from "../support/http-site.ts";
import { until } from "../support/until.ts";
import { type Crawler, startCrawler } from "./crawler/crawler.ts";
import { Sites } from "./crawler/site.ts";

/** What Firecrawl's clients ask of a model, and get. */
interface Document {
  json?: Record<string, unknown>;
  extract?: Record<string, unknown>;
  warning?: string;
}

const sites = new Sites();
const wooden = { values: { is_made_of_wood: true }, quotes: {} };
const prompt = "Is it made of wood?";
let site: Site;
let server: OpenAiServer;
let crawler: Crawler;

beforeAll(async () => {
  site = await sites.start({
    "/table": "<title>Table</title><main><h1>Table</h1><p>It was made by hand of solid oak.</p></main>",
  });
  server = await startOpenAiServer();
  crawler = await startCrawler({ llm: { baseUrl: server.baseUrl, model: "stand-in" } });
});

afterAll(async () => {
  await crawler?.stop();
  await Promise.all([sites.close(), server?.close()]);
});

async function send<Body>(method: string, path: string, body?: object): Promise<Body> {
  const headers = { authorization: `Bearer ${crawler.apiKey}` };
  return (await crawler.request(method, path, { key: null, headers, ...(body && { body }) })).json<Body>();
}

test.each([
  ["v2", "/v2/scrape", { formats: [{ type: "json", prompt }] }, "json"],
  ["v1", "/v1/scrape", { formats: ["json"], jsonOptions: { prompt } }, "json"],
  ["v1, by its older name", "/v1/scrape", { formats: ["extract"], extract: { prompt } }, "extract"],
] as const)("a question about a page is answered: %s", async (_, path, options, name) => {
  server.script({ answer: wooden });
  const { data } = await send<{ data: Document }>("POST", path, { url: `${site.url}/table`, ...options });
  expect(data[name]).toEqual(wooden.values);
});

test("an extract answers it, too", async () => {
  server.script({ answer: wooden });
  const { id } = await send<{ id: string }>("POST", "/v2/extract", { urls: [`${site.url}/table`], prompt });
  let state: { status: string; data?: object } = { status: "processing" };
  await until("the extract has ended", async () => {
    state = await send("GET", `/v2/extract/${id}`);
    return state.status !== "processing";
  });
  expect(state).toMatchObject({ status: "completed", data: wooden.values });
});

test("a model that fails is a warning", async () => {
  server.script({ status: 401 });
  const schema = { type: "object", properties: { title: { type: "string" } } };
  const { data } = await send<{ data: Document }>("POST", "/v2/scrape", {
    url: `${site.url}/table`,
    formats: [{ type: "json", schema }],
  });
  expect(data.json).toEqual({ title: "Table" });
  expect(data.warning).toMatch(/refused the key/);
});
