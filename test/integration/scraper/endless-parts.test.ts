import { type Site, startSite } from "../../support/http-site.ts";
import { type Scraper, startScraper } from "./scraper.ts";

const sentence = (n: number) => `Sentence ${n} of a page about the boats that cross the bay in winter. `;
const story = Array.from({ length: 30 }, (_, n) => `<p>${sentence(n)}</p>`).join("");
const short = `<p>${sentence(1)}${sentence(2)}</p>`;
const byScript = `<script>document.body.append(${JSON.stringify(sentence(99))})</script>`;
const page = (head: string, body: string) => `<title>t</title>${head}<body>${body}`;

/** An image that takes six seconds, and what became of its answer. */
const slowImage = { isSent: false };

let site: Site;
let scraper: Scraper;

beforeAll(async () => {
  site = await startSite({
    "/never": () => undefined,
    "/drip": (_, response) => {
      response.setHeader("content-type", "image/jpeg");
      const timer = setInterval(() => response.write("x"), 100);
      response.on("close", () => clearInterval(timer));
    },
    "/slow": (_, response) => {
      response.setHeader("content-type", "image/svg+xml");
      response.write('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9">');
      let left = 24;
      const timer = setInterval(() => {
        if (left-- > 0) response.write("<g/>");
        else response.end("</svg>");
      }, 250);
      response.on("close", () => {
        clearInterval(timer);
        slowImage.isSent = response.writableFinished;
      });
    },
    "/slow-image": page("", `${story}<img src=/slow>`),
    "/image": page("", `${story}<img src=/never>${byScript}`),
    "/dripping-image": page("", `${story}<img src=/drip>${byScript}`),
    "/images": page(
      "",
      `${story}<img src=/never><script>let n = 0; setInterval(() => { new Image().src = "/never?" + n++ }, 500)</script>${byScript}`,
    ),
    "/async": page("<script async src=/never></script>", story + byScript),
    "/frame": page("", `${story}<iframe src=/never></iframe>${byScript}`),
    "/polling": page(
      "",
      `${story}<img src=/never><script>setInterval(() => fetch("/none"), 200)</script>${byScript}`,
    ),
    "/sync": page("<script src=/never></script>", story + byScript),
    "/sync-last": page(
      "",
      `${short}<script>document.body.innerHTML += ${JSON.stringify(story)}</script><script src=/never></script>`,
    ),
    "/style": page("<link rel=stylesheet href=/never>", byScript + story),
    "/style-only": page("<link rel=stylesheet href=/never>", story),
    "/short-sync": page("<script src=/never></script>", short),
    "/shell-sync": page("<script src=/never></script>", "<div id=app></div>"),
    "/loop": page("", `${story}<script>for (;;);</script>`),
    "/late-loop": page("", `${story}<script>onload = () => { for (;;); }</script>`),
  });
  scraper = await startScraper([site.port]);
});

afterAll(async () => {
  await scraper?.stop();
  await site?.close();
});

const timeout = 60_000;

describe("what never ends costs some seconds, not the whole timeout", () => {
  test.each([
    ["a picture", "/image", undefined],
    ["a picture that drips", "/dripping-image", undefined],
    ["ever more pictures", "/images", undefined],
    ["a script that is not waited for", "/async", undefined],
    ["a frame", "/frame", undefined],
    ["a picture beside polling", "/polling", undefined],
  ])("%s", async (_, path) => {
    const from = performance.now();
    const { data } = await scraper.job({ url: site.url + path, timeout });
    expect(performance.now() - from).toBeLessThan(timeout / 2);
    expect(data.markdown).toContain(sentence(29).trim());
    expect(data.markdown).toContain(sentence(99).trim());
    expect(data.metadata.warning).toBeUndefined();
  });

  test.each([
    ["a script that the document waits for", "/sync", "as the server sent it"],
    ["the same behind what scripts wrote", "/sync-last", "as far as it was there"],
    ["a style sheet before a script", "/style", "as the server sent it"],
  ])("%s, and the answer says so", async (_, path, how) => {
    const from = performance.now();
    const { data } = await scraper.job({ url: site.url + path, timeout });
    expect(performance.now() - from).toBeLessThan(timeout / 2);
    expect(data.markdown).toContain(sentence(29).trim());
    expect(data.metadata.warning).toContain("did not come in time");
    expect(data.metadata.warning).toContain(how);
  });
});

describe("on the deadline the answer is what is there", () => {
  test.each([
    ["a short page behind a script that does not come", "/short-sync", "did not come in time"],
    ["a script that never ends", "/loop", "still busy"],
    ["a script that never ends after load", "/late-loop", "still busy"],
  ])("%s", async (_, path, why) => {
    const { data } = await scraper.job({ url: site.url + path, timeout: 8000 });
    expect(data.markdown).toContain(sentence(2).trim());
    // A busy machine may still be at other scripts of the page when the time is over.
    expect(data.metadata.warning).toMatch(new RegExp(`${why}|still busy when the time was over`));
    expect(data.metadata).toMatchObject({ status_code: 200, engine: "browser" });
  });

  test("nothing, of a page without text", async () => {
    const [status, code] = await scraper.refusal({ url: `${site.url}/shell-sync`, timeout: 4000 });
    expect([status, code]).toEqual([408, "scrape_timeout"]);
  });

  test("nothing, where a picture is wanted of a page that does not stop", async () => {
    const output = { formats: ["markdown", "screenshot"] };
    const [status, code] = await scraper.refusal({ url: `${site.url}/late-loop`, timeout: 4000, output });
    expect([status, code]).toEqual([408, "scrape_timeout"]);
  });
});

test.each([
  ["before its text", "/style"],
  ["of a page without scripts", "/style-only"],
])("a picture of a page whose style sheet never ends: %s", async (_, path) => {
  const output = { formats: ["markdown", "screenshot"] };
  const { data } = await scraper.job({ url: site.url + path, timeout, output });
  expect(data.markdown).toContain(sentence(29).trim());
  expect(data.screenshot).toMatch(/\w/);
});

test("a picture that an action takes of such a page", async () => {
  const js_render = { actions: [{ type: "screenshot" }] };
  const { data } = await scraper.job({ url: `${site.url}/style-only`, timeout, js_render });
  expect(data.actions?.screenshots).toHaveLength(1);
});

test("a picture waits for an image whose bytes keep coming", async () => {
  const output = { formats: ["screenshot"] };
  const { data } = await scraper.job({ url: `${site.url}/slow-image`, timeout, output });
  expect(data.screenshot).toMatch(/\w/);
  expect(slowImage.isSent).toBe(true);
});
