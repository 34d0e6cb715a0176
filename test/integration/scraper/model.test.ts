import { object } from "../../../reader/test/recipe/goldens.ts";
import { type OpenAiServer, startOpenAiServer } from "../../fakes/openai-server.ts";
import { type Site, startSite } from "../../support/http-site.ts";
import { type Job, type Scraper, startScraper } from "./scraper.ts";

const apiKey = "sk-test-0123456789abcdef";
const schema = object({ "title!": "string", "price!": "number" });
const recipe = {
  version: 1,
  fields: { title: { selector: "h1.name" }, price: { selector: ".now", type: "number" } },
};
const product = (name: string, price: string) =>
  `<!doctype html><title>${name}</title><main><h1 class=name>${name}</h1><p class=now>$${price}</p>
   <p>${"A thing that is made of oak, and that will be delivered to the door. ".repeat(6)}</p></main>`;
const filler = "<p>The harbour has ships and tides, and people who look at them all day long.</p>".repeat(
  400,
);
const down = { status: 500, headers: { "retry-after-ms": "1" } };

let site: Site;
let other: Site;
let server: OpenAiServer;
let scraper: Scraper;

beforeAll(async () => {
  const routes = {
    "/one": product("Oak Shelf", "49.90"),
    "/two": product("Pine Shelf", "31.50"),
    "/script": `<body><script>document.body.innerHTML = ${JSON.stringify(product("Elm Shelf", "70.25"))}</script>`,
    "/bare": "<p>nothing of the kind",
    "/long": `<title>Oak</title><main><h1>Oak</h1>${filler}<p>It is a shelf of oak, and weighs twelve kilos.</p>${filler}</main>`,
    "/api": {
      headers: { "content-type": "application/json" },
      body: '{"items":[{"name":"Oak","cost":49.9}]}',
    },
    "/note": {
      headers: { "content-type": "text/plain" },
      body: "The shelf is made of oak. It costs 49.90 euros.",
    },
  };
  site = await startSite(routes);
  other = await startSite(routes);
  server = await startOpenAiServer();
  scraper = await startScraper([site.port, other.port], {
    llm: { baseUrl: server.baseUrl, model: "stand-in", apiKey },
  });
});

afterAll(async () => {
  await scraper?.stop();
  await Promise.all([site, other, server].map(each => each?.close()));
});

async function jsonOf(
  url: string,
  options: object = { json_schema: schema },
  extras: object = {},
): Promise<Job["data"]> {
  return (await scraper.job({ url, output: { formats: ["json"], json: options }, ...extras })).data;
}

test("the model writes the recipe once for a site and a schema", async () => {
  server.script({ answer: recipe });
  const first = await jsonOf(`${site.url}/one`, { json_schema: schema }, { breakdown: true });
  expect(first).toMatchObject({ json: { title: "Oak Shelf", price: 49.9 }, json_recipe: recipe });
  expect(server.requests).toHaveLength(1);
  expect(server.requests[0]).toMatchObject({
    path: "/v1/chat/completions",
    authorization: `Bearer ${apiKey}`,
  });
  expect((await jsonOf(`${site.url}/two`)).json).toEqual({ title: "Pine Shelf", price: 31.5 });
  expect((await jsonOf(`${site.url}/script`)).json).toEqual({ title: "Elm Shelf", price: 70.25 });
  expect(server.requests).toHaveLength(1);
});

test("another site, another schema and a prompt each ask it anew", async () => {
  const titleOnly = { version: 1, fields: { name: { selector: "h1" } } };
  server.script({ answer: recipe }, { answer: titleOnly }, { answer: titleOnly });
  await jsonOf(`${other.url}/one`);
  await jsonOf(`${other.url}/one`, { json_schema: object({ "name!": "string" }) });
  await jsonOf(`${other.url}/one`, { prompt: "the name" });
  expect(server.requests).toHaveLength(3);
});

test("a recipe that is sent back needs no model", async () => {
  server.script();
  expect((await jsonOf(`${site.url}/two`, { recipe })).json).toEqual({ title: "Pine Shelf", price: 31.5 });
  expect(server.requests).toEqual([]);
});

test("a model that is down: the rules do it, and the next page asks it again", async () => {
  const json_schema = object({ "title!": "string" });
  server.script(down, down);
  const { json, metadata } = await jsonOf(`${site.url}/one`, { json_schema });
  expect(json).toEqual({ title: "Oak Shelf" });
  expect(metadata.warning).toBe(
    "The server of the language model answered with an error (HTTP 500), so rules found the JSON.",
  );
  server.script({ answer: { version: 1, fields: { title: { selector: ".name" } } } });
  expect((await jsonOf(`${site.url}/two`, { json_schema })).json).toEqual({ title: "Pine Shelf" });
  expect(server.requests).toHaveLength(1);
});

test("neither the model nor the rules find it: 422, and the answer reveals nothing of the model", async () => {
  server.script(down, down);
  const output = { formats: ["json"], json: { json_schema: object({ "price!": "number" }) } };
  const reply = await scraper.scrape({ url: `${site.url}/bare`, output });
  expect([reply.status, reply.json().code]).toEqual([422, "extraction_failed"]);
  expect(reply.text).not.toMatch(/sk-test|stand-in|told to fail/);
});

describe("a summary", () => {
  const output = { formats: ["summary"] };

  test("is the model's", async () => {
    server.script({ answer: " An oak shelf for $49.90.\n" });
    const { data } = await scraper.job({ url: `${site.url}/one`, output });
    expect(data).toEqual({ summary: "An oak shelf for $49.90.", metadata: expect.any(Object) });
    expect(server.requests[0]?.body.messages.at(-1)?.content).toContain("made of oak");
  });

  test("is made of the page's own sentences when the model is down, which the answer says", async () => {
    server.script(down, down);
    const { data } = await scraper.job({ url: `${site.url}/one`, output });
    expect(data.metadata.warning).toMatch(
      /HTTP 500\), so the summary is made of the page's first sentences\.$/,
    );
    expect(data.summary).toContain("A thing that is made of oak, and that will be delivered to the door.");
  });

  test("of a long page is made of its parts that say most", async () => {
    server.script({ answer: "Oak." });
    await scraper.job({ url: `${site.url}/long`, output });
    const content = server.requests[0]?.body.messages.at(-1)?.content ?? "";
    expect(content.length).toBeLessThan(30_000);
  });

  test("of a page without text asks nobody", async () => {
    server.script();
    const { data } = await scraper.job({
      url: `${site.url}/one`,
      output: { formats: ["markdown", "links"] },
    });
    expect(Object.keys(data).sort()).toEqual(["links", "markdown", "metadata"]);
    expect(server.requests).toEqual([]);
  });
});

describe("values", () => {
  const opinion = {
    values: { is_made_of_wood: true, verdict: "gut" },
    quotes: { verdict: "that is made of oak" },
  };

  test("of a model come with their quotes where the breakdown is wanted, and without a recipe", async () => {
    server.script({ answer: opinion }, { answer: opinion });
    const prompt = "Is it made of wood? And translate what is said of it.";
    const { json, json_quotes, json_recipe } = await jsonOf(
      `${site.url}/one`,
      { prompt },
      { breakdown: true },
    );
    expect([json, json_quotes, json_recipe]).toEqual([opinion.values, opinion.quotes, undefined]);
    expect(await jsonOf(`${site.url}/one`, { prompt })).not.toHaveProperty("json_quotes");
  });

  test("are read in a text that is no page", async () => {
    server.script({ answer: { values: { price: 49.9 }, quotes: {} } });
    const { json } = await jsonOf(`${site.url}/note`, { json_schema: object({ price: "number" }) });
    expect(json).toEqual({ price: 49.9 });
  });

  test("of a document are those that its names give, and the model is asked for what is missing", async () => {
    server.script();
    const item = object({ name: "string", price: "number" });
    const schema = { type: "object", properties: { items: { type: "array", items: item } } };
    const found = { items: [{ name: "Oak", price: 49.9 }] };
    expect((await jsonOf(`${site.url}/api`, { json_schema: schema })).json).toEqual(found);
    expect(server.requests).toEqual([]);
    const values = { ...found, mood: "good" };
    server.script({ answer: { values, quotes: { mood: "Oak" } } });
    const more = { ...schema, properties: { ...schema.properties, mood: { type: "string" } } };
    expect((await jsonOf(`${site.url}/api`, { json_schema: more })).json).toEqual(values);
  });

  test("and a recipe exclude one another", async () => {
    const [status, , { details }] = await scraper.refusal({
      url: `${site.url}/one`,
      output: { formats: ["json"], json: { recipe, mode: "values" } },
    });
    expect([status, details?.[0]?.field]).toEqual([400, "output.json.mode"]);
  });
});

/** What an operator learns of a wrong key, and a user. */
test("a failure of the model is a warning and a count, and holds no key", async () => {
  server.script({ status: 401, body: { error: { message: `Incorrect API key provided: ${apiKey}` } } });
  const json_schema = object({ "title!": "string", brand: "string" });
  const reply = await scraper.scrape({
    url: `${site.url}/one`,
    output: { formats: ["json"], json: { json_schema } },
  });
  expect(reply.json<Job>().data.metadata.warning).toBe(
    "The server of the language model refused the key (HTTP 401), so rules found the JSON.",
  );
  const { text } = await scraper.request("GET", "/metrics", { key: null });
  expect(text).toMatch(/^magpie_model_answers_total\{[^}]*use="json"[^}]*outcome="key"[^}]*\} 1$/m);
  expect(reply.text + text).not.toContain(apiKey);
});
