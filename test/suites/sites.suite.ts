import type { SitePages } from "../../mixins/site-pages/site-pages.ts";
import { together } from "../support/edited-site/edits.ts";
import { judgeEvents, type SiteEvent } from "../support/edited-site/judge-events.ts";
import { type EditedSite, startEditedSite } from "../support/edited-site.ts";
import { freshKey, type Installation, localService, trackerOf } from "../support/installation.ts";
import { until } from "../support/until.ts";

/** Rounds begin when they are asked for, so that the shortest interval has to be a minute or so. */
export function sitesSuite(worldOf: () => Installation): void {
  let site: EditedSite;
  let key: string;

  beforeAll(async () => {
    key = await freshKey(worldOf(), "first");
  });
  beforeEach(async () => {
    site = await startEditedSite({ seed: 7, pages: 40 });
  });
  afterEach(() => site.close());

  async function track(options: Record<string, unknown> = {}, by = key): Promise<string> {
    const body = { sid: site.url, options };
    const reply = await worldOf().magpie.request("POST", "/track/site", { body, key: by });
    expect(reply).toMatchObject({ status: 201 });
    return reply.json<{ data: { id: string } }>().data.id;
  }

  async function events(source: string): Promise<SiteEvent[]> {
    const reply = await worldOf().magpie.request("GET", "/events?limit=100", { key });
    const all = reply.json<{ data: (SiteEvent & { data: { source: { id: string } } })[] }>().data;
    return all.filter(({ data }) => data.source.id === source);
  }

  /** Begins a round, and waits until all that is due was visited and told. */
  async function check(id: string): Promise<void> {
    const { context, pollScheduler } = trackerOf(worldOf());
    const at = Date.now();
    await until(
      "the source is at rest",
      async () => (await context.sources.findById(id))?.lease === undefined,
    );
    await context.sources.update(id, { $set: { dueAt: at - 1, askedAt: at } });
    pollScheduler.wake();
    await until("the round has ended", () => isAtRest(id, at));
  }

  /** Begins a round of several views in one moment, and waits until all have ended. */
  async function checkTogether(ids: string[]): Promise<void> {
    const { context, pollScheduler } = trackerOf(worldOf());
    const at = Date.now();
    await context.sources.updateMany({ _id: { $in: ids } }, { $set: { dueAt: at - 1, askedAt: at } });
    pollScheduler.wake();
    for (const id of ids) await until("the round has ended", () => isAtRest(id, at));
  }

  async function isAtRest(id: string, since: number): Promise<boolean> {
    const source = await trackerOf(worldOf()).context.sources.findById(id);
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

  test("what is gone is told after a second visit, and what rotates everywhere is no event of a page", async () => {
    await site.close();
    site = await startEditedSite({ seed: 8, pages: 30, footer: "rotating", sitemaps: "none" });
    const id = await track({ checks: true });
    await until("the baseline has ended", () => isAtRest(id, 0));
    const edited = site.edit(2, { edits: 3, added: 0, gone: 2, moves: 0 });
    await check(id);
    const pages = async () => (await events(id)).filter(({ type }) => type.startsWith("site.page."));
    await until("all is told", async () => (await pages()).length >= 5);
    expect(judgeEvents(site, await pages(), edited)).toEqual([]);
    await until("the round is told", async () =>
      (await events(id)).some(
        ({ type, data }) => type === "site.checked" && Object(Object(data).check).removed === 2,
      ),
    );
  });

  test("two keys with other options cost one visit of each page, and pages go with the last key", async () => {
    const other = await freshKey(worldOf(), "second");
    const [first, second] = [await track(), await track({ remove: [".banner"] }, other)];
    for (const id of [first, second]) await until("the baseline has ended", () => isAtRest(id, 0));
    expect(first).not.toBe(second);
    const visits: number[][] = [];
    // Two processes that do not meet in time, as on a busy machine, poll alone.
    while (visits.length < 3 && visits.at(-1)?.length !== 0) {
      site.resetTraffic();
      await checkTogether([first, second]);
      expect(site.asked.size).toBe(40);
      visits.push([...site.asked.values()].filter(count => count > 1));
    }
    expect(visits.at(-1)).toEqual([]);
    const { sitePages } = localService<{ sitePages: SitePages }>(worldOf(), "connectors");
    expect((await sitePages.counts(second)).pages).toBe(40);
    const gone = await worldOf().magpie.request("DELETE", "/track/site", {
      key: other,
      body: { iid: second },
    });
    expect(gone).toMatchObject({ status: 200 });
    await until("its pages are gone", async () => (await sitePages.counts(second)).pages === 0);
    expect((await sitePages.counts(first)).pages).toBe(40);
  });

  test.each([
    ["/private/page", 403, "forbidden"],
    ["/nothing/here", 404, "not_found"],
  ])("%s cannot be tracked: %p", async (path, status, code) => {
    const reply = await worldOf().magpie.request("POST", "/track/site", {
      key,
      body: { sid: site.at(path) },
    });
    expect(reply).toMatchObject({ status });
    expect(reply.text).toContain(code);
  });
}
