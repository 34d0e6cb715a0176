import { type Site, startSite } from "../../support/http-site.ts";
import { type Crawler, startCrawler } from "./crawler.ts";

interface Usage {
  train_ai: string | null;
  ai_input: string | null;
  search: string | null;
  tdm: string | null;
  statements: { by: string; name: string; value: string }[];
}

const text = "A page with enough words in it to be read as it was sent, without any script at all. ".repeat(
  5,
);
const page = (links = "", head = "") =>
  `<!doctype html><title>Page</title>${head}<main><p>${text}</p>${links}</main>`;
const robots = [
  "User-agent: *",
  "Content-Signal: ai-train=no, search=yes",
  "Content-Usage: /open/ train-ai=y",
];

let site: Site;
let crawler: Crawler;

beforeAll(async () => {
  site = await startSite({
    "/robots.txt": { headers: { "content-type": "text/plain" }, body: robots.join("\n") },
    "/": page('<a href="/open/a">A</a><a href="/b">B</a>'),
    "/open/a": page(),
    "/b": {
      headers: { "tdm-reservation": "1", "content-usage": "search=n" },
      body: page(
        "",
        '<meta name="tdm-policy" content="https://site.example/p"><meta name="robots" content="noai">',
      ),
    },
    "/silent": page(),
  });
  crawler = await startCrawler();
});
afterAll(async () => {
  await crawler.stop();
  await site.close();
});

test("pages of a crawl say what robots.txt, headers and the page allow, and which of them said it", async () => {
  const id = await crawler.accepted({ url: `${site.url}/` });
  const { data } = await crawler.ended(id);
  const said = Object.fromEntries(
    data.map(({ metadata }) => {
      const { content_usage } = metadata as typeof metadata & { content_usage: Usage };
      return [new URL(metadata.final_url).pathname, content_usage];
    }),
  );
  const signal = { by: "robots.txt", name: "content-signal", value: "ai-train=no, search=yes" };
  expect(said["/"]).toEqual({
    train_ai: "no",
    ai_input: null,
    search: "yes",
    tdm: null,
    statements: [signal],
  });
  expect(said["/open/a"]?.statements).toEqual([
    signal,
    { by: "robots.txt", name: "content-usage", value: "train-ai=y" },
  ]);
  expect(said["/b"]).toEqual({
    ...{ train_ai: "no", ai_input: null, search: "no", tdm: "no" },
    statements: [
      signal,
      { by: "header", name: "content-usage", value: "search=n" },
      { by: "header", name: "tdm-reservation", value: "1" },
      { by: "page", name: "tdm-policy", value: "https://site.example/p" },
      { by: "page", name: "robots", value: "noai" },
    ],
  });
});

test("a scrape has what headers and the page say, and asks for nothing more", async () => {
  const scraped = async (path: string) => {
    const body = { url: site.url + path, js_render: { enabled: false } };
    const reply = await crawler.request("POST", "/web/scrape", { body });
    return reply.json<{ data: { metadata: object } }>().data.metadata;
  };
  site.hits.length = 0;
  expect(await scraped("/b")).toMatchObject({
    content_usage: { train_ai: "no", search: "no", statements: { length: 4 } },
  });
  expect(await scraped("/silent")).not.toHaveProperty("content_usage");
  expect(await scraped("/b")).not.toHaveProperty("tdm");
  expect(site.hits.map(({ url }) => url)).toEqual(["/b", "/silent", "/b"]);
});
