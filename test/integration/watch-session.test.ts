import { jest } from "@jest/globals";
import {
  type WatchTracker,
  watchIntervalMs,
  watchOverrides,
  watchServices,
} from "../suites/watches.suite.ts";
import { type LoginSite, loginWith, ordersOf, startLoginSite } from "../support/login-site.ts";
import { type Magpie, startMagpie } from "../support/magpie.ts";
import { until } from "../support/until.ts";

const [minute, hour] = [60_000, 3_600_000];
const password = "correct horse";
const { now: realNow } = Date;
let offset = 0;
let site: LoginSite;
let magpie: Magpie;

beforeAll(async () => {
  jest.spyOn(Date, "now").mockImplementation(() => realNow() + offset);
  site = await startLoginSite(password);
  magpie = await startMagpie(watchOverrides(watchIntervalMs), config =>
    [...new Set(watchServices)].map(service => service(config)),
  );
});
afterAll(async () => {
  await magpie?.stop();
  await site?.close();
  jest.restoreAllMocks();
});

interface Row {
  id: string;
  problem: string | null;
  options: object;
}

const tracker = () => magpie.broker.getLocalService("tracker") as unknown as WatchTracker;

async function poll(id: string): Promise<void> {
  const began = Date.now();
  const { context, pollScheduler } = tracker();
  const { sources } = context;
  await sources.updateMany({ _id: id }, { $set: { dueAt: began - 1, polledAt: began - minute } });
  pollScheduler.wake();
  await until("it was polled", async () => {
    const found = await sources.findById(id);
    return found !== null && found.polledAt >= began && found.lease === undefined;
  });
}

const row = async () => (await magpie.request("GET", "/track")).json<{ data: Row[] }>().data[0];
const events = async () =>
  (await magpie.request("GET", "/events?type=web.page.changed")).json<{
    data: { data: { change: { added: string[] } } }[];
  }>().data;
const signIn = async () => {
  const session = { name: "shop", login: loginWith(password) };
  const body = { url: `${site.url}/orders`, session, timeout: 60_000 };
  expect((await magpie.request("POST", "/web/scrape", { body })).status).toBe(200);
};
const track = (key?: string) =>
  magpie.request("POST", "/track/web", {
    body: { sid: `${site.url}/orders`, options: { session: { name: "shop" } } },
    ...(key && { key }),
  });

test("for 48 hours a page is watched whose sessions last one: no false change, and a login an hour at most", async () => {
  await signIn();
  const reply = await track();
  expect(reply.status).toBe(201);
  const { id, options } = reply.json<{ data: Row }>().data;
  expect(options).toEqual({ session: { name: "shop" } });
  const until48h = Date.now() + 48 * hour;
  while (Date.now() < until48h) {
    offset += 50 * minute;
    await poll(id);
    expect((await row())?.problem).toBeNull();
  }
  expect(await events()).toEqual([]);
  expect(site.tries.length).toBeGreaterThan(20);
  const pauses = site.tries.slice(1).map((at, n) => at - (site.tries[n] ?? 0));
  expect(Math.min(...pauses)).toBeGreaterThanOrEqual(hour);
  site.words = ordersOf(2);
  await poll(id);
  await until("the change is told", async () => (await events()).length > 0);
  expect((await events()).map(({ data }) => data.change.added.join())).toEqual([
    expect.stringContaining("You have 2 orders"),
  ]);
}, 900_000);

test("a login form in place of the page is a failed check that says why, and no change", async () => {
  const [session] = (await magpie.request("GET", "/sessions")).json<{ data: { id: string }[] }>().data;
  await magpie.request("DELETE", `/sessions/${session?.id}`);
  const { id = "" } = (await row()) ?? {};
  const { length } = site.tries;
  await poll(id);
  expect((await row())?.problem).toContain("This session has no login.");
  expect(site.tries.length).toBe(length);
  await signIn();
  await poll(id);
  expect((await row())?.problem).toBeNull();
  expect((await events()).length).toBe(1);
});

test("another key has nothing of it by the same name", async () => {
  const body = { owner: "bo", name: "n" };
  const made = await magpie.request("POST", "/internal/keys", { admin: true, body });
  const { key } = made.json<{ data: { key: string } }>().data;
  const { length } = site.tries;
  const reply = await track(key);
  expect([reply.status, reply.json<{ code: string }>().code]).toEqual([502, "target_blocked"]);
  expect(site.tries.length).toBe(length);
});

describe("what a browser keeps of a page is shown to no watch of another key", () => {
  let key: string;
  beforeAll(async () => {
    const body = { owner: "cy", name: "n" };
    const made = await magpie.request("POST", "/internal/keys", { admin: true, body });
    ({ key } = made.json<{ data: { key: string } }>().data);
  });
  const seen = async (path: string, options: object, by?: string) => {
    const reply = await magpie.request("POST", "/track/web/preview", {
      body: { sid: site.url + path, options: { render: "always", wait_for: { ms: 500 }, ...options } },
      ...(by && { key: by }),
    });
    return reply.json<{ data: { view: { text: string } } }>().data.view.text;
  };

  test("where it was read in a session", async () => {
    await signIn();
    expect(await seen("/mine", { session: { name: "shop" } })).toContain("Ada's orders");
    expect(await seen("/mine", {}, key)).toContain("Nobody's orders");
  });

  test("where own cookies or headers were sent to it", async () => {
    expect(await seen("/mine?cookies", { cookies: { member: "ada" } })).toContain("Ada's orders");
    expect(await seen("/mine?cookies", {}, key)).toContain("Nobody's orders");
    expect(await seen("/mine?headers", { headers: { cookie: "member=ada" } })).toContain("Ada's orders");
    expect(await seen("/mine?headers", {}, key)).toContain("Nobody's orders");
  });
});

test.each([
  ["/track/web", { name: "a b" }, "options.session.name"],
  ["/track/web", { name: "a", login: {} }, "options.session.login"],
  ["/track/site", { name: "a" }, "options.session"],
])("%s with %j is refused and names %s", async (path, session, field) => {
  const reply = await magpie.request("POST", path, { body: { sid: `${site.url}/`, options: { session } } });
  expect([reply.status, reply.json<{ details: { field: string }[] }>().details[0]?.field]).toEqual([
    400,
    field,
  ]);
});
