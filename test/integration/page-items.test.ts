import {
  type WatchTracker,
  watchIntervalMs,
  watchOverrides,
  watchServices,
} from "../suites/watches.suite.ts";
import { type Site, startSite } from "../support/http-site.ts";
import { type Magpie, startMagpie } from "../support/magpie.ts";
import { pollNow } from "../support/poll-now.ts";
import { until } from "../support/until.ts";

interface ItemEvent {
  id: string;
  type: string;
  data: { version?: string; item: Record<string, string> };
}

interface Refused {
  details?: { field: string; code: string }[];
}

interface Job {
  id: number;
  title: string;
  place?: string;
}

const filler = "A page with words enough to be read as it was sent. ".repeat(6);
const cook: Job = { id: 1, title: "Ship's cook" };
const pilot: Job = { id: 2, title: "Harbour pilot" };
const clerk: Job = { id: 3, title: "Clerk for the customs" };
const smith: Job = { id: 4, title: "Smith at the wharf" };

let jobs: Job[];
let views = 0;
let site: Site;
let magpie: Magpie;
let tracker: WatchTracker;

beforeAll(async () => {
  site = await startSite((_, response) =>
    response.writeHead(200, { "content-type": "text/html" }).end(page()),
  );
  magpie = await startMagpie(watchOverrides(watchIntervalMs), config =>
    [...new Set(watchServices)].map(service => service(config)),
  );
  tracker = magpie.broker.getLocalService("tracker") as WatchTracker;
});
afterAll(async () => {
  await magpie.stop();
  await site.close();
});
beforeEach(() => {
  jobs = [cook, pilot, clerk];
});

function page(): string {
  views += 1;
  const rows = jobs.map(
    ({ id, title, place = "Trieste" }) =>
      `<tr><td><a href="jobs/${id}?utm_source=list"><img src="/i/${id}.png" width="80">${title}</a></td><td>${place}</td><td>${id}.02.2026</td><td>${views} views</td></tr>`,
  );
  return `<!doctype html><html lang="de"><title>Jobs</title><nav><ul><li><a href="/">Home</a><li><a href="/a">About</a><li><a href="/n">News</a></ul></nav>
    <main><h1>Jobs</h1><p>${filler}</p><table class="jobs"><thead><tr><th>Job</th><th>Place</th><th>Since</th><th></th></tr></thead><tbody>${rows.join("")}</tbody></table></main></html>`;
}

let made = 0;

/** A list of its own, tracked by a key of its own. */
async function tracked(options: object) {
  made += 1;
  const body = { owner: `p${made}`, name: "n" };
  const { key } = (await magpie.request("POST", "/internal/keys", { admin: true, body })).json<{
    data: { key: string };
  }>().data;
  const sid = `${site.url}/${made}/`;
  const reply = await magpie.request("POST", "/track/web", { key, body: { sid, options } });
  expect([reply.status, reply.text]).toEqual([201, expect.stringContaining('"data"')]);
  const { id } = reply.json<{ data: { id: string } }>().data;
  const events = async () =>
    (await magpie.request("GET", "/events", { key })).json<{ data: ItemEvent[] }>().data;
  const titles = async () => (await events()).map(({ data }) => data.item.title);
  return { id, key, sid, events, titles, poll: () => pollNow(tracker, id) };
}

test("each new entry of a list is an event, and no other order, counter or return is", async () => {
  const list = await tracked({ items: "auto" });
  expect(await list.events()).toEqual([]);
  jobs = [smith, cook, pilot, clerk];
  await list.poll();
  await until("it is told", async () => (await list.events()).length > 0);
  const [event, ...others] = await list.events();
  expect(others).toEqual([]);
  expect(event).toMatchObject({
    type: "web.item.created",
    data: {
      version: expect.any(String),
      item: {
        id: `${site.url}/${made}/jobs/4`,
        url: `${site.url}/${made}/jobs/4?utm_source=list`,
        title: smith.title,
        image: `${site.url}/i/4.png`,
        date_published: "2026-02-04T00:00:00.000Z",
      },
    },
  });
  expect(event?.data.item.content_text).toContain("Trieste");
  for (const next of [[clerk, pilot, smith, cook], [cook], [cook, smith, pilot, clerk]]) {
    jobs = next;
    await list.poll();
  }
  const checks = await tracker.context.history.checks(list.id, { limit: 9 });
  expect(checks.map(({ outcome }) => outcome)).toContain("changed");
  expect((await list.events()).length).toBe(1);
});

test("conditions judge each entry by itself", async () => {
  const list = await tracked({ items: "table.jobs tbody tr", when: { contains: ["Vienna"] } });
  jobs = [{ ...smith, place: "Vienna" }, { id: 9, title: "Guard of the tower" }, cook];
  await list.poll();
  await until("one is told", async () => (await list.titles()).length > 0);
  expect(await list.titles()).toEqual([smith.title]);
});

test("a list that is empty is a failed check, and what was known is known afterwards", async () => {
  const list = await tracked({ items: "tbody tr" });
  jobs = [];
  await list.poll();
  const [row] = (await magpie.request("GET", "/track", { key: list.key })).json<{
    data: { problem: unknown }[];
  }>().data;
  expect(JSON.stringify(row?.problem)).toContain("tbody tr");
  jobs = [cook, pilot, clerk, smith];
  await list.poll();
  await until("the new one is told", async () => (await list.titles()).includes(smith.title));
  expect((await list.titles()).filter(Boolean)).toEqual([smith.title]);
});

test("the preview says how many entries there are, which, and the selector that finds them", async () => {
  const body = { sid: `${site.url}/preview/`, options: { items: true } };
  const reply = await magpie.request("POST", "/track/web/preview", { body });
  expect(reply.json()).toMatchObject({
    message: "This is what would be watched. 3 entries are found by `tbody > tr`.",
    data: {
      items: [cook, pilot, clerk].map(({ id, title }) => ({
        title,
        url: `${site.url}/preview/jobs/${id}?utm_source=list`,
        published_at: `2026-02-0${id}T00:00:00.000Z`,
      })),
      view: { list: { selector: "tbody > tr", count: 3 }, would_fire: null },
    },
  });
});

test.each(["before", "after"])(
  "where the log fails %s it has written an entry, that is told once, though it has left the page",
  async when => {
    const list = await tracked({ items: "tbody tr" });
    const { log } = tracker.context;
    const append = log.append.bind(log);
    jobs = [smith, cook, pilot, clerk];
    let failures = 0;
    log.append = async (...entries) => {
      if (when === "after") await append(...entries);
      failures += 1;
      throw new Error("The log fails.");
    };
    await list.poll().finally(() => {
      log.append = append;
    });
    expect(failures).toBe(1);
    jobs = [cook, pilot, clerk];
    await list.poll();
    await until("it is told", async () => (await list.events()).length > 0);
    jobs = [smith, cook, pilot, clerk];
    await list.poll();
    expect(await list.titles()).toEqual([smith.title]);
  },
);

test.each<[object, string, string]>([
  [{ items: "li[" }, "options.items", "invalid_selector"],
  [{ items: "li", json: { schema: { type: "object" } } }, "options.json", "not_applicable"],
  [{ items: "li", unique_lines: true }, "options.unique_lines", "not_applicable"],
  [{ items: "li", when: { removed_only: true } }, "options.when.removed_only", "not_applicable"],
  [{ items: "li", screenshot: true }, "options.screenshot", "contradiction"],
])("%j is refused and names %s", async (options, field, code) => {
  const reply = await magpie.request("POST", "/track/web/preview", {
    body: { sid: `${site.url}/`, options },
  });
  expect([reply.status, reply.json<Refused>().details?.[0]]).toEqual([
    400,
    expect.objectContaining({ field, code }),
  ]);
});

test("a selector that finds no entry is refused when it is tracked, and sites and feeds have no entries", async () => {
  const ask = (kind: string, items: string) =>
    magpie.request("POST", `/track/${kind}`, { body: { sid: `${site.url}/none/`, options: { items } } });
  const replies = await Promise.all([ask("web", ".nothing"), ask("site", ".x"), ask("rss", ".x")]);
  expect(replies.map(({ status }) => status)).toEqual([422, 400, 400]);
});
