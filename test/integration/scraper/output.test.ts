import { brotliCompressSync } from "node:zlib";
import { object } from "../../../reader/test/recipe/goldens.ts";
import { type Site, startSite } from "../../support/http-site.ts";
import { docx, paragraph, xlsx } from "../../support/office.ts";
import { makePdf } from "../../support/pdf.ts";
import { type Job, pngSize, type Scraper, startScraper } from "./scraper.ts";

const sentences = [
  "The heron stood in the shallow water of the old mill pond for most of the cold morning.",
  "Nobody in the village could remember a winter in which the pond had stayed open for so long.",
  "The miller's daughter counted the birds each day and wrote their number into a small green book.",
  "By the end of January the heron had become so used to her that it no longer flew away.",
  "When the ice came at last, the heron moved to the river, where the water never stands still.",
  "She found it there in spring, beside a nest that held four pale blue eggs.",
  "The green book is kept in the town hall, and visitors may read it on Sundays.",
];
const article = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>The heron of the mill pond</title>
<meta name="description" content="A winter with a heron.">
<link rel="canonical" href="/story">
<meta property="og:title" content="The heron of the mill pond"><meta property="og:type" content="article">
<meta name="author" content="By Ann Lee"><meta property="article:published_time" content="2025-01-30T08:00:00+01:00">
<link rel="icon" href="/heron.ico"></head>
<body><nav><a href="/">Home</a> <a href="/menu">Menu of the site</a></nav>
<main><article><h1>The heron of the mill pond</h1>
<p>${sentences.slice(0, 3).join(" ")}</p>
<p>${sentences.slice(3, 5).join(" ")} Read <a href="/more?a=1#part">more about herons</a> or
<a href="more">their nests</a>, and <a href="/more?a=1#part">more again</a>.</p>
<p>${sentences.slice(5).join(" ")} <a href="https://other.example/x">Elsewhere</a>
<a href="javascript:void 0">Nothing</a> <a href="mailto:a@b.example">Mail</a></p></article></main>
<footer>Imprint of the mill</footer></body></html>`;
const shelf = `<!doctype html><html lang="en"><head><title>Oak Shelf</title></head><body><main>
<h1 class="product-title">Oak Shelf, 80 cm</h1><p class="price">Price: $49.90</p>
<table><tr><th>Weight</th><td>4.2 kg</td></tr><tr><th>Colour</th><td>natural oak</td></tr></table>
<p>A shelf made of solid oak that carries up to thirty kilograms of books.</p></main></body></html>`;
const scripted = `<!doctype html><title>Waiting</title><body><main id=m></main><script>
document.title = "Written";
m.innerHTML = "<h1>Written by a script</h1><p>" + "The script wrote this sentence into the page. ".repeat(8) + "</p><a href=/late>late</a>";
</script>`;
const feed = `<rss><channel><title>Birds</title><item><title>Herons are back</title><link>https://birds.example/1</link>
<pubDate>Sat, 31 Jan 2026 12:00:00 GMT</pubDate><description>They came early.</description></item></channel></rss>`;
const story = docx(
  `${paragraph("The mill", { style: "H1" })}${paragraph("It stands by the river and grinds corn for four villages.")}
  <w:p><w:hyperlink r:id="l1"><w:r><w:t>A map of it</w:t></w:r></w:hyperlink></w:p>`,
  { links: { l1: "https://map.example/" } },
);
const book = xlsx({
  sheets: {
    Birds: `<sheetData>${["name,eggs", "heron,4"]
      .map(
        row =>
          `<row>${row.replace(/[^,]+/g, "<c t='inlineStr'><is><t>$&</t></is></c>").replace(",", "")}</row>`,
      )
      .join("")}</sheetData>`,
  },
});
const ad = "https://pagead2.googlesyndication.com/pagead/js/adsbygoogle.js";
const text = (charset: string, body: Buffer, meta = "") => ({
  headers: { "content-type": `text/html${charset && `; charset=${charset}`}` },
  body: Buffer.concat([
    Buffer.from(`<!doctype html>${meta}<title>t</title><body><p>`),
    body,
    Buffer.from("</p>"),
  ]),
});
const typed = (type: string, body: string | Uint8Array) => ({ headers: { "content-type": type }, body });
const cyrillic = Buffer.from([0xcf, 0xf0, 0xe8, 0xe2, 0xe5, 0xf2]);
const japanese = Buffer.from([0x93, 0xfa, 0x96, 0x7b, 0x8c, 0xea]);

const office = "application/vnd.openxmlformats-officedocument";

let site: Site;
let scraper: Scraper;

beforeAll(async () => {
  const pdf = await makePdf(page => page.text("Hello from a small PDF"), { Title: "A small PDF" });
  site = await startSite({
    "/story": article,
    "/packed": { headers: { "content-encoding": "br" }, body: brotliCompressSync(article) },
    "/moved": { status: 301, headers: { location: "/story" } },
    "/shelf": shelf,
    "/script": scripted,
    "/ad": article.replace("</head>", `<script async src="${ad}"></script></head>`),
    "/ad-and-own": `<title>t</title><body><p>page</p><script src="/matomo.js"></script>
      <script src="${ad}"></script><script src="/own.js"></script>`,
    "/matomo.js": typed("text/javascript", "document.body.append('a tracker')"),
    "/own.js": typed("text/javascript", "document.body.append('an own script')"),
    "/tall": "<body style='margin:0;background:#36c'><div style='height:2500px'>tall</div>",
    "/attached": { headers: { "content-disposition": "attachment; filename=a.html" }, body: scripted },
    "/missing": { status: 404, body: "<title>Gone</title><h1>This page is not here</h1>" },
    "/broken": { status: 500, body: "<h1>The site broke</h1><script>document.body.append('!')</script>" },
    "/empty": "",
    "/plain": typed("text/plain", "one line\nanother line"),
    "/json": typed("application/json", '{"name":"heron","eggs":4}'),
    "/csv": typed("text/csv", "name,eggs\nheron,4\n"),
    "/pdf": typed("application/pdf", pdf),
    "/feed": typed("application/rss+xml", feed),
    "/docx": typed(`${office}.wordprocessingml.document`, story),
    "/xlsx": typed("application/octet-stream", book),
    "/png": typed("image/png", Buffer.from("89504e470d0a1a0a0000000d49484452", "hex")),
    "/zip": typed("application/zip", Buffer.from("504b0304140000000000", "hex")),
    "/zip-as-html": typed("text/html", Buffer.from("504b03041400000000000000", "hex")),
    "/1251": text("windows-1251", cyrillic),
    "/1251-meta": text("", cyrillic, "<meta charset=windows-1251>"),
    "/sjis": text("Shift_JIS", japanese),
    "/sjis-meta": text(
      "",
      japanese,
      '<meta http-equiv="content-type" content="text/html; charset=shift_jis">',
    ),
    "/sjis-script": text("Shift_JIS", japanese, "<script>document.title = 'shown'</script>"),
  });
  scraper = await startScraper([site.port]);
});

afterAll(async () => {
  await scraper?.stop();
  await site?.close();
});

/** Requests of one page and its parts since `from`. */
const pathsSince = (from: number) => site.hits.slice(from).map(({ url }) => url);
const iso = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

async function pageOf(path: string, body: Record<string, unknown> = {}): Promise<Job["data"]> {
  return (await scraper.job({ url: site.url + path, ...body })).data;
}
const formats = (...names: string[]) => ({ output: { formats: names } });

describe("the answer", () => {
  test("by default: markdown, read without a browser, and nothing that was not asked for", async () => {
    const from = site.hits.length;
    const reply = await scraper.scrape({ url: `${site.url}/moved` });
    expect([reply.status, reply.headers.get("content-type")]).toEqual([
      200,
      "application/json; charset=utf-8",
    ]);
    const job = reply.json<Job>();
    expect(job).toEqual({
      scrape_id: expect.stringMatching(/^scr_\w{20,}$/),
      version: "v1",
      status: "completed",
      url: `${site.url}/moved`,
      data: {
        markdown: expect.stringContaining("# The heron of the mill pond"),
        metadata: {
          title: "The heron of the mill pond",
          status_code: 200,
          final_url: `${site.url}/story`,
          description: "A winter with a heron.",
          language: "en",
          canonical_url: `${site.url}/story`,
          page_title: "The heron of the mill pond",
          author: "Ann Lee",
          published_time: "2025-01-30T08:00:00+01:00",
          modified_time: null,
          keywords: null,
          site_name: null,
          favicon: `${site.url}/heron.ico`,
          image: null,
          robots: null,
          content_type: "text/html",
          word_count: expect.any(Number),
          og: { title: "The heron of the mill pond", type: "article" },
          engine: "http",
          proxy_location: null,
        },
      },
      started_at: expect.stringMatching(iso),
      ended_at: expect.stringMatching(iso),
    });
    expect(job.data.metadata.word_count).toBeGreaterThan(sentences.join(" ").split(" ").length);
    expect(Date.parse(job.ended_at)).toBeGreaterThanOrEqual(Date.parse(job.started_at));
    expect(pathsSince(from)).toEqual(["/moved", "/story"]);
  });

  test.each(["markdown", "html", "raw_html", "links", "summary", "screenshot"])(
    "%s alone is alone in data",
    async format => {
      const data = await pageOf("/story", formats(format));
      expect(Object.keys(data).sort()).toEqual([format, "metadata"].sort());
    },
  );

  test("all seven at once, of one page that was asked for once", async () => {
    const from = site.hits.length;
    const names = ["html", "raw_html", "markdown", "links", "summary", "screenshot", "json"];
    const output = { formats: names, json: { json_schema: object({ "title!": "string" }) } };
    const data = await pageOf("/story", { output });
    expect(Object.keys(data).sort()).toEqual([...names, "metadata"].sort());
    expect(data.json).toEqual({ title: "The heron of the mill pond" });
    expect(pathsSince(from).filter(path => path === "/story")).toHaveLength(1);
  });

  test("is the same for a page that comes compressed", async () => {
    const { data } = await scraper.job({ url: `${site.url}/packed` });
    expect(data.markdown).toBe((await pageOf("/story")).markdown);
  });

  test("an empty page is an empty answer", async () => {
    const data = await pageOf("/empty", formats("markdown", "html", "links", "summary", "raw_html"));
    expect(data).toMatchObject({ markdown: "", links: [], summary: "", raw_html: "" });
  });
});

describe("formats", () => {
  test("only_main_content leaves out what surrounds the content, unless it is false", async () => {
    const main = await pageOf("/story", formats("markdown", "html"));
    for (const content of [main.markdown, main.html]) {
      expect(content).toContain("old mill pond");
      expect(content).not.toMatch(/Menu of the site|Imprint/);
    }
    const request = { only_main_content: false };
    const whole = await pageOf("/story", { ...formats("markdown", "html"), request });
    for (const content of [whole.markdown, whole.html]) {
      expect(content).toContain("Menu of the site");
      expect(content).toContain("Imprint");
    }
  });

  test("raw_html is what the site sent, or what its scripts made of it", async () => {
    expect((await pageOf("/story", formats("raw_html"))).raw_html).toBe(article);
    const { raw_html } = await pageOf("/script", formats("raw_html"));
    expect(raw_html).toMatch(/^<!DOCTYPE html>/i);
    expect(raw_html).toContain("<h1>Written by a script</h1>");
  });

  test("links are absolute and distinct", async () => {
    const { links } = await pageOf("/story", formats("links"));
    expect(links).toEqual([
      `${site.url}/`,
      `${site.url}/menu`,
      `${site.url}/more?a=1#part`,
      `${site.url}/more`,
      "https://other.example/x",
    ]);
  });

  test("a summary is at most three sentences, each verbatim from the page", async () => {
    const { summary = "" } = await pageOf("/story", formats("summary"));
    const used = sentences.filter(sentence => summary.includes(sentence));
    expect(used.length).toBeGreaterThanOrEqual(1);
    expect(used.length).toBeLessThanOrEqual(3);
    expect(used.reduce((rest, sentence) => rest.replace(sentence, ""), summary).trim()).toBe("");
  });

  test.each([
    [{}, [1280, 800]],
    [{ screenshot: "full_page" }, [1280, 2500]],
  ])("screenshot %j is kept, and given back as a PNG of %j", async (output, size) => {
    const data = await pageOf("/tall", { output: { formats: ["screenshot"], ...output } });
    expect(data.metadata.engine).toBe("browser");
    const response = await fetch(`${scraper.url}/web/screenshot/${data.screenshot}`, {
      headers: { "x-api-key": scraper.apiKey },
    });
    expect([response.status, response.headers.get("content-type")]).toEqual([200, "image/png"]);
    expect(pngSize(new Uint8Array(await response.arrayBuffer()))).toEqual(size);
  });
});

describe("json", () => {
  const schema = object({ "title!": "string", "price!": "number", weight: "string" });
  const json = (options: object, extras: object = {}) => ({
    output: { formats: ["json"], json: options },
    ...extras,
  });

  test("by schema", async () => {
    const data = await pageOf("/shelf", json({ json_schema: schema }));
    expect(data.json).toEqual({ title: "Oak Shelf, 80 cm", price: 49.9, weight: "4.2 kg" });
    expect(Object.keys(data).sort()).toEqual(["json", "metadata"]);
  });

  test("by prompt", async () => {
    const data = await pageOf("/shelf", json({ prompt: "the title and the price" }));
    expect(data.json).toMatchObject({ title: "Oak Shelf, 80 cm", price: 49.9 });
  });

  test("with breakdown also the recipe, which can be sent back in place of schema and prompt", async () => {
    const first = await pageOf("/shelf", json({ json_schema: schema }, { breakdown: true }));
    expect(Object.keys(first).sort()).toEqual(["json", "json_recipe", "metadata"]);
    expect(first.json_recipe).toMatchObject({ fields: { title: {}, price: {} } });
    const again = await pageOf("/shelf", json({ recipe: first.json_recipe }));
    expect(again.json).toEqual(first.json);
  });

  test("what a script wrote is read too", async () => {
    const data = await pageOf("/script", json({ json_schema: object({ "title!": "string" }) }));
    expect(data.json).toEqual({ title: "Written by a script" });
  });

  test.each([
    ["a schema that nothing fits", "/shelf", { json_schema: object({ "boiling_point!": "number" }) }],
    ["a schema, and a page without content", "/empty", { json_schema: object({ title: "string" }) }],
    ["a prompt, and a page without content", "/empty", { prompt: "the price" }],
    [
      "a recipe that selects nothing",
      "/shelf",
      { recipe: { version: 1, fields: { a: { selector: "h6" } } } },
    ],
  ])("%s: 422, never an empty object", async (_, path, options) => {
    const [status, code, body] = await scraper.refusal({ url: site.url + path, ...json(options) });
    expect([status, code]).toEqual([422, "extraction_failed"]);
    expect(body.error).toMatch(/^\S.{10,}\.$/);
  });
});

describe("what is not HTML", () => {
  test.each([
    ["plain text", "/plain", "text/plain", "one line\nanother line"],
    ["JSON", "/json", "application/json", '```json\n{\n  "name": "heron",\n  "eggs": 4\n}\n```'],
    ["CSV", "/csv", "text/csv", "| name | eggs |\n| --- | --- |\n| heron | 4 |"],
    ["XLSX", "/xlsx", `${office}.spreadsheetml.sheet`, "| name | eggs |\n| --- | --- |\n| heron | 4 |"],
    [
      "DOCX",
      "/docx",
      `${office}.wordprocessingml.document`,
      "# The mill\n\nIt stands by the river and grinds corn for four villages.\n\n[A map of it](https://map.example/)",
    ],
    [
      "a feed",
      "/feed",
      "application/rss+xml",
      "# Birds\n\n- [Herons are back](https://birds.example/1) (2026-01-31)\n\n  They came early.",
    ],
    ["a PDF", "/pdf", "application/pdf", "Hello from a small PDF"],
  ])("%s is markdown", async (_, path, contentType, markdown) => {
    const data = await pageOf(path);
    expect(data.markdown?.trim()).toBe(markdown);
    expect(data.metadata).toMatchObject({ engine: "http", status_code: 200, content_type: contentType });
    expect(data.metadata.word_count).toBeGreaterThan(1);
    expect(data.metadata).toMatchObject({ author: null, favicon: null, keywords: null, og: {} });
  });

  test.each([
    ["/pdf", "A small PDF", [], /<p>Hello from a small PDF<\/p>/],
    ["/docx", "The mill", ["https://map.example/"], /<h1>The mill<\/h1>/],
    ["/xlsx", "Birds", [], /<th>name<\/th>/],
    ["/csv", "", [], /^name,eggs/],
    ["/feed", "Birds", ["https://birds.example/1"], /^<rss>/],
  ])("%s in the other formats", async (path, title, links, raw) => {
    const data = await pageOf(path, formats("html", "raw_html", "links", "summary"));
    expect(data).toMatchObject({ links, raw_html: expect.stringMatching(raw), metadata: { title } });
    expect(data.html).toMatch(/^<(p|h1|table|ul)>/);
    expect(typeof data.summary).toBe("string");
  });

  test.each([
    ["/docx", { title: "The mill" }],
    ["/xlsx", { rows: [{ name: "heron", eggs: 4 }] }],
  ])("%s as JSON", async (path, json) => {
    const item = { type: "object", properties: { name: { type: "string" }, eggs: { type: "number" } } };
    const properties =
      "title" in json ? { title: { type: "string" } } : { rows: { type: "array", items: item } };
    const json_schema = { type: "object", required: Object.keys(json), properties };
    const data = await pageOf(path, { output: { formats: ["json"], json: { json_schema } } });
    expect(data.json).toEqual(json);
  });

  test.each(["/plain", "/json", "/csv", "/feed", "/pdf", "/docx", "/xlsx"])(
    "%s and a picture of it",
    async path => {
      const from = site.hits.length;
      const reply = await scraper.scrape({ url: site.url + path, ...formats("markdown", "screenshot") });
      if (/pdf|docx|xlsx/.test(path))
        expect([reply.status, reply.json().code]).toEqual([415, "unsupported_media_type"]);
      else expect(reply.json<Job>().data.markdown).toBe((await pageOf(path)).markdown);
      expect(pathsSince(from)[0]).toBe(path);
    },
  );

  test.each([
    ["/png", "image/png"],
    ["/zip", "application/zip"],
    ["/zip-as-html", "application/zip"],
  ])("%s: 415 with %s", async (path, contentType) => {
    const [status, code, body] = await scraper.refusal({ url: site.url + path });
    expect([status, code]).toEqual([415, "unsupported_media_type"]);
    expect(body.content_type).toBe(contentType);
  });

  test.each([
    ["/1251", "Привет"],
    ["/1251-meta", "Привет"],
    ["/sjis", "日本語"],
    ["/sjis-meta", "日本語"],
    ["/sjis-script", "日本語"],
  ])("the charset of %s", async (path, content) => {
    expect((await pageOf(path)).markdown?.split("\n").at(-1)).toBe(content);
  });
});

describe("who reads the page", () => {
  test("without scripts: the plain fetch, with one request", async () => {
    const from = site.hits.length;
    expect((await pageOf("/story")).metadata.engine).toBe("http");
    expect(pathsSince(from)).toEqual(["/story"]);
  });

  test("with scripts: the browser, and the document is still asked for once", async () => {
    const from = site.hits.length;
    const data = await pageOf("/script", formats("markdown", "links"));
    expect(data.markdown).toContain("# Written by a script");
    expect(data.links).toEqual([`${site.url}/late`]);
    expect(data.metadata).toMatchObject({
      engine: "browser",
      title: "Written by a script",
      status_code: 200,
    });
    expect(pathsSince(from).filter(path => path !== "/favicon.ico")).toEqual(["/script"]);
  });

  test("a page that is sent as an attachment is read all the same", async () => {
    const data = await pageOf("/attached", formats("markdown", "screenshot"));
    expect(data.markdown).toContain("# Written by a script");
  });

  test("js_render.enabled false: the plain fetch, whatever scripts there are", async () => {
    const data = await pageOf("/script", { js_render: { enabled: false } });
    expect(data.metadata).toMatchObject({ engine: "http", title: "Waiting" });
    expect(data.markdown).not.toContain("script wrote");
  });

  test("js_render.enabled false and a picture: the browser, without running them", async () => {
    const data = await pageOf("/script", {
      ...formats("markdown", "screenshot"),
      js_render: { enabled: false },
    });
    expect(data.metadata).toMatchObject({ engine: "browser", title: "Waiting" });
    expect(data.markdown).not.toContain("script wrote");
  });

  test.each([
    [undefined, "http"],
    [true, "http"],
    [false, "browser"],
  ])("a page whose only script is an ad, block_ads %j: %s", async (block_ads, engine) => {
    const data = await pageOf("/ad", { request: { block_ads } });
    expect(data.metadata.engine).toBe(engine);
    expect(data.markdown).toContain("old mill pond");
  });

  test.each([true, false])("in the browser an ad is asked for unless block_ads %j", async block_ads => {
    const from = site.hits.length;
    const data = await pageOf("/ad-and-own", { request: { block_ads } });
    expect(data.markdown).toContain("an own script");
    expect(pathsSince(from).includes("/matomo.js")).toBe(!block_ads);
    expect(data.markdown?.includes("a tracker")).toBe(!block_ads);
  });

  test.each([
    ["/missing", 404, "http", "This page is not here"],
    ["/broken", 500, "browser", "The site broke"],
  ])(
    "the target's own answer of %s is a completed scrape with status_code %i",
    async (path, status, engine, content) => {
      const job = await scraper.job({ url: site.url + path });
      expect(job.status).toBe("completed");
      expect(job.data.metadata).toMatchObject({ status_code: status, engine });
      expect(job.data.markdown).toContain(content);
    },
  );
});
