import { join } from "node:path";
import { diskBlobs } from "../../../mixins/store/blobs/disk.blobs.ts";
import { type Site, startSite } from "../../support/http-site.ts";
import { until } from "../../support/until.ts";
import { type Job, type Refusal, type Scraper, startScraper } from "./scraper.ts";

/** A request that stays open until the script is done, so that the page is not read before. */
const busy = "const n = Math.random(); fetch('/open?' + n);";
const done = "fetch('/done?' + n);";
/** Leaves something in every store that a browser has. */
const leave = `<!doctype html><title>left</title><body><p id=p>leaving</p><script>(async () => {
  ${busy}
  document.cookie = "left=1; path=/; max-age=9999"; localStorage.left = "1"; sessionStorage.left = "1"; window.name = "left";
  await new Promise(done => { const open = indexedDB.open("left"); open.onsuccess = done; open.onerror = done; });
  if (self.caches) await (await caches.open("left")).put("/kept", new Response("kept"));
  if (navigator.serviceWorker) { await navigator.serviceWorker.register("/worker.js"); await navigator.serviceWorker.ready; }
  await (await fetch("/cached")).text();
  p.textContent = "all is left " + "x".repeat(300);
  ${done}
})()</script>`;
const find = `<!doctype html><title>find</title><body><pre id=p></pre><script>(async () => {
  ${busy}
  const found = { cookie: document.cookie, local: localStorage.length, session: sessionStorage.length, name: window.name,
    databases: (await indexedDB.databases()).length, caches: self.caches ? (await caches.keys()).length : 0,
    workers: navigator.serviceWorker ? (await navigator.serviceWorker.getRegistrations()).length : 0,
    page: await (await fetch("/page")).text(), cached: await (await fetch("/cached")).text() };
  p.textContent = JSON.stringify(found) + " ".repeat(300) + "x".repeat(300);
  ${done}
})()</script>`;
const nothing = {
  cookie: "",
  local: 0,
  session: 0,
  name: "",
  databases: 0,
  caches: 0,
  workers: 0,
  page: "from the site",
};

let site: Site;
let scraper: Scraper;
let ann: string;
let bob: string;
const waiting: { end(body: string): unknown }[] = [];
let served = 0;
const open = new Map<string | undefined, { end(body: string): unknown }>();

beforeAll(async () => {
  site = await startSite({
    "/leave": leave,
    "/find": find,
    "/page": "from the site",
    "/worker.js": {
      headers: { "content-type": "text/javascript" },
      body: `oninstall = () => skipWaiting(); onactivate = e => e.waitUntil(clients.claim());
        onfetch = e => e.respondWith(e.request.url.endsWith("/page") ? new Response("from the worker") : fetch(e.request))`,
    },
    "/cached": (_, response) => {
      served += 1;
      response.writeHead(200, { "cache-control": "max-age=9999" }).end(`served ${served}`);
    },
    "/given": { headers: { "set-cookie": "given=1; Path=/; Max-Age=9999" }, body: "<p>given" },
    "/red": "<body style='background:red'>",
    "/open": ({ url }, response) => open.set(url?.split("?")[1], response),
    "/done": ({ url }, response) => {
      open.get(url?.split("?")[1])?.end("");
      response.end();
    },
    "/held": (_, response) => waiting.push(response),
  });
  scraper = await startScraper([site.port]);
  ann = await scraper.newKey("ann");
  bob = await scraper.newKey("bob");
});

afterAll(async () => {
  await scraper?.stop();
  await site?.close();
});

const pageOf = async (path: string, key: string, body: object = {}): Promise<Job["data"]> =>
  (await scraper.job({ url: site.url + path, ...body }, { key })).data;

async function findBy(key: string): Promise<Record<string, unknown>> {
  const { raw_html = "" } = await pageOf("/find", key, { output: { formats: ["raw_html"] } });
  return JSON.parse(/\{"cookie".*\}/.exec(raw_html)?.[0] ?? "{}");
}

describe("what a scrape leaves in the browser", () => {
  test("is not found by another tenant, nor by the same one's next scrape", async () => {
    const left = await pageOf("/leave", ann);
    expect(left.markdown).toContain("all is left");
    expect(await findBy(bob)).toEqual({ ...nothing, cached: "served 2" });
    expect(await findBy(ann)).toMatchObject(nothing);
    const cookies = site.hits.filter(({ url }) => url === "/find").map(({ headers }) => headers.cookie);
    expect(cookies).toEqual([undefined, undefined]);
  });

  test("tenants who scrape at the same time do not meet", async () => {
    const tenants = [ann, bob, ann, bob];
    const pages = await Promise.all(
      tenants.map((key, at) =>
        pageOf(`/find?${at}`, key, {
          request: { cookies: { tenant: key } },
          output: { formats: ["raw_html"] },
        }),
      ),
    );
    expect(pages.map(({ raw_html }) => /tenant=([\w-]+)/.exec(raw_html ?? "")?.[1])).toEqual(tenants);
  });

  test("cookies that the plain fetch was given are forgotten", async () => {
    for (const key of [ann, ann, bob]) await pageOf("/given", key);
    const cookies = site.hits.filter(({ url }) => url === "/given").map(({ headers }) => headers.cookie);
    expect(cookies).toEqual([undefined, undefined, undefined]);
  });
});

describe("a screenshot", () => {
  const download = (key: string, apiKey = ann) =>
    scraper.request("GET", `/web/screenshot/${key}`, { key: apiKey });
  const take = async (key: string) =>
    (await pageOf("/red", key, { output: { formats: ["screenshot"] } })).screenshot ?? "";

  test("is read with every key of its owner", async () => {
    const key = await take(ann);
    const second = await scraper.newKey("ann");
    expect((await download(key, ann)).status).toBe(200);
    const reply = await download(key, second);
    expect([reply.status, reply.headers.get("content-type")]).toEqual([200, "image/png"]);
  });

  test.each<[string, () => Promise<string> | string]>([
    ["another owner's", () => take(bob)],
    ["unknown", async () => (await take(ann)).replace(/.{8}$/, "AAAAAAAA")],
    ["no key at all", () => "screenshot.png"],
    ["a path", () => encodeURIComponent("../../credentials.json")],
    ["expired", () => putExpired("ann")],
  ])("whose key is %s: 404, one and the same body", async (_, keyOf) => {
    const reply = await download(await keyOf());
    expect([reply.status, reply.headers.get("content-type")]).toEqual([
      404,
      "application/json; charset=utf-8",
    ]);
    const sentence = "There is no screenshot with this key, or it has expired.";
    const { request_id, ...body } = reply.json<Refusal>();
    expect(body).toEqual({ status: "error", code: "not_found", error: sentence, message: sentence });
    expect(request_id).toEqual(expect.any(String));
  });

  test("needs an API key", async () => {
    const reply = await scraper.request("GET", `/web/screenshot/${await take(ann)}`, { key: null });
    expect([reply.status, reply.json<Refusal>().code]).toEqual([401, "unauthorized"]);
  });

  /** A picture of yesterday, as the service has stored it. */
  function putExpired(owner: string): Promise<string> {
    const yesterday = () => Date.now() - 86_400_001;
    const blobs = diskBlobs(join(scraper.dataDir, "blobs"), yesterday);
    return blobs.put(Buffer.from("png"), { owner, contentType: "image/png", ttlMs: 86_400_000 });
  }
});

test("more scrapes at once than the key may run: 429, and no other key is touched", async () => {
  const narrow = await scraper.newKey("ann", { concurrentScrapes: 2 });
  const held = { url: `${site.url}/held` };
  const replies = [1, 2, 3].map(() => scraper.scrape(held, { key: narrow }));
  const first = await Promise.race(replies);
  expect([first.status, first.json<Refusal>().code]).toEqual([429, "rate_limited"]);
  expect(first.json<Refusal>().retry_after).toBeGreaterThanOrEqual(1);
  expect(Number(first.headers.get("retry-after"))).toBeGreaterThanOrEqual(1);
  await until("the other two are running", () => waiting.length === 2);
  expect((await scraper.scrape({ url: `${site.url}/page` }, { key: bob })).status).toBe(200);
  for (const response of waiting.splice(0)) response.end("<p>held");
  const statuses = (await Promise.all(replies)).map(({ status }) => status);
  expect(statuses.sort()).toEqual([200, 200, 429]);
  expect((await scraper.scrape({ url: `${site.url}/page` }, { key: narrow })).status).toBe(200);
});

test("a scrape needs an API key, and the admin key is none", async () => {
  for (const options of [{ key: null }, { key: "mk_unknown" }, { admin: true }]) {
    const [status, code] = await scraper.refusal({ url: `${site.url}/page` }, options);
    expect([status, code]).toEqual([401, "unauthorized"]);
  }
});
