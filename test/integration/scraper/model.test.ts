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
  expect((await jsonOf(`${site.url}/one`, { json_schema })).json).toEqual({ title: "Oak Shelf" });
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

  test("is made of the page's own sentences when the model is down", async () => {
    server.script(down, down);
    const { data } = await scraper.job({ url: `${site.url}/one`, output });
    expect(data.summary).toContain("A thing that is made of oak, and that will be delivered to the door.");
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
