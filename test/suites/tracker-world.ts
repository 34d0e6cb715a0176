import type { openEmbeddedLeases } from "../../mixins/coordination/leases/embedded.leases.ts";
import type { OpenHistory } from "../../mixins/history/history.ts";
import type { Store } from "../../mixins/store/store.ts";
import { defaultLimits } from "../../services/contracts/caller.ts";
import { fail } from "../../services/contracts/errors.ts";
import type { SourceKind } from "../../services/contracts/source.ts";
import { platformsThrough } from "../../services/tracker/connectors.ts";
import { openContext, type TrackerContext } from "../../services/tracker/context.ts";
import { requestToJoin } from "../../services/tracker/joins/join-jobs.ts";
import { joinSteps, stepJoin } from "../../services/tracker/joins/step-join.ts";
import { WorkerSession } from "../../services/tracker/maintenance/worker-session.ts";
import { leaseDueSources } from "../../services/tracker/polling/due-sources.ts";
import type { StoredSource } from "../../services/tracker/sources.store.ts";
import { track } from "../../services/tracker/tracking/track.ts";
import { forgetKey, removeSource, untrack } from "../../services/tracker/tracking/untrack.ts";
import { changeTracked } from "../../services/tracker/watches/watch.ts";
import type { MemoryLog } from "../fakes/memory-log.ts";
import type { Upstream } from "../fakes/upstream.ts";
import type { Life } from "../support/mortal.ts";
import { pollOne } from "../support/poll-one.ts";
import { trackerPorts } from "../support/tracker-ports.ts";

export const minute = 60_000;
export const feed = "https://host.example/feed";
const page = "https://host.example/page";
const caller = (keyId: string) => ({ keyId, owner: "ann", limits: { ...defaultLimits, trackedSources: 2 } });

/** What a tracker does that takes several writes, and what is there once it was done. */
export interface Operation {
  before?(world: World): Promise<unknown>;
  run(world: World): Promise<unknown>;
  /** What goes on in the world when the process that ran it is dead, or sleeps. */
  meanwhile?(next: World): Promise<unknown>;
  /** Subscriptions as `key source`, after it was done once. */
  leaves: string[];
}

export const operations: Record<string, Operation> = {
  "a key tracks a source that nobody tracks": {
    run: world => world.track("k1", feed),
    leaves: [`k1 ${feed}`],
  },
  "a second key tracks a source": {
    before: world => world.track("k2", feed),
    run: world => world.track("k1", feed),
    leaves: [`k1 ${feed}`, `k2 ${feed}`],
  },
  "an account is tracked, and followed": {
    run: world => world.track("k1", "ann", "microblog"),
    leaves: ["k1 ann"],
  },
  "a key changes how it looks at a page": {
    before: world => world.track("k1", feed),
    run: world => world.look("k1", ["news"]),
    leaves: [`k1 ${feed} viewed`],
  },
  "the last key leaves": {
    before: world => world.track("k1", "ann", "microblog"),
    run: world => world.untrack("k1", "ann", "microblog"),
    leaves: [],
  },
  "one of two keys leaves": {
    before: async world => {
      for (const key of ["k1", "k2"]) await world.track(key, feed);
    },
    run: world => world.untrack("k1", feed),
    leaves: [`k2 ${feed}`],
  },
  "a key is deleted": {
    before: async world => {
      for (const sid of [feed, "https://other.example/feed"]) await world.track("k1", sid);
      await world.track("k2", feed);
    },
    run: ({ context }) => forgetKey(context, "k1"),
    leaves: [`k2 ${feed}`],
  },
  "a source is removed": {
    before: async world => {
      for (const key of ["k1", "k2"]) await world.track(key, feed);
    },
    run: async ({ context }) => {
      const source = await context.sources.findOne({ externalId: feed });
      if (source) await removeSource(context, source._id);
    },
    leaves: [],
  },
  "a poll finds posts": {
    before: async world => {
      for (const key of ["k1", "k2"]) await world.track(key, feed);
      world.upstream.publish(feed, 3);
    },
    run: world => world.poll(),
    leaves: [`k1 ${feed}`, `k2 ${feed}`],
  },
  "a poll finds posts and a state that needs a document of its own": {
    before: async world => {
      await world.track("k1", feed);
      world.upstream.publish(feed, 3);
      world.upstream.memory = { shown: ["a", "b"] };
    },
    run: world => world.poll(),
    leaves: [`k1 ${feed}`],
  },
  "a page is tracked, and what it says is its first version": {
    before: async world => world.upstream.pages.set(page, 1),
    run: world => world.track("k1", page, "web"),
    leaves: [`k1 ${page}`],
  },
  "a page changes": {
    before: async world => {
      world.upstream.pages.set(page, 1);
      for (const key of ["k1", "k2"]) await world.track(key, page, "web");
      world.upstream.pages.set(page, 2);
    },
    run: world => world.poll(),
    leaves: [`k1 ${page}`, `k2 ${page}`],
  },
  "a page changes, and its state needs a document of its own": {
    before: async world => {
      world.upstream.pages.set(page, 1);
      await world.track("k1", page, "web");
      world.upstream.memory = { shown: ["a", "b"] };
      world.upstream.pages.set(page, 2);
    },
    run: world => world.poll(),
    leaves: [`k1 ${page}`],
  },
  "a page changes, and once more as soon as that was told": {
    before: async world => {
      world.upstream.pages.set(page, 1);
      for (const key of ["k1", "k2"]) await world.track(key, page, "web");
      world.upstream.memory = { shown: ["a", "b"] };
      world.upstream.pages.set(page, 2);
    },
    run: world => world.poll(),
    meanwhile: async next => {
      if ((await next.log.read("k1", 0, 99)).length > 0) next.upstream.pages.set(page, 3);
      await next.poll();
      expect(await changesTold(next)).toEqual(next.upstream.pages.get(page) === 3 ? [2, 3] : [2]);
    },
    leaves: [`k1 ${page}`, `k2 ${page}`],
  },
  "a second check of a page confirms what the first one held": {
    before: async world => {
      world.upstream.pages.set(page, 1);
      await world.track("k1", page, "web");
      world.upstream.pages.set(page, 2);
      world.upstream.held.add(page);
      world.aheadMs = minute / 2 + 1000;
      await world.poll();
    },
    run: world => world.poll(),
    leaves: [`k1 ${page}`],
  },
  "a check of a page holds what a second one confirms": {
    before: async world => {
      world.upstream.pages.set(page, 1);
      await world.track("k1", page, "web");
      world.upstream.memory = { shown: ["a", "b"] };
      world.upstream.pages.set(page, 2);
      world.upstream.held.add(page);
    },
    run: world => world.poll(),
    leaves: [`k1 ${page}`],
  },
  "the last key leaves a page, whose past goes": {
    before: async world => {
      world.upstream.pages.set(page, 1);
      await world.track("k1", page, "web");
    },
    run: world => world.untrack("k1", page, "web"),
    leaves: [],
  },
  "a key changes how it looks at a page that has a past": {
    before: async world => {
      world.upstream.pages.set(page, 1);
      await world.track("k1", page, "web");
    },
    run: world => world.look("k1", ["news"], page, "web"),
    leaves: [`k1 ${page} viewed`],
  },
  "a key asks to join, and is let in": {
    run: world => world.join("k1"),
    leaves: ["k1 +gate"],
  },
};

/** The history as a process sees it that may die before each of its writes. */
export function mortalHistory<Work extends object>(life: Life, history: Work): Work {
  const writes = [
    "add",
    "restate",
    "adopt",
    "addChecks",
    "addValues",
    "prune",
    "erase",
    "sweep",
    "addEvents",
    "pruneEvents",
  ];
  const entries = Object.entries(history).map(([name, work]) => [
    name,
    life.step(work as (...args: unknown[]) => Promise<unknown>, writes.includes(name)),
  ]);
  return Object.fromEntries(entries) as Work;
}

/** What a process has of the world, in one life. */
export class World {
  readonly upstream: Upstream;
  readonly log: MemoryLog;
  readonly context: TrackerContext;
  readonly session: WorkerSession;
  readonly life: Life;
  readonly followed: Set<string>;
  /** By how much its clock is ahead. */
  aheadMs = 0;

  constructor(
    store: Store<StoredSource>,
    life: Life,
    shared: {
      upstream: Upstream;
      log: MemoryLog;
      history: OpenHistory;
      leases: ReturnType<typeof openEmbeddedLeases>;
      followed: Set<string>;
    },
    now: () => number,
  ) {
    const { upstream, log, history, leases, followed } = shared;
    const mortal = life.with(store);
    this.life = life;
    this.upstream = upstream;
    this.log = log;
    this.followed = followed;
    this.session = new WorkerSession(mortal.collection("worker_sessions"), leases);
    this.context = openContext(mortal, {
      leases,
      leaseTokens: this.session,
      closing: new AbortController().signal,
      log: {
        append: life.step(events => log.append(events)),
        drop: life.step(keyId => log.drop(keyId)),
        holders: (bodyIds, keyIds) => log.holders(bodyIds, keyIds),
      },
      history: mortalHistory(life, history),
      minIntervalMs: minute,
      ...trackerPorts(async ({ externalId }, state) =>
        upstream.poll(externalId.split(" ", 1)[0] ?? "", state),
      ),
      onConnectorError: (_, error) => {
        throw error;
      },
      unfollow: life.step(async ({ externalId }) => followed.delete(externalId)),
      now: () => now() + this.aheadMs,
      random: () => 0,
    });
  }

  readonly platforms = {
    ...platformsThrough({ call: () => Promise.reject(new Error("Not of this test")) }),
    resolve: async ({ kind, sid }: { kind: SourceKind; sid: string }) => this.upstream.resolve(kind, sid),
    follow: async ({ externalId }: { externalId: string }) => {
      await this.life.step(async () => this.followed.add(externalId))();
    },
    requestJoin: async () => ({ state: "in" as const }),
    checkJoin: async () => ({ state: "in" as const }),
  };

  track(key: string, sid: string, source: SourceKind = "rss") {
    return track(this.context, caller(key), { source, sid }, this.platforms as never);
  }

  look(key: string, ignore: string[], eid: string = feed, source: SourceKind = "rss") {
    const wanted = { source, eid, options: { ignore } };
    return changeTracked(this.context, caller(key), wanted, this.platforms as never);
  }

  async untrack(key: string, eid: string, source: SourceKind = "rss") {
    await untrack(this.context, { keyId: key }, { source, eid }).catch(error => {
      // It was done in the former life.
      if (Object(error).type !== "not_found") throw error;
    });
  }

  async poll() {
    for (const source of await leaseDueSources(this.context, 9)) await pollOne(this.context, source);
  }

  async join(key: string) {
    const isIn = async () => (await this.context.jobs.findOne({ keyId: key }))?.state === "completed";
    if (await isIn()) return;
    await requestToJoin(this.context, caller(key), { kind: "messenger", sid: "+gate", invite: "gate" });
    for (let step = 0; !(await isIn()); step += 1) {
      if (step === 9) throw fail("overloaded", "It is not let in.");
      for (const join of await joinSteps.leaseDue(this.context, 9))
        await stepJoin(this.context, join, this.platforms as never);
    }
  }
}

export async function subscribed({ context }: World): Promise<string[]> {
  const sources = new Map((await context.sources.find()).map(source => [source._id, source]));
  const found = (await context.subscriptions.find()).map(({ keyId, sourceId }) => {
    const source = sources.get(sourceId);
    const viewed = source?.view === undefined ? "" : " viewed";
    return `${keyId} ${source?.externalId.split(" ", 1)[0]}${viewed}`;
  });
  return found.sort();
}

/** The states of the page that a key was told of, in the order of its log. */
async function changesTold({ log }: World): Promise<number[]> {
  return (await log.read("k1", 0, 99)).map(({ data }) => Object(data.change).n as number);
}

/** Events that do not say which version they are of, or one that cannot be read, or that says something else. */
async function lostVersions({
  context: { history },
  log,
}: Pick<World, "context" | "log">): Promise<string[]> {
  const lost: string[] = [];
  for (const key of ["k1", "k2"])
    for (const { type, data } of await log.read(key, 0, 99)) {
      if (type !== "web.page.changed") continue;
      const { n } = Object(data.change) as { n: number };
      const ids = [data.version, data.previous_version].map(String);
      const sourceId = data.source?.id ?? "";
      const found = await Promise.all(ids.map(id => history.version(sourceId, id)));
      const said = await Promise.all(
        found.map(async each => each && String(await history.content(each.hash))),
      );
      if (said[0] !== `<p>${n}</p>`) lost.push(`${key} cannot read what the event of ${n} says: ${said[0]}`);
      if (said[1] !== `<p>${n - 1}</p>`) lost.push(`${key} cannot read what was before ${n}: ${said[1]}`);
      if (found[0]?.outcome !== "changed") lost.push(`the version of ${n} is ${found[0]?.outcome}`);
    }
  return lost;
}

/** What the history has of sources that nobody tracks, and polls that nobody has finished. */
export async function leftBehind({ context }: World): Promise<string[]> {
  const ids = new Set((await context.sources.find()).map(({ _id }) => _id));
  const open = (await context.states.find()).filter(state => state.open);
  return [
    ...(await context.history.sourceIds("", 99)).filter(id => !ids.has(id)),
    ...open.map(() => "an open poll"),
  ];
}

/** What does not hold that must hold whenever no change is under way. */
export async function doubts(world: World): Promise<string[]> {
  const { context } = world;
  const sources = await context.sources.find();
  const subscriptions = await context.subscriptions.find();
  const states = new Set((await context.states.find()).map(({ _id }) => _id));
  const ids = new Set(sources.map(({ _id }) => _id));
  const tracked = new Set(subscriptions.map(({ sourceId }) => sourceId));
  const tallies = new Map((await context.tallies.find()).map(tally => [tally._id, tally]));
  const joins = new Set((await context.joins.find()).map(({ _id }) => _id));
  const jobs = await context.jobs.find();
  return [
    ...(await lostVersions(world)),
    ...sources.filter(({ _id }) => !tracked.has(_id)).map(({ externalId }) => `nobody tracks ${externalId}`),
    ...sources.filter(({ _id }) => !states.has(_id)).map(({ externalId }) => `no state of ${externalId}`),
    ...sources.filter(({ entering }) => entering).map(({ externalId }) => `still entered: ${externalId}`),
    ...[...states].filter(id => !ids.has(id)).map(() => "a state without a source"),
    ...subscriptions
      .filter(({ sourceId }) => !ids.has(sourceId))
      .map(({ keyId }) => `${keyId} tracks nothing`),
    ...["k1", "k2"].flatMap(key => {
      const count = subscriptions.filter(({ keyId }) => keyId === key).length;
      const { sources: places = 0, open } = tallies.get(key) ?? {};
      return [
        ...(places === count ? [] : [`${key} has ${places} places for ${count} sources`]),
        ...(open ? [`${key} has open changes`] : []),
      ];
    }),
    ...jobs.flatMap(({ joinId }) =>
      joinId === undefined || joins.has(joinId) ? [] : ["a job waits for nothing"],
    ),
  ];
}
