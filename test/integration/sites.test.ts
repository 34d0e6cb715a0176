import type { Config } from "../../mixins/config/config.ts";
import { type WatchTracker, watchOverrides, watchServices } from "../suites/watches.suite.ts";
import { together } from "../support/edited-site/edits.ts";
import { judgeEvents, type SiteEvent } from "../support/edited-site/judge-events.ts";
import { type EditedSite, startEditedSite } from "../support/edited-site.ts";
import { type Magpie, startMagpie } from "../support/magpie.ts";
import { until } from "../support/until.ts";

let magpie: Magpie;
let site: EditedSite;

/** Rounds begin when they are asked for. */
const pollMinIntervalMs = 60_000;

beforeAll(async () => {
  const services = (config: Config) => [...new Set(watchServices)].map(service => service(config));
  magpie = await startMagpie(watchOverrides(pollMinIntervalMs), services);
});
afterAll(() => magpie.stop());
beforeEach(async () => {
  site = await startEditedSite({ seed: 7, pages: 60 });
});
afterEach(() => site.close());

async function track(options: Record<string, unknown> = {}, key?: string): Promise<string> {
  const body = { sid: site.url, options };
  const reply = await magpie.request("POST", "/track/site", { body, ...(key !== undefined && { key }) });
  expect(reply).toMatchObject({ status: 201 });
  return reply.json<{ data: { id: string } }>().data.id;
}

async function events(source: string): Promise<SiteEvent[]> {
  const reply = await magpie.request("GET", "/events?limit=100");
  const all = reply.json<{ data: (SiteEvent & { data: { source: { id: string } } })[] }>().data;
  return all.filter(({ data }) => data.source.id === source);
}

function tracker(): WatchTracker {
  return magpie.broker.getLocalService("tracker") as unknown as WatchTracker;
}

/** Begins a round, and waits until all that is due was visited and told. */
async function check(id: string): Promise<void> {
  const { context, pollScheduler } = tracker();
  const at = Date.now();
  await until("the source is at rest", async () => (await context.sources.findById(id))?.lease === undefined);
  await context.sources.update(id, { $set: { dueAt: at - 1, askedAt: at } });
  pollScheduler.wake();
  await until("the round has ended", () => isAtRest(id, at));
}

async function isAtRest(id: string, since: number): Promise<boolean> {
  const source = await tracker().context.sources.findById(id);
  return (
    source !== null &&
    source.lease === undefined &&
    source.polledAt >= since &&
    source.dueAt > Date.now() + 5000
  );
}

test("what has changed on a site is told once, each page for itself", async () => {
  const id = await track();
  await until("the baseline has ended", () => isAtRest(id, 0));
  expect(await events(id)).toEqual([]);
  const edited = site.edit(1, { edits: 6, added: 1, gone: 0, moves: 1 });
  await check(id);
  expect(judgeEvents(site, await events(id), edited)).toEqual([]);
  const banner = site.setBanner("We move on 1 May: read more.");
  await check(id);
  expect(judgeEvents(site, await events(id), together(edited, banner))).toEqual([]);
});
