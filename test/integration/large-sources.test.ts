import { type Config, toConfig } from "../../mixins/config/config.ts";
import { connectorsService } from "../../services/connectors/connectors.service.ts";
import { call } from "../../services/contracts/action.ts";
import { pollSource, resolveSource } from "../../services/contracts/connectors.contract.ts";
import { keysService } from "../../services/keys/keys.service.ts";
import { scraperService } from "../../services/scraper/scraper.service.ts";
import { trackerService } from "../../services/tracker/tracker.service.ts";
import { type Site, startSite } from "../support/http-site.ts";
import { longestHold } from "../support/longest-hold.ts";
import { type Magpie, startMagpie } from "../support/magpie.ts";

/*
 * What a site sends may be as large as documents may be. It is read and compared in threads; the loop that serves
 * everybody is held for a small part of the seconds that the work takes.
 */

let site: Site;
let magpie: Magpie;

const services = (config: Config) => [
  keysService(config),
  trackerService(config),
  connectorsService(config),
  scraperService(config),
];

const many = (count: number, make: (n: number) => string) =>
  Array.from({ length: count }, (_, n) => make(n)).join("");
const html = (title: string, body: string) =>
  `<!doctype html><html lang="en"><head><title>${title}</title></head><body><main><h1>${title}</h1>${body}</main></body></html>`;
const rss = (items: string) => `<rss version="2.0"><channel><title>Many</title>${items}</channel></rss>`;
const item = (n: number) => `<item><guid>${n}</guid><title>Item ${n}</title></item>`;

/** Made before they are asked for: this loop serves the site, too. `#` is how often a page was asked for. */
const documents: Record<string, { type: string; parts: string[] }> = {
  "/page": page("Small", "<p>Some text of a small page, which has a sentence.</p>"),
  "/lines": page("Lines", `${many(20_000, n => `<p>line ${n}</p>`)}<p>asked #</p>`),
  "/first": page("First", `<p>asked #</p>${many(20_000, n => `<p>${n % 2 ? "even" : `odd ${n}`}</p>`)}`),
  "/links": page(
    "Links",
    many(30_000, n => `<a href="/${n}">link ${n}</a> `),
  ),
  "/marks": page("Marks", `<p>Text.</p><p>e${"\u0301\u0327".repeat(500_000)}</p>`),
  "/large": page(
    "Large",
    many(15_000, n => `<p>${n} ${"a long text with words ".repeat(44)}</p>`),
  ),
  "/feed": { type: "application/rss+xml", parts: [rss(many(100_000, item))] },
  "/json": {
    type: "application/feed+json",
    parts: [
      JSON.stringify({
        version: "https://jsonfeed.org/version/1.1",
        title: "Many",
        items: Array.from({ length: 100_000 }, (_, n) => ({ id: `${n}`, content_text: `Item ${n}` })),
      }),
    ],
  },
};
let asked = 0;

function page(title: string, body: string): { type: string; parts: string[] } {
  return { type: "text/html", parts: html(title, body).split("#") };
}

beforeAll(async () => {
  site = await startSite((request, response) => {
    const document = documents[request.url ?? ""];
    if (!document) return response.writeHead(404).end();
    asked += 1;
    return response.writeHead(200, { "content-type": document.type }).end(document.parts.join(`${asked}`));
  });
  const env = { BROWSER_PATH: process.env.BROWSER_PATH, PATH: process.env.PATH };
  const { browser, searchPath, social } = toConfig(env);
  magpie = await startMagpie(
    {
      egressAllow: ["127.0.0.1/32"],
      pollMinIntervalMs: 3_600_000,
      social: { ...social, sandboxEveryMs: null },
      browser,
      searchPath,
    },
    services,
  );
  // Threads and modules are there afterwards.
  expect(await track("/page")).toMatchObject({ status: 201 });
});
afterAll(async () => {
  await magpie.stop();
  await site.close();
});

const track = (path: string, kind = "web") =>
  magpie.request("POST", `/track/${kind}`, { body: { sid: `${site.url}${path}` } });

const patient = { timeout: 60_000 };
/** Milliseconds; on the main thread these documents take 1 to 5 s. */
const mostHeldMs = 1000;

test.each(["/lines", "/first", "/links", "/marks"])("a page is tracked and polled: %s", async path => {
  const tracked = await longestHold(() => track(path));
  expect([200, 201]).toContain(tracked.result.status);
  const wanted = { kind: "web" as const, sid: `${site.url}${path}` };
  const { kind, externalId, state } = await call(magpie.broker, resolveSource, wanted, patient);
  const due = { kind, externalId, state, failures: 0 };
  const polled = await longestHold(() => call(magpie.broker, pollSource, due, patient));
  expect(polled.result).toMatchObject({ ok: true });
  expect([tracked.heldMs, polled.heldMs].filter(ms => ms > mostHeldMs)).toEqual([]);
});

test("a page of 15 MB is scraped in all forms, and its warning says what is cut", async () => {
  const formats = ["markdown", "html", "raw_html", "links"];
  const body = { url: `${site.url}/large`, output: { formats }, timeout: 60_000 };
  const { heldMs, result } = await longestHold(() => magpie.request("POST", "/web/scrape", { body }));
  const { data } = result.json<{ data: { raw_html: string; metadata: { warning: string } } }>();
  expect(data.raw_html.length).toBeLessThanOrEqual(4 * 1024 * 1024);
  expect(data.metadata.warning).toContain("its raw_html is cut");
  expect(heldMs).toBeLessThan(mostHeldMs);
});

test.each(["/feed", "/json"])("a feed of 100,000 items is refused: %s", async path => {
  const { heldMs, result } = await longestHold(() => track(path, "rss"));
  expect(result).toMatchObject({ status: 400, text: expect.stringContaining("more than 20,000 items") });
  expect(heldMs).toBeLessThan(mostHeldMs);
});
