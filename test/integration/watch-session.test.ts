import { jest } from "@jest/globals";
import {
  type WatchTracker,
  watchIntervalMs,
  watchOverrides,
  watchServices,
} from "../suites/watches.suite.ts";
import { type LoginSite, loginWith, ordersOf, seed, startLoginSite } from "../support/login-site.ts";
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

interface Pointed {
  outline: { text: string }[];
  picture: { boxes: { selector: string }[] } | null;
}

const row = async () => (await magpie.request("GET", "/track")).json<{ data: Row[] }>().data[0];
const events = async () =>
  (await magpie.request("GET", "/events?type=web.page.changed")).json<{
    data: { data: { change: { added: string[]; screenshot?: Record<string, string> } } }[];
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

test("a signed-in page is pointed at on its picture", async () => {
  const options = { session: { name: "shop" }, select: ["h1"] };
  const body = { sid: `${site.url}/orders`, options, with_picture: true };
  const reply = await magpie.request("POST", "/track/web/preview", { body });
  const { outline, picture } = reply.json<{ data: Pointed }>().data;
  expect(outline.map(({ text }) => text).join()).toContain("You have 2 orders");
  expect(picture?.boxes.map(({ selector }) => selector)).toContain("h1");
});

test("pictures of a change are those of the signed-in page", async () => {
  const sid = `${site.url}/orders/pictured`;
  const body = { sid, options: { session: { name: "shop" }, screenshot: true } };
  const reply = await magpie.request("POST", "/track/web", { body });
  const { id } = reply.json<{ data: Row }>().data;
  await poll(id);
  site.words = ordersOf(3);
  await poll(id);
  const pictured = async () => (await events()).find(({ data }) => data.change.screenshot);
  await until("the change is told", async () => (await pictured()) !== undefined);
  const { before, after, difference } = (await pictured())?.data.change.screenshot ?? {};
  for (const key of [before, after, difference])
    expect((await magpie.request("GET", `/web/screenshot/${key}`)).status).toBe(200);
  expect((await magpie.request("DELETE", "/track/web", { body: { iid: id } })).status).toBe(200);
});

test("a site is watched in a session: its pages are those of who is signed in", async () => {
  const options = { session: { name: "shop" }, sitemaps: false, limit: 2 };
  const body = { sid: `${site.url}/orders/steady/`, options };
  const reply = await magpie.request("POST", "/track/site", { body });
  expect(reply.status).toBe(201);
  const { id } = reply.json<{ data: Row }>().data;
  const { length } = site.tries;
  const read = () => site.hits.filter(({ url }) => url === "/orders/steady/2");
  await until("the page that the entry leads to is read", async () => {
    await poll(id);
    return read().length > 0;
  });
  for (const { headers } of read()) expect(headers.cookie).toContain("sid=");
  expect([site.tries.length, (await row())?.problem]).toEqual([length, null]);
  expect((await magpie.request("DELETE", "/track/site", { body: { iid: id } })).status).toBe(200);
});

describe("a watch that brings its login", () => {
  const session = { name: "own", login: loginWith(password) };
  const sid = () => `${site.url}/orders/2`;
  const post = (path: string, body: object) => magpie.request("POST", path, { body });
  const answers: string[] = [];
  const later = () => {
    site.tries = [];
    offset += 2 * hour;
  };

  // The watch above is polled when the clock moves, and signs in then.
  beforeAll(async () => {
    const reply = await magpie.request("DELETE", "/track/web", { body: { iid: (await row())?.id } });
    expect(reply.status).toBe(200);
  });

  test("signs in, and is shown with the name of the session", async () => {
    later();
    const preview = await post("/track/web/preview", { sid: sid(), options: { session } });
    expect([preview.status, site.tries.length]).toEqual([200, 1]);
    const reply = await post("/track/web", { sid: sid(), options: { session } });
    expect([reply.status, site.tries.length]).toEqual([201, 1]);
    const { id, options } = reply.json<{ data: Row }>().data;
    expect(options).toEqual({ session: { name: "own" } });
    const other = { name: "changed", login: loginWith(password) };
    const changed = await magpie.request("PATCH", "/track/web", {
      body: { iid: id, options: { session: other } },
    });
    expect([changed.status, changed.json<{ data: Row }>().data.options]).toEqual([
      200,
      { session: { name: "changed" } },
    ]);
    expect(site.tries.length).toBe(2);
    answers.push(preview.text, reply.text, changed.text);
    // Another view is another source.
    const iid = changed.json<{ data: Row }>().data.id;
    expect((await magpie.request("DELETE", "/track/web", { body: { iid } })).status).toBe(200);
  });

  test("is an entry of a batch, or a target of a monitor", async () => {
    later();
    const items = [3, 4].map(n => ({ source: "web", sid: `${site.url}/orders/${n}`, options: { session } }));
    const batch = await post("/track/batch", { items });
    await until("the batch has ended", async () => {
      const { id } = batch.json<{ data: { id: string } }>().data;
      const found = await magpie.request("GET", `/track-batches/${id}`);
      answers.push(found.text);
      return found.json<{ data: { progress: { tracked: number } } }>().data.progress.tracked === 2;
    });
    expect(site.tries.length).toBe(1);
    const monitor = await post("/monitors", {
      name: "Orders",
      schedule: { cron: "0 9 * * *" },
      targets: [{ source: "web", sids: [sid()], options: { session } }],
    });
    expect(monitor.status).toBe(201);
    const shown = monitor.json<{ data: { targets: { options: object }[] } }>().data.targets[0]?.options;
    expect(shown).toEqual({ session: { name: "own" } });
    answers.push(monitor.text);
  });

  test("keeps it with the session alone, sealed", async () => {
    const { context } = tracker();
    const stored = await Promise.all(
      [context.sources, context.entries, context.monitors].map(store =>
        (store as { find(options: object): Promise<object[]> }).find({ query: {} }),
      ),
    );
    const text = answers.join() + JSON.stringify(stored);
    expect(text).toContain("changed");
    for (const secret of [password, seed]) expect(text).not.toContain(secret);
  });
});

const elsewhere = { actions: [{ type: "press", key: "Enter" }], url: "https://other.example/login" };

test.each([
  ["/track/web", { name: "a b" }, "options.session.name"],
  ["/track/web", { name: "a", login: {} }, "options.session.login.actions"],
  ["/track/web", { name: "a", login: elsewhere }, "options.session.login.url"],
  ["/track/web/preview", { name: "a", login: elsewhere }, "options.session.login.url"],
  ["/track/rss", { name: "a" }, "options.session"],
  ["/track/site", { name: "a", login: elsewhere }, "options.session.login.url"],
])("%s with %j is refused and names %s", async (path, session, field) => {
  const reply = await magpie.request("POST", path, { body: { sid: `${site.url}/`, options: { session } } });
  expect([reply.status, reply.json<{ details: { field: string }[] }>().details[0]?.field]).toEqual([
    400,
    field,
  ]);
});
