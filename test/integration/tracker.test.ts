import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Context, type Service, ServiceBroker, type ServiceSchema } from "moleculer";
import { forgetMissingKeys } from "../../mixins/clients/existing-keys.ts";
import { openEmbeddedLeases } from "../../mixins/coordination/leases/embedded.leases.ts";
import type { OpenLeases } from "../../mixins/coordination/leases/lease.ts";
import { logMixin, type WithLog } from "../../mixins/event-log/event-log.mixin.ts";
import type { EventLog, NewEvent } from "../../mixins/event-log/event-log.ts";
import { historyMixin, type WithHistory } from "../../mixins/history/history.mixin.ts";
import { closeDatabase, openDatabase } from "../../mixins/store/sqlite/database.ts";
import { storeMixin, type WithStore } from "../../mixins/store/store.mixin.ts";
import { type Action, actions, call, handle } from "../../services/contracts/action.ts";
import { type Caller, type CallMeta, defaultLimits } from "../../services/contracts/caller.ts";
import { codeOf } from "../../services/contracts/errors.ts";
import { keyDeleted, type SourcesRetagged, sourcesRetagged } from "../../services/contracts/events.ts";
import { existingKeys, keysWithUses } from "../../services/contracts/keys.contract.ts";
import type { SourceKind } from "../../services/contracts/source.ts";
import { removeSource, sourcesOfTags } from "../../services/contracts/source-lists.contract.ts";
import * as contract from "../../services/contracts/tracker.contract.ts";
import { platformsThrough } from "../../services/tracker/connectors.ts";
import { openContext, type TrackerContext } from "../../services/tracker/context.ts";
import { reapDeadSessions } from "../../services/tracker/maintenance/dead-sessions.ts";
import { maintain } from "../../services/tracker/maintenance/maintenance.ts";
import { Pruning } from "../../services/tracker/maintenance/retention.ts";
import { WorkerSession } from "../../services/tracker/maintenance/worker-session.ts";
import { leaseDueSources, leaseMs, nextDueAt } from "../../services/tracker/polling/due-sources.ts";
import { type StoredSource, storeOptions } from "../../services/tracker/sources.store.ts";
import { trackerService } from "../../services/tracker/tracker.service.ts";
import { track as trackIn } from "../../services/tracker/tracking/track.ts";
import { forgetKey, untrack as untrackIn } from "../../services/tracker/tracking/untrack.ts";
import { Upstream, upstreamService } from "../fakes/upstream.ts";
import { removeFolder } from "../support/folders.ts";
import { pollOne } from "../support/poll-one.ts";
import { retention } from "../support/retention.ts";
import { trackerPorts } from "../support/tracker-ports.ts";
import { until } from "../support/until.ts";

const minute = 60_000;
const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const caller = (keyId: string, trackedSources = 1000): Caller => ({
  keyId,
  owner: "ann",
  limits: { ...defaultLimits, trackedSources },
});
const feed = (n: number | string) => `https://host-${n}.example/feed`;

let dataDir: string;
let upstream: Upstream;
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), "magpie-tracker-"));
  upstream = new Upstream();
});
afterEach(() => removeFolder(dataDir));

/** No key was deleted. */
const allExist = async (ids: string[]) => ids;

describe("what is tracked, and polls, by a clock of the test", () => {
  let broker: ServiceBroker;
  let log: WithLog["log"];
  let leases: OpenLeases;
  let context: TrackerContext;
  let now: number;
  let faults: string[];
  /** Polls have read their source, and wait for this. */
  let held: Promise<void> | undefined;

  beforeEach(async () => {
    broker = new ServiceBroker({ logger: false });
    const service = broker.createService({
      name: "tracker",
      mixins: [storeMixin({ dataDir }, storeOptions), logMixin({ dataDir }), historyMixin({ dataDir })],
    }) as Service & WithStore<StoredSource> & WithLog & WithHistory;
    await broker.start();
    now = Date.parse("2026-01-01T00:00:00.000Z");
    faults = [];
    held = undefined;
    log = service.log;
    leases = openEmbeddedLeases(dataDir);
    const leaseTokens = new WorkerSession(service.store.collection("worker_sessions"), leases);
    await leaseTokens.start();
    context = openContext(service.store, {
      leases,
      leaseTokens,
      closing: new AbortController().signal,
      log: service.log,
      history: service.history,
      minIntervalMs: minute,
      ...trackerPorts(async ({ externalId }, state) => {
        const result = upstream.poll(externalId, state);
        await held;
        return result;
      }),
      onConnectorError: (_, error) => faults.push(String(error)),
      now: () => now,
      random: () => 0,
    });
  });
  afterEach(async () => {
    await leases.close();
    await broker.stop();
  });

  const forget = (keyId: string) => forgetKey(context, keyId);
  /** The log's `append`, which shows the events before they are appended. */
  const appending =
    (show: (news: NewEvent[]) => void): EventLog["append"] =>
    async (news, until) => {
      show(news);
      return log.append(news, until);
    };
  const platforms = {
    ...platformsThrough({ call: () => Promise.reject(new Error("No feed needs that")) }),
    resolve: async ({ kind, sid }: { kind: SourceKind; sid: string }) => upstream.resolve(kind, sid),
  };
  const track = async (keyId: string, sid: string, source: SourceKind = "rss", limit?: number) => {
    const outcome = await trackIn(context, caller(keyId, limit), { source, sid }, platforms);
    if (!("isNew" in outcome)) throw new Error(outcome.message);
    return outcome;
  };
  const pollDue = async (max = 100) => {
    const leased = await leaseDueSources(context, max);
    for (const source of leased) await pollOne(context, source);
    return leased.length;
  };
  /** Lets the longest interval pass, so that all sources are due. */
  const later = (ms = 25 * 60 * minute) => {
    now += ms;
    return pollDue();
  };
  const events = async (keyId: string) =>
    (await log.read(keyId, 0, 10_000)).map(({ type, data }) =>
      type === "rss.item.created" ? Number(Object(data.item).n) : type,
    );

  /** What the one source has of its state, and what has a document of its own. */
  const remembered = async () => [
    (await context.sources.findOne({}))?.moved,
    (await context.states.findOne({}))?.state,
  ];

  test("the past is not delivered, what comes then is, once", async () => {
    upstream.publish(feed(1), 5);
    await track("k1", feed(1));
    expect(await pollDue()).toBe(0);
    now += minute;
    expect(await pollDue()).toBe(1);
    expect(await events("k1")).toEqual([]);
    upstream.publish(feed(1), 2);
    await later();
    await later();
    expect(await events("k1")).toEqual([6, 7]);
    const [first] = await log.read("k1", 0, 1);
    expect(first).toMatchObject({
      type: "rss.item.created",
      seq: 1,
      data: {
        item: { n: 6 },
        source: { id: expect.stringMatching(uuid), source: "RSS", externalId: feed(1) },
      },
    });
    expect(Object.keys(first?.data.source ?? {}).sort()).toEqual([
      "externalId",
      "id",
      "name",
      "source",
      "username",
    ]);
  });

  test("one poll per source whatever the number of keys, and each gets every post", async () => {
    const keyIds = Array.from({ length: 30 }, (_, n) => `k${n}`);
    for (const keyId of keyIds) for (const n of [1, 2]) await track(keyId, feed(n));
    expect(upstream.resolved).toEqual([feed(1), feed(2)]);
    for (const n of [1, 2]) upstream.publish(feed(n), 3);
    await later();
    expect(upstream.polled.sort()).toEqual([feed(1), feed(2)]);
    for (const keyId of keyIds) expect((await events(keyId)).sort()).toEqual([1, 1, 2, 2, 3, 3]);
  });

  test("a new subscriber gets nothing of what was published before it came", async () => {
    await track("k1", feed(1));
    now += 10 * minute;
    upstream.publish(feed(1), 2);
    await track("k2", feed(1));
    upstream.publish(feed(1));
    await later();
    expect([await events("k1"), await events("k2")]).toEqual([[1, 2, 3], [3]]);
  });

  test("keys that come while a source is polled get nothing of that poll", async () => {
    await track("k1", feed(1));
    upstream.publish(feed(1), 2);
    now += 10 * minute;
    const { promise, resolve } = Promise.withResolvers<void>();
    held = promise;
    const polled = pollDue();
    await until("the source is read", async () => upstream.polled.length === 1);
    const joining = Promise.all(["k2", "k3", "k4"].map(keyId => track(keyId, feed(1))));
    const again = await track("k1", feed(1));
    expect([again.isNew, await context.subscriptions.count()]).toEqual([false, 1]);
    resolve();
    expect((await joining).map(({ isNew }) => isNew)).toEqual([true, true, true]);
    await polled;
    expect(upstream.polled.length).toBe(1);
    upstream.publish(feed(1));
    await later();
    expect([await events("k1"), await events("k2"), await events("k4")]).toEqual([[1, 2, 3], [3], [3]]);
  });

  test("of many that come at once to a source that fails, one polls it", async () => {
    await track("k0", feed(1));
    upstream.problems.set(feed(1), {});
    for (let n = 0; n < 5; n += 1) await later();
    now += minute;
    const { length } = upstream.polled;
    await Promise.all(Array.from({ length: 10 }, (_, n) => track(`k${n + 1}`, feed(1))));
    expect([upstream.polled.length - length, await context.subscriptions.count()]).toEqual([1, 11]);
  });

  test("a new key gets nothing old of later polls either, where one poll does not bring it all", async () => {
    await track("k1", feed(1));
    upstream.pageSize = 3;
    upstream.publish(feed(1), 14);
    await later();
    now += 1000;
    await track("k2", feed(1));
    upstream.publish(feed(1));
    await later();
    const all = Array.from({ length: 15 }, (_, n) => n + 1);
    expect([await events("k1"), await events("k2")]).toEqual([all, [15]]);
  });

  test("a source that breaks before it has brought it all can be tracked", async () => {
    await track("k1", feed(1));
    upstream.pageSize = 3;
    upstream.publish(feed(1), 5);
    await later();
    upstream.problems.set(feed(1), {});
    await later();
    now += 10 * minute;
    expect((await track("k2", feed(1))).isNew).toBe(true);
  });

  test.each([
    ["it has no turn at its host", { type: "overloaded" }, { type: "overloaded", data: { retry_after: 60 } }],
    [
      "its network is away",
      { type: "connector_unavailable", code: 503, data: { retry_after: 900 } },
      { type: "connector_unavailable", data: { retry_after: 900 } },
    ],
  ])("while %s, whoever is new has to come again, and gets nothing of before", async (_, error, expected) => {
    await track("k1", feed(1));
    now += 10 * minute;
    upstream.publish(feed(1), 2);
    upstream.problems.set(feed(1), Object.assign(new Error("not now"), error));
    await expect(track("k2", feed(1))).rejects.toMatchObject(expected);
    expect([upstream.polled.length, await context.subscriptions.count()]).toEqual([1, 1]);
    upstream.problems.clear();
    await track("k2", feed(1));
    upstream.publish(feed(1));
    await later();
    expect([await events("k1"), await events("k2")]).toEqual([[1, 2, 3], [3]]);
  });

  test("a moment without connectors is waited for", async () => {
    await track("k1", feed(1));
    now += 10 * minute;
    upstream.publish(feed(1), 2);
    upstream.problems.set(feed(1), Object.assign(new Error("none"), { type: "SERVICE_NOT_FOUND" }));
    const joining = track("k2", feed(1));
    await until("the source is asked for", async () => upstream.polled.length === 1);
    upstream.problems.clear();
    expect((await joining).isNew).toBe(true);
    expect([upstream.polled.length, await events("k1"), await events("k2")]).toEqual([2, [1, 2], []]);
  });

  test("a key that comes while many posts are published in slices gets none of them", async () => {
    for (let n = 0; n < 60; n += 1) await track(`k${n}`, feed(1));
    upstream.publish(feed(1), 100);
    now += minute;
    const [leased] = await leaseDueSources(context, 1);
    if (!leased) throw new Error("Nothing was due");
    let joining: Promise<unknown> = Promise.resolve();
    const slices: number[] = [];
    const joined = {
      ...log,
      append: appending(news => {
        if (slices.push(news.length) === 1) joining = track("late", feed(1));
      }),
    };
    await pollOne({ ...context, log: joined }, leased);
    await joining;
    expect([slices.length > 2, (await events("k59")).length, await events("late")]).toEqual([true, 100, []]);
  });

  test("tracking again is the same source; a page with a feed is that feed", async () => {
    const first = await track("k1", "https://a.example/blog", "web");
    const again = await track("k1", "https://a.example/blog/feed");
    expect([first.isNew, again.isNew]).toEqual([true, false]);
    expect(first.data).toEqual({
      id: expect.stringMatching(uuid),
      source: "RSS",
      externalId: "https://a.example/blog/feed",
      username: "a.example",
      name: "Name of a.example",
    });
    expect(again.data).toEqual(first.data);
    const other = await track("k2", "https://a.example/blog/feed");
    expect([other.isNew, other.data.id]).toEqual([true, first.data.id]);
  });

  test("what the connectors refuse is refused, and leaves nothing", async () => {
    await expect(track("k1", "https://unknown.example/")).rejects.toMatchObject({ type: "not_found" });
    expect([await context.sources.count(), await context.subscriptions.count()]).toEqual([0, 0]);
  });

  test("of 40 at once exactly as many as allowed succeed; an end makes room for one", async () => {
    const outcomes = await Promise.allSettled(
      Array.from({ length: 40 }, (_, n) => track("k1", feed(n), "rss", 7)),
    );
    const refused = outcomes.flatMap(each => (each.status === "rejected" ? [codeOf(each.reason)] : []));
    expect(refused).toEqual(Array(33).fill("forbidden"));
    expect([await context.subscriptions.count(), await context.sources.count()]).toEqual([7, 7]);
    const [mine] = await context.sources.find({ limit: 1 });
    expect((await track("k1", String(mine?.externalId), "rss", 7)).isNew).toBe(false);
    await untrackIn(context, caller("k1"), { source: "rss", iid: mine?._id });
    expect((await track("k1", feed("new"), "rss", 7)).isNew).toBe(true);
    await expect(track("k1", feed("more"), "rss", 7)).rejects.toMatchObject({ type: "forbidden" });
    expect((await track("k2", feed("more"), "rss", 7)).isNew).toBe(true);
  });

  test("an end by either id; the source goes with the last key, and a poll under way tells nobody", async () => {
    const { data } = await track("k1", feed(1));
    await track("k2", feed(1));
    expect((await untrackIn(context, caller("k1"), { source: "rss", eid: feed(1) })).data).toEqual(data);
    upstream.publish(feed(1));
    now += minute;
    const [leased] = await leaseDueSources(context, 1);
    await untrackIn(context, caller("k2"), { source: "rss", iid: data.id });
    expect([await context.sources.count(), await context.states.count()]).toEqual([0, 0]);
    if (leased) await pollOne(context, leased);
    expect([await events("k1"), await events("k2"), await context.sources.count()]).toEqual([[], [], 0]);
    expect(await context.states.count()).toBe(0);
    const again = await track("k1", feed(1));
    expect(again.isNew).toBe(true);
  });

  describe("pictures that a poll takes of a page which nobody tracks any more", () => {
    const address = "https://page.example/lamp";
    let pictured: string[];
    const watched = async () => {
      upstream.pages.set(address, 1);
      const { data } = await track("k1", address, "web");
      await context.sources.update(data.id, { $set: { view: JSON.stringify({ screenshot: true }) } });
      now += 25 * 60 * minute;
      upstream.pages.set(address, 2);
      const [leased] = await leaseDueSources(context, 1);
      if (!leased) throw new Error("Nothing was due");
      pictured = [];
      return { leased, world: { ...context, forgetPictures: (id: string) => void pictured.push(id) } };
    };
    const leave = (iid: string) => untrackIn(context, caller("k1"), { source: "web", iid });

    test("go where the key left before the poll has ended", async () => {
      const { leased, world } = await watched();
      await leave(leased._id);
      await pollOne(world, leased);
      expect(pictured).toEqual([leased._id]);
    });

    test("go where the key left while the poll wrote what it saw", async () => {
      const { leased, world } = await watched();
      const append: EventLog["append"] = async (news, until) => {
        await leave(leased._id);
        return log.append(news, until);
      };
      await pollOne({ ...world, log: { ...log, append } }, leased);
      expect(pictured).toEqual([leased._id]);
    });

    test("stay where another process polls the page now", async () => {
      const { leased, world } = await watched();
      await context.sources.update(leased._id, { $set: { lease: "another" } });
      await pollOne(world, leased);
      expect(pictured).toEqual([]);
    });

    test("go with what maintenance finds of it", async () => {
      const { leased, world } = await watched();
      await context.sources.remove(leased._id);
      now += 25 * 60 * minute;
      const pruning = new Pruning(
        world,
        { ...retention.keep, eventsMs: retention.eventRetentionMs },
        allExist,
      );
      await pruning.round(context.closing);
      expect(pictured).toEqual([leased._id]);
      await pruning.round(context.closing);
      expect(pictured).toEqual([leased._id]);
    });
  });

  test.each([
    ["neither id", {}, "validation_failed"],
    ["both ids", { eid: feed(1), iid: "x" }, "validation_failed"],
    ["an unknown address", { eid: feed(2) }, "not_found"],
    ["an unknown id", { iid: "x" }, "not_found"],
    ["another key's", { eid: feed(3) }, "not_found"],
  ])("untrack: %s", async (_, ids, code) => {
    await track("k1", feed(1));
    await track("k2", feed(3));
    const error = await untrackIn(context, caller("k1"), { source: "rss", ...ids }).catch(caught => caught);
    expect(codeOf(error)).toBe(code);
    expect(await context.subscriptions.count()).toBe(2);
  });

  test("a kind finds only its own, save a page that was tracked as its feed", async () => {
    const { data } = await track("k1", "https://a.example/blog", "web");
    const other = untrackIn(context, caller("k1"), { source: "microblog", iid: data.id });
    await expect(other).rejects.toMatchObject({ type: "not_found" });
    expect((await untrackIn(context, caller("k1"), { source: "web", iid: data.id })).data).toEqual(data);
  });

  test("the fifth failure tells, once; so does the way back, before the posts", async () => {
    await track("k1", feed(1));
    upstream.problems.set(feed(1), {});
    for (let n = 0; n < 4; n += 1) await later();
    expect(await events("k1")).toEqual([]);
    for (let n = 0; n < 4; n += 1) await later();
    expect(await events("k1")).toEqual(["source.failing"]);
    expect((await log.read("k1", 0, 1))[0]?.data).toMatchObject({
      reason: "It is broken.",
      source: { source: "RSS" },
    });
    upstream.problems.clear();
    upstream.publish(feed(1));
    await later();
    await later();
    expect(await events("k1")).toEqual(["source.failing", "source.recovered", 1]);
  });

  test("items that a feed may have lost are told of, and the source stays healthy", async () => {
    await track("k1", feed(1));
    upstream.publish(feed(1), 2);
    upstream.gaps.add(feed(1));
    await later();
    await later();
    expect(await events("k1")).toEqual(["source.gap", 1, 2]);
    const [event] = await log.read("k1", 0, 1);
    expect(event?.data).toMatchObject({ gap: { items: 2, pages: 0 }, source: { source: "RSS" } });
    expect((await context.sources.find({}))[0]).toMatchObject({ health: "ok", failures: 0 });
  });

  test("a poll that is repeated, after a death before its end, tells of a change of health no second time", async () => {
    await track("k1", feed(1));
    upstream.problems.set(feed(1), { gone: true });
    const before = await context.sources.find({});
    now += minute;
    await pollDue();
    for (const { _id, ...rest } of before)
      await context.sources.update(_id, { $set: { ...rest, dueAt: now } });
    now += minute;
    await pollDue();
    expect(await events("k1")).toEqual(["source.gone"]);
  });

  test("a source that is gone is told of once, and looked at once a day", async () => {
    await track("k1", feed(1));
    upstream.problems.set(feed(1), { gone: true });
    now += minute;
    await pollDue();
    expect((await nextDueAt(context)) ?? 0).toBe(now + 24 * 60 * minute);
    await later();
    expect(await events("k1")).toEqual(["source.gone"]);
    upstream.problems.clear();
    await later();
    expect(await events("k1")).toEqual(["source.gone", "source.recovered"]);
  });

  test("failures space the polls, Retry-After too; success goes by the source's own interval", async () => {
    await track("k1", feed(1));
    const wait = async () => {
      now = (await nextDueAt(context)) ?? 0;
      await pollDue();
      return ((await nextDueAt(context)) ?? 0) - now;
    };
    upstream.problems.set(feed(1), {});
    expect([await wait(), await wait(), await wait()]).toEqual([minute, 2 * minute, 4 * minute]);
    upstream.problems.set(feed(1), { retryAfterMs: 90 * minute });
    expect(await wait()).toBe(90 * minute);
    upstream.problems.clear();
    upstream.nextInMs = 7 * minute;
    expect(await wait()).toBe(7 * minute);
    expect(faults).toEqual([]);
  });

  test("a connector that breaks counts as a failure; one that is not there, or has no turn, does not", async () => {
    await track("k1", feed(1));
    now += minute;
    upstream.problems.set(feed(1), Object.assign(new Error("none"), { type: "SERVICE_NOT_FOUND" }));
    await pollDue();
    expect(await context.sources.findOne({})).toMatchObject({ failures: 0, dueAt: now + 2000 });
    now += 2000;
    upstream.problems.set(feed(1), Object.assign(new Error("crowded"), { type: "overloaded" }));
    await pollDue();
    expect(await context.sources.findOne({})).toMatchObject({ failures: 0, dueAt: now + minute });
    now += minute;
    upstream.problems.set(feed(1), new TypeError("x is not a function"));
    await pollDue();
    expect(await context.sources.findOne({})).toMatchObject({ failures: 1, health: "ok" });
    expect(faults).toEqual(["TypeError: x is not a function"]);
  });

  test("a source that moves takes its new name and address, unless another source has the address", async () => {
    const { data } = await track("k1", feed(1));
    await track("k1", feed(3));
    upstream.facts.set(feed(1), { name: "Another name", externalId: feed(2) });
    upstream.facts.set(feed(3), { externalId: feed(2) });
    await later();
    expect(await context.sources.findById(data.id)).toMatchObject({
      name: "Another name",
      externalId: feed(2),
      updatedAt: new Date(now).toISOString(),
    });
    expect(await context.sources.count({ externalId: feed(3) })).toBe(1);
  });

  test("a lease keeps others off; one that has ended is taken over, and the late poller writes nothing", async () => {
    await track("k1", feed(1));
    now += minute;
    upstream.publish(feed(1));
    const [slow] = await leaseDueSources(context, 10);
    expect(await pollDue()).toBe(0);
    now += leaseMs;
    expect(await pollDue()).toBe(1);
    const before = await context.sources.findOne({});
    upstream.publish(feed(1));
    if (slow) await pollOne(context, slow);
    expect(await events("k1")).toEqual([1]);
    expect(await context.sources.findOne({})).toEqual(before);
    await later();
    expect(await events("k1")).toEqual([1, 2]);
  });

  describe("after a clock that was a month ahead", () => {
    const keepUp = () => {
      const existing = async (keyIds: string[]) => keyIds;
      const pruning = new Pruning(
        context,
        { ...retention.keep, eventsMs: retention.eventRetentionMs },
        allExist,
      );
      return maintain({ context, log, pruning, existing, logger: broker.logger }, context.closing);
    };
    const ahead = 30 * 24 * 60 * minute;

    test("what it has dated is due, be it polled then or not", async () => {
      for (const n of [1, 2]) await track("k1", feed(n));
      now += ahead;
      const leased = await leaseDueSources(context, 10);
      if (leased[0]) await pollOne(context, leased[0]);
      now += minute - ahead;
      await keepUp();
      expect(await pollDue()).toBe(2);
    });

    test("what the rules have put off for long stays so", async () => {
      await track("k1", feed(1));
      await track("k1", feed(2));
      upstream.problems.set(feed(1), { gone: true });
      const error = { type: "connector_unavailable", code: 503, data: { retry_after: 1_000_000 } };
      upstream.problems.set(feed(2), Object.assign(new Error("not now"), error));
      now += minute;
      expect(await pollDue()).toBe(2);
      const before = await context.sources.find({});
      expect(before.map(({ dueAt }) => dueAt)).toEqual(Array(2).fill(now + 24 * 60 * minute));
      await keepUp();
      expect(await context.sources.find({})).toEqual(before);
    });
  });

  test("at a start the leases of the process before end at once; those of one that lives do not", async () => {
    for (const n of [1, 2, 3, 4]) await track("k1", feed(n));
    now += minute;
    expect((await leaseDueSources(context, 2)).length).toBe(2);
    const other = openEmbeddedLeases(dataDir);
    const next = new WorkerSession(context.workerSessions, other);
    await next.start();
    expect(await reapDeadSessions(context, next)).toBe(0);
    expect((await leaseDueSources({ ...context, leaseTokens: next }, 1)).length).toBe(1);
    await leases.close();
    leases = other;
    expect(await reapDeadSessions(context, next)).toBe(1);
    expect(await leaseDueSources(context, 1)).toEqual([]);
    expect((await leaseDueSources({ ...context, leaseTokens: next }, 4)).length).toBe(3);
    expect(await context.workerSessions.count()).toBe(1);
  });

  test("a fault while events are appended undoes the whole step; the next poll makes it good, once", async () => {
    await track("k1", feed(1));
    upstream.publish(feed(1), 2);
    now += minute;
    const [leased] = await leaseDueSources(context, 1);
    if (!leased) throw new Error("Nothing was due");
    const broken = {
      ...log,
      append: appending(() => {
        throw new Error("disk full");
      }),
    };
    await expect(pollOne({ ...context, log: broken }, leased)).rejects.toThrow("disk full");
    expect(await events("k1")).toEqual([]);
    expect(await remembered()).toEqual([undefined, { seen: 0 }]);
    now += minute;
    await pollDue();
    expect(await events("k1")).toEqual([1, 2]);
  });

  test("a source whose poll could not be written is free for others", async () => {
    await track("k1", feed(1));
    upstream.publish(feed(1), 2);
    now += minute;
    const [leased] = await leaseDueSources(context, 1);
    if (!leased) throw new Error("Nothing was due");
    const away = { ...log, append: () => Promise.reject(new Error("away for a moment")) };
    await expect(pollOne({ ...context, log: away }, leased)).rejects.toThrow("away for a moment");
    expect((await track("k2", feed(1))).isNew).toBe(true);
    expect([await events("k1"), await events("k2")]).toEqual([[1, 2], []]);
  });

  test("why a poll could not be written is told, although it cannot be put off either, and it is free soon", async () => {
    await track("k1", feed(1));
    upstream.publish(feed(1));
    now += minute;
    const [leased] = await leaseDueSources(context, 1);
    if (!leased) throw new Error("Nothing was due");
    const away = { ...log, append: () => Promise.reject(new Error("the first")) };
    let refused = 0;
    const change: typeof context.sources.change = (...args) => {
      refused += 1;
      return refused > 2 ? context.sources.change(...args) : Promise.reject(new Error("the second"));
    };
    const sources = Object.create(context.sources, { change: { value: change } });
    await expect(pollOne({ ...context, sources, log: away }, leased)).rejects.toThrow("the first");
    await until("it is free", async () => (await context.sources.findById(leased._id))?.lease === undefined);
    expect(refused).toBe(3);
  });

  test("many posts for many keys: told in slices, and each once although the poll breaks off and is repeated", async () => {
    const keyIds = Array.from({ length: 120 }, (_, n) => `k${n}`);
    for (const keyId of keyIds) await track(keyId, feed(1));
    upstream.publish(feed(1), 40);
    now += minute;
    const [leased] = await leaseDueSources(context, 1);
    if (!leased) throw new Error("Nothing was due");
    let slices = 0;
    const breaking = {
      ...log,
      append: appending(() => {
        slices += 1;
        if (slices === 3) throw new Error("disk full");
      }),
    };
    await expect(pollOne({ ...context, log: breaking }, leased)).rejects.toThrow("disk full");
    expect((await events("k7")).length).toBe(32);
    now += leaseMs;
    await pollDue();
    const all = Array.from({ length: 40 }, (_, n) => n + 1);
    for (const keyId of ["k0", "k7", "k119"]) expect(await events(keyId)).toEqual(all);
  });

  test("a deleted key's tracking and log go; what others track stays", async () => {
    for (let n = 0; n < 250; n += 1) await track("k1", feed(n));
    await track("k2", feed(0));
    upstream.publish(feed(0));
    await later();
    expect(await events("k1")).toEqual([1]);
    await forgetKey(context, "k1");
    expect([await context.sources.count(), await context.subscriptions.count()]).toEqual([1, 1]);
    expect([await events("k1"), await events("k2")]).toEqual([[], [1]]);
    upstream.publish(feed(0));
    await later();
    expect([await events("k1"), await events("k2")]).toEqual([[], [1, 2]]);
  });

  test("keys that were deleted unheard of are forgotten, page by page; those that exist keep theirs", async () => {
    const keyIds = Array.from({ length: 450 }, (_, n) => `k${String(n).padStart(3, "0")}`);
    for (const keyId of keyIds) await track(keyId, feed(1));
    upstream.publish(feed(1));
    await later();
    const kept = new Set(["k007", "k200", "k449"]);
    const pages: number[] = [];
    const existing = async (ids: string[]) => {
      pages.push(ids.length);
      return ids.filter(id => kept.has(id));
    };
    expect(await forgetMissingKeys([context.tallies], existing, forget, AbortSignal.timeout(30_000))).toBe(
      447,
    );
    expect(pages).toEqual([200, 200, 50]);
    const left = await context.subscriptions.find();
    expect(left.map(({ keyId }) => keyId).sort()).toEqual([...kept]);
    expect([await context.tallies.count(), await events("k000"), await events("k007")]).toEqual([3, [], [1]]);
    expect(await forgetMissingKeys([context.tallies], existing, forget, AbortSignal.timeout(30_000))).toBe(0);
  });

  test.each([
    ["that does not answer", AbortSignal.timeout(30_000), () => Promise.reject(new Error("away"))],
    ["of a service that stops", AbortSignal.abort(), () => Promise.resolve([])],
  ])("a question %s forgets nobody", async (_, signal, existing) => {
    await track("k1", feed(1));
    await forgetMissingKeys([context.tallies], existing, forget, signal).catch(() => undefined);
    expect(await context.subscriptions.count()).toBe(1);
  });

  test("little that is new in a state stands with the source, more of it in the state's own document", async () => {
    await track("k1", feed(1));
    upstream.publish(feed(1));
    await later();
    expect(await remembered()).toEqual([{ seen: 1 }, { seen: 0 }]);
    upstream.publish(feed(1));
    upstream.memory = { items: ["a", "b"] };
    await later();
    expect(await remembered()).toEqual([undefined, { seen: 2, items: ["a", "b"] }]);
    upstream.publish(feed(1));
    await later();
    expect(await remembered()).toEqual([{ seen: 3 }, { seen: 2, items: ["a", "b"] }]);
    upstream.memory = {};
    await later();
    expect(await remembered()).toEqual([undefined, { seen: 3 }]);
    expect(await events("k1")).toEqual([1, 2, 3]);
  });

  test("the queries of polling and fan-out use an index", async () => {
    const path = join(dataDir, "magpie.db");
    const database = openDatabase(path);
    const plan = (sql: string) =>
      database
        .prepare(`EXPLAIN QUERY PLAN ${sql}`)
        .all()
        .map(row => String(row.detail));
    for (const [sql, index] of [
      [
        "SELECT doc FROM sources WHERE doc ->> '$.dueAt' <= 5 ORDER BY doc ->> '$.dueAt' LIMIT 5",
        "sources:dueAt",
      ],
      ["SELECT doc FROM sources WHERE doc ->> '$.dueAt' > 5 LIMIT 5", "sources:dueAt"],
      ["SELECT doc FROM sources WHERE doc ->> '$.lease' > ''", "sources:lease:sparse"],
      [
        "SELECT doc FROM sources WHERE doc ->> '$.kind' = 'rss' AND _id > 'x' ORDER BY _id LIMIT 5",
        "sources:kind:_id",
      ],
      ["SELECT doc FROM subscriptions WHERE doc ->> '$.sourceId' = 'x'", "subscriptions:sourceId"],
      ["SELECT doc FROM track_jobs WHERE doc ->> '$.joinId' = 'x'", "track_jobs:joinId:keyId"],
      ["SELECT doc FROM track_jobs WHERE doc ->> '$.keyId' = 'x'", "track_jobs:keyId"],
      ["SELECT doc FROM track_jobs WHERE doc ->> '$.endedAt' < 5", "track_jobs:endedAt:sparse"],
      [
        "SELECT doc FROM track_entries WHERE doc ->> '$.dueAt' <= 5 ORDER BY doc ->> '$.dueAt' LIMIT 5",
        "track_entries:dueAt:sparse",
      ],
      [
        "SELECT doc FROM track_entries WHERE doc ->> '$.batchId' = 'x' AND doc ->> '$.status' = 'failed' AND _id > 'x' ORDER BY _id LIMIT 5",
        "track_entries:batchId:status:_id",
      ],
      ["SELECT doc FROM track_joins ORDER BY doc ->> '$.dueAt' LIMIT 1", "track_joins:dueAt"],
      [
        "SELECT doc FROM pending_unfollows WHERE _id > 'k' ORDER BY _id LIMIT 5",
        "sqlite_autoindex_pending_unfollows_1",
      ],
      [
        "SELECT doc FROM subscriptions WHERE doc ->> '$.keyId' = 'x' AND doc ->> '$.kind' = 'rss' AND _id < '~' ORDER BY _id DESC LIMIT 5",
        "subscriptions:keyId:kind:_id",
      ],
      [
        "SELECT doc FROM source_counts WHERE _id > 'k' ORDER BY _id LIMIT 5",
        "sqlite_autoindex_source_counts_1",
      ],
    ] as const) {
      expect(plan(sql)).toEqual([expect.stringContaining(`USING INDEX ${index}`)]);
    }
    closeDatabase(path);
  });
});

describe("the tracker service", () => {
  let broker: ServiceBroker;
  let service: Service & WithLog & { context: TrackerContext };

  const start = async (keyIds?: string[]) => {
    broker = new ServiceBroker({ logger: false });
    broker.createService(keysService(keyIds));
    broker.createService(upstreamService(upstream));
    service = broker.createService(
      trackerService({ dataDir, pollMinIntervalMs: 20, ...retention }),
    ) as typeof service;
    await broker.start();
  };
  beforeEach(async () => {
    upstream.nextInMs = 20;
    await start();
  });
  afterEach(() => broker.stop());

  const as = async <Params, Result>(
    keyId: string | undefined,
    action: Action<Params, Result>,
    params: Partial<Params> & object,
  ) => {
    const meta: CallMeta = keyId === undefined ? {} : { caller: caller(keyId) };
    const result = await call(broker, action, params as Params, { meta });
    return { result, status: meta.$statusCode };
  };
  const track = (keyId: string | undefined, sid: string) => as(keyId, contract.track, { source: "rss", sid });
  const numbers = async (keyId: string) =>
    (await service.log.read(keyId, 0, 1000)).map(({ data }) => Object(data.item).n);

  test("201 when new, 200 when known, 401 for nobody", async () => {
    const first = await track("k1", feed(1));
    const again = await track("k1", feed(1));
    expect([first.status, again.status]).toEqual([201, 200]);
    expect(again.result).toMatchObject({ data: Object(first.result).data });
    expect(first.result.message).not.toBe("");
    await expect(track(undefined, feed(1))).rejects.toMatchObject({ type: "unauthorized" });
  });

  test.each([
    ["an empty sid", contract.track, { source: "rss", sid: " " }],
    ["an unknown kind", contract.track, { source: "mail", sid: feed(1) }],
    ["a sid of 2,049 characters", contract.track, { source: "rss", sid: "x".repeat(2049) }],
    ["page 0", contract.findSources, { source: "rss", query: "x", page: 0 }],
    ["a limit of 101", contract.findSources, { source: "rss", query: "x", limit: 101 }],
  ] as const)("refuses %s", async (_, action, params) => {
    await expect(broker.call(action.name, params, { meta: { caller: caller("k1") } })).rejects.toMatchObject({
      code: 422,
    });
  });

  test("a new item reaches all that track the source without being asked for", async () => {
    for (const keyId of ["k1", "k2"]) await track(keyId, feed(1));
    for (let n = 1; n <= 3; n += 1) {
      upstream.publish(feed(1));
      await until(`item ${n}`, async () => (await numbers("k2")).length === n);
    }
    expect(await numbers("k1")).toEqual([1, 2, 3]);
  });

  test("goes on after a restart where it stopped", async () => {
    await track("k1", feed(1));
    upstream.publish(feed(1));
    await until("the first", async () => (await numbers("k1")).length === 1);
    await broker.stop();
    upstream.publish(feed(1));
    await start();
    await until("the second", async () => (await numbers("k1")).length === 2);
    expect(await numbers("k1")).toEqual([1, 2]);
  });

  test("the sources of tags are those of the key now, and each change is announced", async () => {
    const retagged: string[] = [];
    broker.createService({
      name: "listener",
      events: {
        [sourcesRetagged.name](ctx: Context<SourcesRetagged>) {
          retagged.push(ctx.params.keyId);
        },
      },
    });
    const tagged = async (...tags: string[]) =>
      (await call(broker, sourcesOfTags, { keyId: "k1", tags })).ids.sort();
    const trackAs = async (keyId: string, sid: string, ...tags: string[]) => {
      const { result } = await as(keyId, contract.track, { source: "rss", sid, options: { tags } });
      return Object(result).data.id as string;
    };
    const first = await trackAs("k1", feed(1), "a", "b");
    const second = await trackAs("k1", feed(2), "b");
    await trackAs("k2", feed(2), "a");
    expect(retagged).toEqual(["k1", "k1", "k2"]);
    expect([await tagged("a"), await tagged("a", "b"), await tagged("c")]).toEqual([
      [first],
      [first, second].sort(),
      [],
    ]);
    await as("k1", contract.changeTracked, { source: "rss", iid: first, options: { tags: ["c"] } });
    expect([await tagged("a"), await tagged("c")]).toEqual([[], [first]]);
    await as("k1", contract.untrack, { source: "rss", iid: first });
    expect(await tagged("c")).toEqual([]);
    expect(retagged.slice(3)).toEqual(["k1", "k1"]);
    await call(broker, removeSource, { id: second });
    expect([...new Set(retagged.slice(5))].sort()).toEqual(["k1", "k2"]);
    expect(await tagged("b")).toEqual([]);
  });

  test("find: a page that is tracked as its feed is found as both; a feed as a feed alone", async () => {
    await track("k1", "https://feed.example/feed");
    await as("k1", contract.track, { source: "web", sid: "https://page.example/blog" });
    await as("k1", contract.track, { source: "web", sid: "https://still.example/" });
    const found = async (source: SourceKind) => {
      const { result } = await as("k1", contract.findSources, {
        source,
        query: "example",
        page: 1,
        limit: 9,
      });
      expect(result.total).toBe(result.data.length);
      return result.data.map(({ externalId }) => externalId);
    };
    expect(await found("web")).toEqual(["https://still.example/", "https://page.example/blog/feed"]);
    expect(await found("rss")).toEqual(["https://page.example/blog/feed", "https://feed.example/feed"]);
  });

  test("find: in handle and name, whatever the case, no pattern, by pages, newest first, of the caller alone", async () => {
    for (let n = 1; n <= 12; n += 1) await track("k1", feed(n));
    await track("k1", "https://100%_done.example/feed");
    await track("k2", feed(99));
    const find = async (query: string, page = 1, limit = 20) =>
      (await as("k1", contract.findSources, { source: "rss", query, page, limit })).result;
    const all = await find("NAME OF HOST");
    expect(all).toMatchObject({ total: 12, page: 1, limit: 20 });
    expect(all.data.map(({ externalId }) => externalId)).toEqual(
      Array.from({ length: 12 }, (_, n) => feed(12 - n)),
    );
    expect(all.data[0]).toEqual({
      id: expect.stringMatching(uuid),
      source: "RSS",
      externalId: feed(12),
      username: "host-12.example",
      name: "Name of host-12.example",
      createdAt: expect.stringMatching(/^\d{4}-.*Z$/),
      updatedAt: expect.stringMatching(/^\d{4}-.*Z$/),
    });
    const second = await find("host", 2, 5);
    expect([second.total, second.data.map(({ externalId }) => externalId)]).toEqual([
      12,
      [7, 6, 5, 4, 3].map(feed),
    ]);
    const counts = await Promise.all(
      ["%_", "h_st", "%", "host-99", "'", "host-1.", "/feed"].map(query => find(query)),
    );
    expect(counts.map(({ total }) => total)).toEqual([1, 0, 1, 0, 0, 1, 0]);
    expect((await find("host", 4, 5)).data).toEqual([]);
  });

  test("when a key was deleted while it was not there, too", async () => {
    for (const keyId of ["k1", "k2"]) await track(keyId, feed(1));
    await track("k1", feed(2));
    await broker.stop();
    await start(["k2"]);
    await until("they are let go", async () => (await service.context.sources.count()) === 1);
    await until("the rest", async () => (await service.context.subscriptions.count()) === 1);
    expect(await service.context.subscriptions.findOne({})).toMatchObject({ keyId: "k2" });
  });

  test("when a key is deleted its sources are let go", async () => {
    await track("k1", feed(1));
    await broker.broadcast(keyDeleted.name, { keyId: "k1" });
    await until("it is let go", async () => (await service.context.sources.count()) === 0);
  });
});

/** A keys service with these keys; one that does not know which there are where none are told. */
function keysService(keyIds?: string[]): ServiceSchema {
  const existing = ({ params }: { params: { ids: string[] } }) => ({
    ids: params.ids.filter(id => keyIds?.includes(id)),
  });
  const uses = handle(keysWithUses, "public", () => ({ keys: [] }));
  return {
    name: "keys",
    actions: keyIds ? actions(uses, handle(existingKeys, "public", existing)) : actions(uses),
  };
}
