import { once } from "node:events";
import type { ServerResponse } from "node:http";
import { WebSocket } from "ws";
import { until } from "../support/until.ts";
import { type Crawler, startCrawler } from "./crawler/crawler.ts";
import { page, Sites } from "./crawler/site.ts";

const sites = new Sites();
let crawler: Crawler;

beforeAll(async () => {
  crawler = await startCrawler();
});

afterAll(async () => {
  await crawler?.stop();
  await sites.close();
});

interface Message {
  type: string;
  data?: { status?: string; total?: number; markdown?: string; data?: unknown[] };
  error?: string;
}

/** A client as browsers are: the key is the subprotocol. */
function watch(path: string, key = crawler.apiKey) {
  const socket = new WebSocket(crawler.url.replace("http", "ws") + path, key);
  const messages: Message[] = [];
  socket.on("message", data => messages.push(JSON.parse(String(data)) as Message));
  const closed = once(socket, "close").then(([code]) => code as number);
  return { socket, messages, closed };
}

/** The status of the answer that refuses a WebSocket. */
async function refusedWith(path: string, key?: string): Promise<number | undefined> {
  const { socket } = watch(path, key);
  socket.on("error", () => undefined);
  const [, answer] = (await once(socket, "unexpected-response")) as [unknown, { statusCode?: number }];
  return answer.statusCode;
}

/** A site whose pages below the entry answer when they are let go. */
async function heldSite(...paths: string[]) {
  const held: ServerResponse[] = [];
  const site = await sites.start(({ url = "/" }, response) => {
    if (url === "/robots.txt" || url === "/sitemap.xml") return response.writeHead(404).end();
    response.setHeader("content-type", "text/html");
    if (url === "/") return response.end(page("Home", ...paths));
    held.push(response);
  });
  const letGo = () => held.splice(0).forEach(response => void response.end(page("Held")));
  return { url: `${site.url}/`, held, letGo };
}

async function started(version: string, url: string): Promise<string> {
  const body = { url, scrapeOptions: { blockAds: false } };
  return (await crawler.request("POST", `/${version}/crawl`, { body })).json<{ id: string }>().id;
}

test.each(["v1", "v2"])("%s: what there is, then each page as it ends, then the end", async version => {
  const site = await heldSite("/a", "/b");
  const id = await started(version, site.url);
  await until("both are asked for", () => site.held.length === 2);
  const { messages, closed } = watch(`/${version}/crawl/${id}`);
  await until("it has begun", () => messages.length === 1);
  expect(messages[0]).toMatchObject({
    type: "catchup",
    data: { success: true, status: "scraping", completed: 1, data: [{ markdown: expect.any(String) }] },
  });
  site.letGo();
  expect(await closed).toBe(1000);
  expect(messages.map(({ type }) => type)).toEqual(["catchup", "document", "document", "done"]);
  expect(messages.at(-1)?.data).toMatchObject({ status: "completed", total: 3, data: [] });
  expect(messages[1]?.data?.markdown).toContain("# Held");

  const late = watch(`/${version}/crawl/${id}`);
  expect(await late.closed).toBe(1000);
  expect(late.messages.map(({ type, data }) => [type, data?.status])).toEqual([
    ["catchup", "completed"],
    ["done", "completed"],
  ]);
});

test("a job that is cancelled says so, and a batch can be watched, too", async () => {
  const site = await heldSite();
  const body = { urls: [`${site.url}a`], blockAds: false };
  const { id } = (await crawler.request("POST", "/v2/batch/scrape", { body })).json<{ id: string }>();
  await until("it is asked for", () => site.held.length === 1);
  const { messages, closed } = watch(`/v2/batch/scrape/${id}`);
  const older = watch(`/v1/crawl/${id}`);
  await until("it has begun", () => messages.length === 1);
  await crawler.request("DELETE", `/v2/batch/scrape/${id}`);
  expect(await closed).toBe(1000);
  expect(await older.closed).toBe(1000);
  for (const each of [messages, older.messages])
    expect(each.at(-1)).toMatchObject({ type: "status", data: { status: "cancelled" } });
  site.letGo();
});

test("nobody watches without a key, another owner's job or none", async () => {
  const site = await heldSite("/a");
  const id = await started("v2", site.url);
  const stranger = await crawler.newKey("stranger");
  expect(await refusedWith(`/v2/crawl/${id}`, "wrong")).toBe(401);
  expect(await refusedWith(`/v2/crawl/${id}`, stranger)).toBe(404);
  expect(await refusedWith("/v2/crawl/crw_none")).toBe(404);
  await crawler.request("DELETE", `/v2/crawl/${id}`);
  site.letGo();
});

test.each([
  ["a frame that is none", Buffer.from([0xff, 0xff, 0xff, 0xff]), 1002],
  ["a frame that is too large", Buffer.from([0x82, 0xff, 0, 0, 0, 0, 0, 1, 0, 1, 0, 0, 0, 0]), 1009],
])("%s ends the one connection, and nothing else", async (_, bytes, code) => {
  const site = await heldSite("/a");
  const id = await started("v2", site.url);
  const unhandled: unknown[] = [];
  const note = (error: unknown) => unhandled.push(error);
  process.on("unhandledRejection", note);
  const { socket, messages, closed } = watch(`/v2/crawl/${id}`);
  const other = watch(`/v2/crawl/${id}`);
  await until("both have begun", () => messages.length === 1 && other.messages.length === 1);
  (socket as unknown as { _socket: { write(bytes: Buffer): void } })._socket.write(bytes);
  expect(await closed).toBe(code);
  await crawler.request("DELETE", `/v2/crawl/${id}`);
  expect(await other.closed).toBe(1000);
  process.off("unhandledRejection", note);
  expect(unhandled).toEqual([]);
  site.letGo();
});

test.each(["active", "ongoing"])("a crawl that runs is listed as %s", async name => {
  const site = await heldSite("/a");
  const id = await started("v2", site.url);
  await until("its page is asked for", () => site.held.length === 1);
  const listed = async () => (await crawler.request("GET", `/v2/crawl/${name}`)).json<{ crawls: object[] }>();
  expect(await listed()).toEqual({
    success: true,
    crawls: [
      {
        id,
        teamId: expect.any(String),
        url: site.url,
        status: "scraping",
        created_at: expect.stringMatching(/Z$/),
        options: null,
      },
    ],
  });
  await crawler.request("DELETE", `/v2/crawl/${id}`);
  site.letGo();
  expect((await listed()).crawls).toEqual([]);
});
