import { type Site, startSite } from "../../support/http-site.ts";
import { type Job, type Refusal, type Scraper, startScraper } from "./scraper.ts";

/** A shop, as the server sends it; `?live` has a script that changes nothing of it. */
const shop = (live: boolean) => `<!doctype html><html lang=en><head><title>Shop</title>
<meta property="og:image" content="/share.jpg"></head><body>
<nav><a href="/home">Home</a></nav>
<main><h1>Lamps</h1><p class=intro>All of our lamps. Each is made by hand in the small workshop behind the shop, and comes with a spare bulb. <a href="/more">More</a></p>
<ul><li class=item>Red <b class=price>$5</b> <a href="/red">see</a></li><li class=ad>Buy now</li>
<li class=item>Blue <b class=price>$6</b> <a href="/blue">see</a></li></ul>
<picture><source srcset="/wide.webp 1200w, /small.webp 300w"><img src="/lamp.jpg" alt=Lamp></picture>
<img src="/spacer.gif" data-src="/lazy.jpg"><img src="/lamp.jpg"><img src="data:image/png;base64,AAAA">
<img src="/count.gif" width=1 height=1><img srcset="b.jpg 1x, b2.jpg 2x" src="b.jpg">
<video poster="/film.jpg"></video></main>
<footer>Imprint</footer>${live ? "<script src=/live.js></script>" : ""}</body></html>`;
const deep = `<main>${"<div class=a><p>x</p>".repeat(150)}${"<p>y</p>".repeat(30_000)}</main>`;

let site: Site;
let scraper: Scraper;

beforeAll(async () => {
  site = await startSite({
    "/plain": shop(false),
    "/live": shop(true),
    "/live.js": { headers: { "content-type": "text/javascript" }, body: "document.title += ' open'" },
    "/deep": deep,
    "/text": { headers: { "content-type": "text/plain" }, body: "plain words" },
  });
  scraper = await startScraper([site.port]);
});

afterAll(async () => {
  await scraper?.stop();
  await site?.close();
});

const pageOf = async (path: string, request: object, formats = ["markdown"]): Promise<Job["data"]> =>
  (await scraper.job({ url: site.url + path, request, output: { formats } })).data;
const absolute = (paths: string[]) => paths.map(path => site.url + path);

describe.each([
  ["/plain", "http"],
  ["/live", "browser"],
])("%s, by %s", (path, engine) => {
  test("only the elements that are included, in their lists and in order", async () => {
    const { markdown, metadata } = await pageOf(path, { include_tags: [".item", "h1"] });
    expect(metadata.engine).toBe(engine);
    const see = (name: string) => `[see](${site.url}/${name})`;
    expect(markdown?.trim()).toBe(`# Lamps\n\n- Red **$5** ${see("red")}\n- Blue **$6** ${see("blue")}`);
    expect(metadata.title).toMatch(/^Shop/);
    expect(metadata.warning).toBeUndefined();
  });

  test("what is included is content, whatever else it may be", async () => {
    const { markdown } = await pageOf(path, { include_tags: ["nav", "footer"] });
    expect(markdown?.trim()).toBe(`[Home](${site.url}/home)\n\nImprint`);
  });

  test("without the elements that are excluded", async () => {
    const { markdown, html } = await pageOf(path, { exclude_tags: [".ad", ".intro a"] }, [
      "markdown",
      "html",
    ]);
    for (const text of [markdown, html]) {
      expect(text).toContain("All of our lamps.");
      expect(text).toContain("Blue");
      expect(text).not.toMatch(/Buy now|More/);
    }
  });

  test("both: an excluded part of an included one is left out", async () => {
    const { markdown } = await pageOf(path, { include_tags: [".item"], exclude_tags: ["a, .price"] });
    expect(markdown?.trim()).toBe("- Red\n- Blue");
  });

  test("links, images and summary follow them, the raw HTML does not", async () => {
    const request = { include_tags: ["main"], exclude_tags: ["ul", "picture", "video", ".intro a"] };
    const data = await pageOf(path, request, ["links", "images", "summary", "raw_html"]);
    expect(data.links).toEqual([]);
    expect(data.images).toEqual(absolute(["/lazy.jpg", "/lamp.jpg", "/b.jpg", "/b2.jpg"]));
    expect(data.summary).not.toContain("Blue");
    expect(data.raw_html).toContain("Buy now");
  });

  test("images: each once, absolute, as the document has them", async () => {
    const { images } = await pageOf(path, {}, ["images"]);
    const paths = ["/share.jpg", "/wide.webp", "/lamp.jpg", "/lazy.jpg", "/b.jpg", "/b2.jpg", "/film.jpg"];
    expect(images).toEqual(absolute(paths));
  });

  test("nothing that is included is there: an empty page that says why", async () => {
    const { markdown, metadata } = await pageOf(path, { include_tags: ["#nowhere"] });
    expect([markdown, metadata.word_count]).toEqual(["", 0]);
    expect(metadata.warning).toBe("No element of the page matches request.include_tags.");
  });
});

test("the whole page by its root, and a text, which has no elements", async () => {
  expect((await pageOf("/plain", { include_tags: ["html"] })).markdown).toContain("Imprint");
  expect((await pageOf("/text", { include_tags: ["p"] })).markdown?.trim()).toBe("plain words");
});

test("a selector that is too much work for a page is refused, and the next page is read", async () => {
  const hostile = Array.from({ length: 50 }, (_, n) => `:has(:has(~ * + p)) ~ div p:nth-last-child(${n}n+1)`);
  const reply = await scraper.scrape({ url: `${site.url}/deep`, request: { include_tags: hostile } });
  const { code, message } = reply.json<Refusal>();
  expect([reply.status, code]).toEqual([422, "extraction_failed"]);
  expect(message).toContain("request.include_tags");
  expect((await pageOf("/plain", { include_tags: ["h1"] })).markdown?.trim()).toBe("# Lamps");
});
