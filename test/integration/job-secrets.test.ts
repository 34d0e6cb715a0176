import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { toConfig } from "../../mixins/config/config.ts";
import { crawlerService } from "../../services/crawler/crawler.service.ts";
import { keysService } from "../../services/keys/keys.service.ts";
import { scraperService } from "../../services/scraper/scraper.service.ts";
import { webhookDispatcherService } from "../../services/webhook-dispatcher/webhook-dispatcher.service.ts";
import { type Site, startSite } from "../support/http-site.ts";
import { type Magpie, startMagpie } from "../support/magpie.ts";
import { type Receiver, startReceiver } from "../support/receiver.ts";
import { until } from "../support/until.ts";

const token = "token-of-the-page-3141592653";
const cookie = "cookie-of-the-page-2718281828";
const typed = "typed-into-the-page-1414213562";
const hookToken = "token-of-the-webhook-1618033988";

const body = "<title>A page</title><p>The text of an ordinary page that anyone may read, at some length.</p>";

let site: Site;
let receiver: Receiver;
let magpie: Magpie;
let dataDir: string;
/** Ends the answers that the site holds back. */
let release: () => void;

beforeEach(async () => {
  const released = new Promise<void>(resolve => {
    release = resolve;
  });
  site = await startSite({
    "/robots.txt": { status: 404 },
    "/held": (_, response) => released.then(() => response.setHeader("content-type", "text/html").end(body)),
  });
  receiver = await startReceiver();
  const options = {
    egressAllow: ["127.0.0.1"],
    webhooks: { allowHttp: true, backoffMs: [60_000] },
    browser: { ...toConfig({}).browser, path: "/nowhere" },
  };
  magpie = await startMagpie(options, config => {
    dataDir = config.dataDir;
    return [
      keysService(config),
      scraperService(config),
      webhookDispatcherService(config),
      crawlerService(config),
    ];
  });
});

afterEach(async () => {
  release();
  await magpie.stop();
  await receiver.close();
  await site.close();
});

const job = () => ({
  url: `${site.url}/held`,
  js_render: { enabled: false },
  request: { headers: { authorization: `Bearer ${token}` }, cookies: { session: cookie } },
  webhook: { url: receiver.url, headers: { authorization: `Bearer ${hookToken}` } },
});

const post = (path: string, body: object) => magpie.request("POST", path, { body });

/** Which of the secrets can be read somewhere below the data folder. */
async function readable(): Promise<string[]> {
  const entries = await readdir(dataDir, { recursive: true, withFileTypes: true });
  const files = entries.filter(entry => entry.isFile());
  const contents = await Promise.all(files.map(({ parentPath, name }) => readFile(join(parentPath, name))));
  return [token, cookie, hookToken, typed].filter(secret => contents.some(bytes => bytes.includes(secret)));
}

const held = () => site.hits.filter(({ url }) => url === "/held");

async function expectSecretsSent(count: number): Promise<void> {
  await until("the site is asked", () => held().length === count);
  expect(held().at(-1)?.headers).toMatchObject({
    authorization: `Bearer ${token}`,
    cookie: `session=${cookie}`,
  });
}

test("an asynchronous scrape keeps its secrets encrypted, uses them, and leaves none behind", async () => {
  receiver.behave(503);
  expect((await post("/web/scrape", { mode: "async", ...job() })).status).toBe(202);
  await expectSecretsSent(1);
  await until("its webhook is told", () => receiver.received.length > 0);
  expect(await readable()).toEqual([]);
  release();
  await until("its webhook is told of the end", () =>
    receiver.received.some(({ body }) => body.includes("scrape.completed")),
  );
  for (const { headers } of receiver.received) expect(headers.authorization).toBe(`Bearer ${hookToken}`);
  expect(await readable()).toEqual([]);
});

test("what actions type is encrypted, too", async () => {
  const { request: _, webhook: __, ...open } = job();
  const acting = { ...open, js_render: { actions: [{ type: "type", text: typed }] } };
  expect((await post("/web/scrape", { ...acting, mode: "async" })).status).toBe(202);
  expect((await post("/web/crawl", acting)).status).toBe(200);
  await until("the site is asked for both", () => held().length === 2);
  expect(await readable()).toEqual([]);
});

test("a synchronous scrape that is late keeps its secrets encrypted", async () => {
  const { webhook: _, ...late } = job();
  expect((await post("/web/scrape", { ...late, timeout: 1000 })).status).toBe(408);
  await expectSecretsSent(1);
  expect(await readable()).toEqual([]);
});

test.each(["crawl", "batch"])("a %s keeps its secrets encrypted, and uses them", async kind => {
  const { url, ...options } = job();
  const pages = kind === "crawl" ? { url } : { urls: [url] };
  expect((await post(`/web/${kind}`, { ...pages, ...options })).status).toBe(200);
  await expectSecretsSent(1);
  await until("its webhook is told", () => receiver.received.length > 0);
  expect(receiver.received[0]?.headers.authorization).toBe(`Bearer ${hookToken}`);
  expect(await readable()).toEqual([]);
});
