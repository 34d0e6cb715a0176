import { PNG } from "pngjs";
import { call } from "../../../services/contracts/action.ts";
import { forgetPictures, pictureChange, pollPage } from "../../../services/contracts/page-reads.contract.ts";
import type { ScrapeRequest } from "../../../services/contracts/scraper.contract.ts";
import { type Site, startSite } from "../../support/http-site.ts";
import { pngSize, type Scraper, startScraper } from "./scraper.ts";

let site: Site;
let scraper: Scraper;
let tracking: string;
let other: string;
let price = 20;
/** The only key, by its id, that tracks the source `src_1`. */
let trackingKey: string | undefined;

const rest = "<p>Some words about the boots, which stay as they are.</p>".repeat(10);

beforeAll(async () => {
  site = await startSite({
    "/boots": (_, response) =>
      response
        .setHeader("content-type", "text/html")
        .end(
          `<!doctype html><html lang=de><title>Boots</title><body style="background:white"><main><h1>Boots</h1><p class=price style="font-size:40px">${price},50 €</p>${price < 20 ? "<p>Less than before</p>" : ""}${rest}</main>`,
        ),
    "/long": `<!doctype html><title>Long</title><main><h1>Long</h1>${rest}${Array.from({ length: 5000 }, (_, n) => `<p>Sentence ${n} of a long page.`).join("")}</main>`,
    "/late": `<!doctype html><title>L</title><body><main><p class=late></p>${rest}</main><script>setTimeout(() => { document.querySelector(".late").textContent = "20 EUR" }, 1500)</script>`,
    "/scripted": `<!doctype html><title>S</title><body><main><p class=late>as sent</p>${rest}</main><script>document.querySelector(".late").textContent = "as rendered " + "x".repeat(300)</script>`,
  });
  const tracker = {
    name: "tracker",
    actions: {
      isTracking: (ctx: { params: { keyId: string; sourceId: string } }) => ({
        tracked:
          ctx.params.keyId === trackingKey && ctx.params.sourceId === "0b7e3d0c-5c1f-4f5e-9a63-2f1d1c9d7a55",
      }),
    },
  };
  scraper = await startScraper([site.port], {}, () => [tracker]);
  const made = await scraper.request("POST", "/internal/keys", {
    admin: true,
    body: { owner: "ann", name: "watcher" },
  });
  const { data } = made.json<{ data: { id: string; key: string } }>();
  [trackingKey, tracking] = [data.id, data.key];
  other = await scraper.newKey("ann");
});

afterAll(async () => {
  await scraper?.stop();
  await site?.close();
});

const request = (path: string, formats: ScrapeRequest["output"]["formats"]): ScrapeRequest => ({
  url: site.url + path,
  mode: "sync",
  timeout: 120_000,
  output: { formats, screenshot: "full_page" },
  breakdown: false,
  max_age: 0,
  proxy: { location: "US" },
  js_render: { enabled: true },
  request: { device: "desktop", only_main_content: true, block_ads: true, skip_tls_verification: true },
});
const caller = { keyId: "tracker", owner: "tracker" };
const patience = { timeout: 150_000 };

const snapshot = (path: string, ...views: object[]) =>
  call(
    scraper.broker,
    pollPage,
    { ...caller, request: request(path, ["markdown"]), views: views.map(view => ({ view })) },
    patience,
  );

test("who asks for the views alone gets the beginning of a long page, and they see all of it", async () => {
  const asked = { ...caller, request: request("/long", ["markdown"]), views: [{ view: {} }] };
  const [whole, brief] = await Promise.all(
    [false, true].map(isBrief => call(scraper.broker, pollPage, { ...asked, isBrief }, patience)),
  );
  expect(whole?.job.data.markdown).toContain("Sentence 4999");
  expect(brief?.job.data.markdown).toBe(whole?.job.data.markdown?.slice(0, 32 * 1024));
  expect(brief?.snapshots).toEqual(whole?.snapshots);
  expect(brief?.snapshots).toMatchObject([{ ok: true, text: expect.stringContaining("Sentence 2500") }]);
});

test("views of one page cost one fetch, and see each its own", async () => {
  const before = site.hits.length;
  const { job, snapshots } = await snapshot(
    "/boots",
    { select: [".price"], when: { value: { below: 20 } } },
    { select: ["//h1"] },
    { select: [".gone"] },
    { json: { recipe: { version: 1, fields: { price: { selector: ".price", type: "number" } } } } },
  );
  expect(site.hits.length - before).toBe(1);
  expect(job.data.markdown).toContain("Some words");
  expect(snapshots).toMatchObject([
    { ok: true, text: "20,50 €", value: 20.5 },
    { ok: true, text: "# Boots" },
    { ok: false, reason: "The selection `.gone` finds nothing on this page." },
    { ok: true, text: "price: 20.5", fields: { price: 20.5 } },
  ]);
});

test("what a view selects is waited for, by CSS and by XPath, and is missing where it does not come", async () => {
  for (const selector of [".late", "//p[@class='late']"]) {
    const { snapshots } = await snapshot("/late", { select: [selector] });
    expect(snapshots).toMatchObject([{ ok: true, text: "20 EUR" }]);
  }
  const { snapshots } = await snapshot("/late", { select: [".never"] });
  expect(snapshots).toMatchObject([{ ok: false, reason: expect.stringContaining(".never") }]);
});

test("a view sees the page as the browser has it", async () => {
  const { snapshots } = await snapshot("/scripted", { select: [".late"] });
  expect(snapshots).toMatchObject([{ ok: true, text: expect.stringMatching(/^as rendered/) }]);
});

const take = (kept?: string) =>
  call(
    scraper.broker,
    pictureChange,
    {
      ...caller,
      request: request("/boots", ["screenshot"]),
      watchId: "0b7e3d0c-5c1f-4f5e-9a63-2f1d1c9d7a55",
      ...(kept !== undefined && { kept }),
    },
    patience,
  );

async function pictureOf(key: string | null, apiKey = tracking) {
  const reply = await fetch(`${scraper.url}/web/screenshot/${key}`, { headers: { "x-api-key": apiKey } });
  return { status: reply.status, bytes: new Uint8Array(await reply.arrayBuffer()) };
}

/** Pixels of clear red. */
function redsOf(bytes: Uint8Array): number {
  const { data } = PNG.sync.read(Buffer.from(bytes));
  let reds = 0;
  for (let at = 0; at < data.length; at += 4)
    if (data[at] === 255 && (data[at + 1] ?? 255) < 10 && (data[at + 2] ?? 255) < 10) reds += 1;
  return reds;
}

test("a change has its pictures, for the keys that track the page", async () => {
  price = 20;
  const first = await take();
  expect(first.pictures).toMatchObject({ before: null, difference: null });
  price = 19;
  const { pictures, kept, bytes: stored } = await take(first.kept);
  const [before, after, difference] = await Promise.all(
    [pictures.before, pictures.after, pictures.difference].map(key => pictureOf(key)),
  );
  expect([before?.status, after?.status, difference?.status]).toEqual([200, 200, 200]);
  const sizes = [before, after, difference].map(each => each?.bytes.length ?? 0);
  expect(stored).toBe(sizes.reduce((sum, size) => sum + size, 0));
  const heights = [before, after, difference].map(each => pngSize(each?.bytes ?? new Uint8Array())[1]);
  expect(heights[2]).toBe(Math.max(heights[0] ?? 0, heights[1] ?? 0));
  expect(redsOf(difference?.bytes ?? new Uint8Array())).toBeGreaterThan(50);
  expect((await pictureOf(pictures.after, other)).status).toBe(404);
  expect(
    (await pictureOf(pictures.after.replace("0b7e3d0c-5c1f-4f5e-9a63-2f1d1c9d7a55", "src_2"))).status,
  ).toBe(404);
  expect((await pictureOf(kept)).status).toBe(404);
  // The same page again: nothing differs, and the last pictures are still there.
  const again = await take(kept);
  const same = await pictureOf(again.pictures.difference);
  expect(redsOf(same.bytes)).toBe(0);
  expect((await pictureOf(pictures.before)).status).toBe(200);
  // Nothing is kept of a page that nobody tracks any more.
  await call(scraper.broker, forgetPictures, { watchId: "0b7e3d0c-5c1f-4f5e-9a63-2f1d1c9d7a55" }, patience);
  expect((await take(again.kept)).pictures.before).toBeNull();
});
