import type { Config } from "../../mixins/config/config.ts";
import { historyService } from "../../services/history/history.service.ts";
import { type WatchTracker, watchOverrides, watchServices } from "../suites/watches.suite.ts";
import { type EditedSite, startEditedSite } from "../support/edited-site.ts";
import { type Magpie, startMagpie } from "../support/magpie.ts";
import { until } from "../support/until.ts";

/* How a site is tracked may change, and what is known of its pages stays. */

let magpie: Magpie;
let site: EditedSite;

beforeAll(async () => {
  const services = (config: Config) =>
    [...new Set([...watchServices, historyService])].map(service => service(config));
  magpie = await startMagpie(watchOverrides(60_000), services);
  site = await startEditedSite({ seed: 11, pages: 20 });
});
afterAll(async () => {
  await site?.close();
  await magpie?.stop();
});

interface Detail {
  id: string;
  options?: Record<string, unknown>;
  site: { pages: number; states: { there: number; new: number }; baseline: boolean };
}

const tracker = () => magpie.broker.getLocalService("tracker") as unknown as WatchTracker;

async function detail(id: string): Promise<Detail> {
  return (await magpie.request("GET", `/sources/${id}`)).json<{ data: Detail }>().data;
}

async function change(id: string, options: object): Promise<string> {
  const reply = await magpie.request("PATCH", "/track/site", { body: { iid: id, options } });
  expect(reply).toMatchObject({ status: 200 });
  return reply.json<{ data: { id: string } }>().data.id;
}

async function eventTypes(id: string): Promise<string[]> {
  const reply = await magpie.request("GET", "/events?limit=100");
  const { data } = reply.json<{ data: { type: string; data: { source: { id: string } } }[] }>();
  return data.filter(event => event.data.source.id === id).map(({ type }) => type);
}

/** The source as it is stored; its polls are watched by that. */
const stored = async (id: string) => {
  const source = await tracker().context.sources.findById(id);
  if (!source) throw new Error("The source is gone.");
  return source;
};

test("the pages of a site stay when it is paused, asked for and resumed", async () => {
  const reply = await magpie.request("POST", "/track/site", { body: { sid: site.url } });
  const { id } = reply.json<{ data: { id: string } }>().data;
  await until("the baseline has ended", async () => !(await detail(id)).site.baseline);
  await until("the step has ended", async () => (await stored(id)).lease === undefined);
  const { site: known } = await detail(id);
  expect(known).toMatchObject({ pages: known.states.there, states: { new: 0 } });
  expect(known.pages).toBeGreaterThanOrEqual(20);

  expect(await change(id, { paused: true, interval: "6h", tags: ["docs"] })).toBe(id);
  expect(await detail(id)).toMatchObject({
    options: { paused: true, interval: "6h", tags: ["docs"] },
    site: { pages: known.pages, baseline: false },
  });
  const monthMs = 29 * 86_400_000;
  expect((await stored(id)).dueAt - Date.now()).toBeGreaterThan(monthMs);

  site.edit(1, { edits: 2, added: 1, gone: 0, moves: 0 });
  const at = Date.now();
  await tracker().context.sources.update(id, { $set: { dueAt: at - 1, askedAt: at } });
  tracker().pollScheduler.wake();
  await until("all that changed is told", async () => (await eventTypes(id)).length === 3);
  // It goes on until the round has ended, and is paused again then.
  await until("it rests", async () => {
    const { lease, asked, dueAt } = await stored(id);
    return lease === undefined && !asked && dueAt - Date.now() > monthMs;
  });
  expect((await eventTypes(id)).toSorted()).toEqual([
    "site.page.added",
    "site.page.changed",
    "site.page.changed",
  ]);
  expect(await change(id, { paused: null })).toBe(id);
});

test("a preview shows pages that would be watched, and many are tracked with one request", async () => {
  const preview = await magpie.request("POST", "/track/site/preview", { body: { sid: site.url } });
  expect(preview).toMatchObject({ status: 200 });
  const { data } = preview.json<{ data: { source: string; url: string; items: { url: string }[] } }>();
  expect(data).toMatchObject({ source: "SITE", url: site.url });
  expect(data.items).toHaveLength(10);
  const refused = { sid: site.url, options: { include: ["/(/"] } };
  const wrong = await magpie.request("POST", "/track/site/preview", { body: refused });
  expect(wrong.json()).toMatchObject({ details: [{ field: "options.include.0" }] });
  const items = [{ source: "site", sid: data.items[0]?.url, options: { content: "main" } }];
  const batch = await magpie.request("POST", "/track/batch", { body: { items } });
  expect([200, 202]).toContain(batch.status);
  await until("the site is tracked", async () =>
    (await magpie.request("GET", "/track?source=site")).text.includes('"content":"main"'),
  );
});

test("other pages, or another key, make it another site", async () => {
  const body = { sid: site.url, options: { exclude: ["/nothing/**"] } };
  const reply = await magpie.request("POST", "/track/site", { body });
  const { id } = reply.json<{ data: { id: string } }>().data;
  expect(await change(id, { interval: "2h" })).toBe(id);
  const other = await change(id, { exclude: ["/other/**"] });
  expect(other).not.toBe(id);
  const made = await magpie.request("POST", "/internal/keys", {
    admin: true,
    body: { owner: "ann", name: "n" },
  });
  const { key } = made.json<{ data: { key: string } }>().data;
  const shared = { sid: site.url, options: { exclude: ["/other/**"], interval: "2h" } };
  const theirs = await magpie.request("POST", "/track/site", { body: shared, key });
  expect(theirs.json()).toMatchObject({ data: { id: other } });
  expect(await change(other, { interval: "3h" })).not.toBe(other);
});
