import type { IncomingMessage } from "node:http";
import { buffer } from "node:stream/consumers";
import { historyService } from "../../services/history/history.service.ts";
import {
  type WatchTracker,
  watchIntervalMs,
  watchOverrides,
  watchServices,
} from "../suites/watches.suite.ts";
import { type Site, startSite } from "../support/http-site.ts";
import { type LoginSite, loginWith, startLoginSite } from "../support/login-site.ts";
import { type Magpie, type Reply, startMagpie } from "../support/magpie.ts";
import { until } from "../support/until.ts";

interface Watched {
  data: { id: string; options?: { method?: string; body?: string; headers?: object } };
  details?: { field: string; code: string }[];
}
interface Previewed {
  data: { view: { fields: object | null; would_fire: boolean | null; why: string; text: string } };
}

const query = { query: "lamps", filter: { shop: "secret-shop-42" } };
const wanted = { method: "POST", body: query, extract: { json_path: ["$.items[*].price"] } };

interface Received {
  method: string;
  path: string;
  type: string | undefined;
  body: string;
  conditions: boolean;
  token: string | undefined;
}

let site: Site;
let elsewhere: Site;
let members: LoginSite;
let magpie: Magpie;
let prices = [10, 20];
let received: Received[] = [];

beforeAll(async () => {
  const answer = async (request: IncomingMessage) => {
    const body = (await buffer(request)).toString();
    const { method = "", url: path = "", headers } = request;
    received.push({
      ...{ method, path, body, type: headers["content-type"], token: headers["x-token"]?.toString() },
      conditions: "if-none-match" in headers || "if-modified-since" in headers,
    });
    return body;
  };
  elsewhere = await startSite(async (request, response) => {
    await answer(request);
    response.end("Somewhere else");
  });
  site = await startSite(async (request, response) => {
    const body = await answer(request);
    const { method, url = "" } = request;
    const to = new URLSearchParams(url.split("?")[1]);
    const status = Number(to.get("status"));
    if (status) return response.writeHead(status, { location: to.get("to") ?? "" }).end();
    if (url === "/told")
      return response.writeHead(200, { "content-type": "text/html" }).end("<p>Thank you.</p>");
    if (method !== "POST") return response.writeHead(405).end();
    if (url === "/form")
      return response
        .writeHead(200, { "content-type": "text/html" })
        .end(`<title>Found</title><main><p>${body} has ${prices.join(" and ")}.</p></main>`);
    if (body !== JSON.stringify(query)) return response.writeHead(400).end("{}");
    const items = prices.map((price, id) => ({ id, price }));
    return response
      .writeHead(200, { "content-type": "application/json", etag: '"always"' })
      .end(JSON.stringify({ items }));
  });
  members = await startLoginSite("correct horse");
  magpie = await startMagpie(watchOverrides(watchIntervalMs), config =>
    [...new Set([...watchServices, historyService])].map(service => service(config)),
  );
});
afterAll(async () => {
  await magpie?.stop();
  await Promise.all([site, elsewhere, members].map(each => each?.close()));
});
beforeEach(() => {
  received = [];
});

const post = (path: string, sid: string, options: object, key?: string) =>
  magpie.request("POST", `/track/web${path}`, { body: { sid, options }, ...(key && { key }) });
const change = (iid: string, options: object) =>
  magpie.request("PATCH", "/track/web", { body: { iid, options } });
const fieldOf = (reply: Reply) => [reply.status, reply.json<Watched>().details?.[0]?.field];

async function newKey(): Promise<string> {
  const body = { owner: "bo", name: "n" };
  const made = await magpie.request("POST", "/internal/keys", { admin: true, body });
  return made.json<{ data: { key: string } }>().data.key;
}

/** Makes a source due, and waits until it was polled. */
async function poll(id: string): Promise<void> {
  const { context, pollScheduler } = magpie.broker.getLocalService("tracker") as WatchTracker;
  const began = Date.now();
  const due = { dueAt: began - 1, polledAt: began - watchIntervalMs };
  await context.sources.updateMany({ _id: id }, { $set: due });
  pollScheduler.wake();
  await until("it was polled", async () => {
    const source = await context.sources.findById(id);
    return source !== null && source.polledAt >= began && source.lease === undefined;
  });
}

async function changes(): Promise<object[]> {
  type Listed = { data: { type: string; data: { change: { fields: object } } }[] };
  const { data } = (await magpie.request("GET", "/events?types=web.page.changed")).json<Listed>();
  return data.map(event => event.data.change.fields);
}

test("an API that answers POST is watched by its values, and nobody reads the body", async () => {
  const sid = `${site.url}/api`;
  const seen = await post("/preview", sid, wanted);
  expect(seen.json<Previewed>().data.view.fields).toEqual({
    "items[id=0].price": 10,
    "items[id=1].price": 20,
  });
  const tracked = await post("", sid, wanted);
  expect(tracked.status).toBe(201);
  const { id, options } = tracked.json<Watched>().data;
  expect(options).toMatchObject({ method: "POST", body: "•••" });
  await poll(id);
  prices = [10, 15];
  await poll(id);
  await until("an event", async () => (await changes()).length > 0);
  expect(await changes()).toEqual([{ "items[id=1].price": { from: 20, to: 15 } }]);
  expect(new Set(received.map(({ method, type, body }) => `${method} ${type} ${body}`))).toEqual(
    new Set([`POST application/json ${JSON.stringify(query)}`]),
  );
  // A server that says the answer is the same is asked for it all the same.
  expect(received.some(({ conditions }) => conditions)).toBe(false);
  const answers = [
    tracked,
    ...(await Promise.all(["/track", "/events", "/track/opml"].map(path => magpie.request("GET", path)))),
  ];
  expect(answers.filter(({ text }) => text.includes("secret-shop-42"))).toEqual([]);
});

test("a body that is sent as it is shown is the former one; without one there is nothing to send", async () => {
  const sid = `${site.url}/api`;
  const again = await post("/preview", sid, { ...wanted, body: "•••" });
  expect(again.json<Previewed>().data.view).toMatchObject({ would_fire: false });
  const { id } = (await post("", sid, { ...wanted, body: "•••" })).json<Watched>().data;
  expect(received.every(({ body }) => body === JSON.stringify(query))).toBe(true);
  const other = await post("/preview", `${site.url}/api/2`, { ...wanted, body: "•••" });
  expect(other.json<Watched>().details?.[0]).toMatchObject({ field: "options.body", code: "unknown_value" });
  expect(fieldOf(await change(id, { method: null }))).toEqual([400, "options.body"]);
  expect(fieldOf(await change(id, { render: "always" }))).toEqual([400, "options.render"]);
  const tried = await magpie.request("POST", `/sources/${id}/rehearse`, {
    body: { options: { body: { query: "beds" } }, days: 1 },
  });
  expect(tried.status).toBe(200);
});

test("keys share no request with a body, and one without", async () => {
  const key = await newKey();
  const sid = `${site.url}/form`;
  const options = { method: "POST", body: "q=lamps" };
  const own = (await post("", sid, options)).json<Watched>().data;
  const theirs = (await post("", sid, options, key)).json<Watched>().data;
  expect(theirs.id).not.toBe(own.id);
  expect(received.map(({ type, body }) => [type, body])).toEqual([
    ["application/x-www-form-urlencoded", "q=lamps"],
    ["application/x-www-form-urlencoded", "q=lamps"],
  ]);
  const bare = `${site.url}/form?bare`;
  expect((await post("/preview", bare, {})).status).not.toBe(200);
});

test("a text is sent as the header says", async () => {
  const headers = { "Content-Type": "application/graphql" };
  const reply = await post("/preview", `${site.url}/form`, { method: "POST", body: "{ lamps }", headers });
  expect(reply.json<Previewed>().data.view.text).toContain("{ lamps } has");
  expect(received.map(({ type }) => type)).toEqual(["application/graphql"]);
});

const asked = () =>
  received.map(({ method, path, body, token }) => [method, path.split("?")[0], body, token]);

test.each([
  [303, ["GET", "/told", "", "t"]],
  [302, ["GET", "/told", "", "t"]],
  [307, ["POST", "/told", "a=1", "t"]],
  [308, ["POST", "/told", "a=1", "t"]],
])("after a %i the next request is %j", async (status, next) => {
  const options = { method: "POST", body: "a=1", headers: { "x-token": "t", "content-type": "text/x" } };
  await post("/preview", `${site.url}/go?status=${status}&to=/told`, options);
  expect(asked()).toEqual([["POST", "/go", "a=1", "t"], next]);
  expect(received[1]?.type).toBe(next[0] === "GET" ? undefined : "text/x");
});

test.each([
  [303, 200],
  [307, 502],
])("a %i to another origin takes neither body nor headers there", async (status, answered) => {
  const options = { method: "POST", body: "a=1", headers: { "x-token": "t" } };
  const to = encodeURIComponent(`${elsewhere.url}/`);
  const reply = await post("/preview", `${site.url}/go?status=${status}&to=${to}`, options);
  expect([reply.status, elsewhere.hits.length]).toEqual([answered, status === 303 ? 1 : 0]);
  const [, ...away] = asked();
  expect(away).toEqual(status === 303 ? [["GET", "/", "", undefined]] : []);
  elsewhere.hits.length = 0;
});

const big = "x".repeat(65_536);

// A large body names no test.
test.each([[`${big}x`], [{ text: big }]])("a body of more than 64 KB is refused", async body => {
  const reply = await post("/preview", `${site.url}/form`, { method: "POST", body });
  expect(fieldOf(reply)).toEqual([400, "options.body"]);
});

test.each([
  [{ body: "a=1" }, "options.body"],
  [{ method: "GET", body: "a=1" }, "options.body"],
  [{ method: "PUT" }, "options.method"],
  [{ method: "POST", body: 7 }, "options.body"],
  [{ method: "POST", body: "" }, "options.body"],
  [{ method: "POST", actions: [{ type: "click", selector: "a" }] }, "options.actions"],
  [{ method: "POST", wait_for: { ms: 10 } }, "options.wait_for"],
  [{ method: "POST", render: "always" }, "options.render"],
  [{ method: "POST", screenshot: true }, "options.screenshot"],
  [{ method: "POST", headers: { "content-length": "7" } }, "options.headers.content-length"],
  [{ headers: { "content-type": "text/x" } }, "options.headers.content-type"],
  [{ extract: { json_path: ["$"] }, screenshot: true }, "options.screenshot"],
])("%j is refused and names %s", async (options, field) => {
  expect(fieldOf(await post("/preview", `${site.url}/form`, options))).toEqual([400, field]);
});

test.each(["rss", "site"])("the kind %s has no method", async kind => {
  const body = { sid: `${site.url}/form`, options: { method: "POST" } };
  expect(fieldOf(await magpie.request("POST", `/track/${kind}`, { body }))).toEqual([400, "options.method"]);
});

test("values are read and posted in a session, which signs in where it is asked to", async () => {
  const session = { name: "shop", login: loginWith("correct horse") };
  const body = { url: `${members.url}/mine`, session, timeout: 60_000 };
  expect((await magpie.request("POST", "/web/scrape", { body })).status).toBe(200);
  const options = { extract: { json_path: ["$.orders", "$.asked"] }, session: { name: "shop" } };
  const posted = await post("/preview", `${members.url}/orders.json`, {
    ...{ ...options, method: "POST", body: { year: 2026 } },
  });
  expect(posted.json<Previewed>().data.view.fields).toEqual({ orders: 1, asked: '{"year":2026}' });
  expect(members.tries.length).toBe(1);
  const got = await post("/preview", `${members.url}/orders.json`, options);
  expect(got.json<Previewed>().data.view.fields).toEqual({ orders: 1, asked: "" });
  expect(members.tries.length).toBe(1);
});
