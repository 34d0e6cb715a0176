import {
  type WatchTracker,
  watchIntervalMs,
  watchOverrides,
  watchServices,
} from "../suites/watches.suite.ts";
import { type Site, startSite } from "../support/http-site.ts";
import { type Magpie, startMagpie } from "../support/magpie.ts";
import { until } from "../support/until.ts";

interface Reply {
  data: { id: string; view: { fields: object | null; would_fire: boolean | null; why: string } };
  details?: { field: string; code: string }[];
  code?: string;
}

const pages: Record<string, { type: string; body: string }> = {
  "/api": { type: "application/json", body: '{"items":[{"id":7,"price":10.0}],"now":1}' },
  "/plain": { type: "text/html", body: '{"price":104}' },
  "/lib.csproj": {
    type: "application/octet-stream",
    body: '<Project xmlns="urn:m"><PropertyGroup><Version>1.2.3</Version></PropertyGroup></Project>',
  },
  "/feed": {
    type: "application/rss+xml",
    body: "<rss version='2.0'><channel><title>F</title><item><guid>a</guid><title>One</title></item></channel></rss>",
  },
};
let site: Site;
let magpie: Magpie;

beforeAll(async () => {
  site = await startSite(({ url = "" }, response) => {
    const page = pages[url];
    response.writeHead(page ? 200 : 404, { "content-type": page?.type ?? "text/plain" }).end(page?.body);
  });
  magpie = await startMagpie(watchOverrides(watchIntervalMs), config =>
    [...new Set(watchServices)].map(service => service(config)),
  );
});
afterAll(async () => {
  await magpie.stop();
  await site.close();
});

const post = (path: string, sid: string, options: object) =>
  magpie.request("POST", `/track/web${path}`, { body: { sid: `${site.url}${sid}`, options } });

test.each([
  ["/api", { extract: { json_path: ["$.items"] } }, { "items[id=7].id": 7, "items[id=7].price": 10 }],
  ["/plain", { extract: { json_path: ["$.price"] } }, { price: 104 }],
  ["/lib.csproj", { extract: { xpath: ["//Version"] } }, { "/Project/PropertyGroup/Version": "1.2.3" }],
  ["/feed", { extract: { xpath: ["//item/title"] } }, { "/rss/channel/item[guid=a]/title": "One" }],
  [
    "/api",
    { json: { schema: { type: "object", properties: { price: { type: "number" } } } } },
    { price: 10 },
  ],
  ["/api", { json: { schema: { type: "object", properties: { now: { type: "number" } } } } }, { now: 1 }],
])("%s by %j shows %j", async (path, options, fields) => {
  const reply = await post("/preview", path, options);
  expect([reply.status, reply.json<Reply>().data.view.fields]).toEqual([200, fields]);
});

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

test("a watch of an API tells changed values by their paths, and nothing of their spelling or of a lost document", async () => {
  const tracked = await post("", "/api", { extract: { json_path: ["$.items"] } });
  expect(tracked.status).toBe(201);
  const { id } = tracked.json<Reply>().data;
  const shows = async (body: string) => {
    pages["/api"] = { type: "application/json", body };
    await poll(id);
  };
  const changes = async () => {
    type Listed = { data: { type: string; data: { change: { fields: object } } }[] };
    const { data } = (await magpie.request("GET", "/events?types=web.page.changed")).json<Listed>();
    return data.map(event => event.data.change?.fields);
  };
  const problem = async () => {
    const { data } = (await magpie.request("GET", "/track")).json<{ data: { problem: string }[] }>();
    return data[0]?.problem;
  };
  await shows('{"now":2, "items":[{"price":1e1,"id":7}]}');
  await shows("Down for maintenance. We are back soon.");
  expect(await problem()).toContain("no JSON");
  await shows('{"items":[{"id":9,"price":5},{"id":7,"price":12}]}');
  const fields = {
    "items[id=7].price": { from: 10, to: 12 },
    "items[id=9].id": { from: null, to: 9 },
    "items[id=9].price": { from: null, to: 5 },
  };
  await until("an event", async () => (await changes()).length > 0);
  expect([await changes(), await problem()]).toEqual([[fields], null]);
});

test("a path that finds nothing is told as a selection is", async () => {
  const reply = await post("", "/api", { extract: { json_path: ["$.none"] } });
  expect([reply.status, reply.json<Reply>().code]).toEqual([422, "element_not_found"]);
  expect(reply.text).toContain("$.none");
});

test.each([
  [{ extract: { json_path: ["price"] } }, "options.extract.json_path.0"],
  [{ extract: { xpath: ["//["] } }, "options.extract.xpath.0"],
  [{ extract: { jq: ".a" } }, "options.extract.jq"],
  [{ extract: { json_path: ["$"] }, render: "always" }, "options.render"],
])("%j is refused and names %s", async (options, field) => {
  const reply = await post("/preview", "/api", options);
  expect([reply.status, reply.json<Reply>().details?.[0]?.field]).toEqual([400, field]);
});
