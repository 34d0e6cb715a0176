import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openEmbeddedLeases } from "../../mixins/coordination/leases/embedded.leases.ts";
import type { OpenHistory } from "../../mixins/history/history.ts";
import type { Store } from "../../mixins/store/store.ts";
import { reapDeadSessions } from "../../services/tracker/maintenance/dead-sessions.ts";
import { maintain } from "../../services/tracker/maintenance/maintenance.ts";
import { Pruning } from "../../services/tracker/maintenance/retention.ts";
import type { StoredSource } from "../../services/tracker/sources.store.ts";
import { openFormer, openNew, settleOver } from "../../services/tracker/tracking/open-changes.ts";
import { recount, recountAll } from "../../services/tracker/tracking/recount.ts";
import { MemoryLog } from "../fakes/memory-log.ts";
import { Upstream } from "../fakes/upstream.ts";
import { removeFolder } from "../support/folders.ts";
import { Life } from "../support/mortal.ts";
import {
  doubts,
  feed,
  leftBehind,
  minute,
  type Operation,
  operations,
  subscribed,
  World,
} from "./tracker-world.ts";

/** An empty store for the tracker. */
export interface TrackerStore {
  store: Store<StoredSource>;
  history: OpenHistory;
  close(): Promise<void>;
}

/**
 * Every operation of several writes, by a process that dies before each of them, or sleeps there until others have taken it
 * for dead, and what the next process makes of it.
 */
export function trackerDeathsSuite(name: string, open: () => Promise<TrackerStore>): void {
  describe.each([
    ["dies", "death"],
    ["sleeps", "sleep"],
    ["does not hear of one", "lost answer"],
  ] as const)(`the tracker %s between two writes: ${name}`, (_verb, end) => {
    test.each(Object.entries(operations))(
      "%s",
      async (_, operation) => {
        for (let last = 0, isWhole = false; !isWhole; last += 1) {
          isWhole = !(await liveTwice(open, operation, last, end));
          expect(last).toBeLessThan(60);
        }
      },
      120_000,
    );
  });

  describe(`what a process that slept may leave behind: ${name}`, () => {
    const start = Date.parse("2026-01-01T00:00:00.000Z");
    const inWorlds = async (work: (live: (life: Life) => Promise<World>) => Promise<void>) => {
      const { store, history, close } = await open();
      const folder = mkdtempSync(join(tmpdir(), "magpie-deaths-"));
      const leases = openEmbeddedLeases(folder);
      const shared = {
        upstream: new Upstream(),
        log: new MemoryLog(),
        history,
        followed: new Set<string>(),
        leases,
      };
      try {
        await work(async life => {
          const world = new World(store, life, shared, () => start);
          await world.session.start();
          return world;
        });
      } finally {
        await leases.close();
        await close();
        await removeFolder(folder);
      }
    };

    test("who settles a change late leaves the next change of the subscription open", async () => {
      for (let last = 0, isAsleep = true; isAsleep; last += 1)
        await inWorlds(async live => {
          const world = await live(new Life());
          await world.track("k1", feed);
          const subscription = (await world.context.subscriptions.findOne({ keyId: "k1" })) as never;
          await openFormer(world.context, subscription, "a source that was never made");
          const sleeper = await live(new Life(last + 1, "sleep"));
          const settling = settleOver(sleeper.context, () => true);
          isAsleep = await Promise.race([settling.then(() => false), sleeper.life.asleep.then(() => true)]);
          await settleOver(world.context, () => true);
          await openFormer(world.context, subscription);
          sleeper.life.wake();
          await settling;
          await settleOver(world.context, () => true);
          expect({ last, left: await subscribed(world) }).toEqual({ last, left: [] });
          expect({ last, doubts: await doubts(world) }).toEqual({ last, doubts: [] });
        });
    });

    test("wrong tallies, and subscriptions to nothing, are put right", async () => {
      await inWorlds(async live => {
        const world = await live(new Life());
        const { context } = world;
        for (const key of ["k1", "k2"]) await world.track(key, feed);
        await context.subscriptions.insert({
          _id: "~",
          keyId: "k1",
          sourceId: "gone",
          kind: "rss",
          createdAt: "",
          readsFrom: 0,
        });
        await context.tallies.update("k2", { $inc: { sources: 1 } });
        expect(await doubts(world)).toHaveLength(3);
        const { signal } = new AbortController();
        expect(await recountAll(context, signal)).toBe(1);
        expect(await doubts(world)).toEqual([]);
        expect(await subscribed(world)).toEqual([`k1 ${feed}`, `k2 ${feed}`]);
        expect(await recountAll(context, signal)).toBe(0);
      });
    });

    test("a key is not counted while one of its changes is open", async () => {
      await inWorlds(async live => {
        const { context } = await live(new Life());
        const wanted = { keyId: "k1", _id: "1", sourceId: "s" };
        await openNew(context, wanted, () => undefined);
        expect(await recount(context, "k1")).toBe(false);
        expect(await recountAll(context, new AbortController().signal)).toBe(0);
        expect((await context.tallies.findById("k1"))?.sources).toBe(1);
      });
    });
  });
}

/** False when the operation had fewer writes. */
async function liveTwice(
  open: () => Promise<TrackerStore>,
  operation: Operation,
  last: number,
  end: "death" | "sleep" | "lost answer",
): Promise<boolean> {
  const { store, history, close } = await open();
  const folder = mkdtempSync(join(tmpdir(), "magpie-deaths-"));
  const leases = openEmbeddedLeases(folder);
  const after = openEmbeddedLeases(`${folder}-after`);
  try {
    let now = Date.parse("2026-01-01T00:00:00.000Z");
    const shared = { upstream: new Upstream(), log: new MemoryLog(), history, followed: new Set<string>() };
    const live = async (life: Life, held: typeof leases) => {
      const world = new World(store, life, { ...shared, leases: held }, () => now);
      await world.session.start();
      return world;
    };
    const first = await live(new Life(), leases);
    await operation.before?.(first);
    now += 2 * minute;
    const doomed = await live(new Life(last + 1, end), leases);
    const running = operation.run(doomed).then(
      () => "done",
      error => String(error),
    );
    const outcome = await Promise.race([running, doomed.life.asleep.then(() => "asleep")]);
    const isReached = doomed.life.writes > last + 1;
    const isStruck = doomed.life.isOver || outcome === "asleep" || (end === "lost answer" && isReached);
    if (!isStruck) expect(outcome).toBe("done");
    // The locks of the dead are free.
    const next = end === "lost answer" ? doomed : await live(new Life(), after);
    if (end !== "lost answer") await reapDeadSessions(next.context, next.session);
    now += minute;
    if (end !== "lost answer" || isStruck) await operation.meanwhile?.(next);
    const maintained = {
      context: next.context,
      existing: async (keyIds: string[]) => keyIds,
      log: { prune: async () => 0 },
      pruning: new Pruning(
        next.context,
        { days: 90, bytes: 1e9, eventsMs: 72 * 60 * minute },
        async ids => ids,
      ),
      logger: { info: () => undefined, warn: () => undefined, error: () => undefined } as never,
    };
    if (end !== "lost answer") expect({ last, doubts: await doubts(next) }).toEqual({ last, doubts: [] });
    if (outcome === "asleep") {
      doomed.life.wake();
      await running;
      expect({ last, doubts: await doubts(next) }).toEqual({ last, doubts: [] });
    }
    await operation.run(next).catch(error => {
      // A change that did not hear its end is settled by the next maintenance.
      if (Object(error).type !== "overloaded" || end !== "lost answer") throw error;
    });
    now += 25 * 60 * minute;
    const { signal } = new AbortController();
    await maintain(maintained, signal);
    if (end === "lost answer") {
      await operation.run(next);
      await maintain(maintained, signal);
    }
    await next.poll();
    expect({ last, doubts: await doubts(next) }).toEqual({ last, doubts: [] });
    expect({ last, left: await subscribed(next) }).toEqual({ last, left: operation.leaves });
    expect([...shared.followed].sort()).toEqual(
      operation.leaves.flatMap(each => each.split(" ")[1] ?? []).filter(each => !each.includes(":")),
    );
    expect(await next.context.pendingUnfollows.count()).toBe(0);
    expect({ last, left: await leftBehind(next) }).toEqual({ last, left: [] });
    for (const key of ["k1", "k2"]) {
      const news = await shared.log.read(key, 0, 99);
      const told = news.flatMap(({ data }) => (data.item ? Object(data.item).n : []));
      const isReader = operation.leaves.includes(`${key} ${feed}`);
      expect(told).toEqual(
        isReader ? Array.from({ length: shared.upstream.items.get(feed) ?? 0 }, (_, n) => n + 1) : [],
      );
    }
    return isStruck;
  } finally {
    await leases.close();
    await after.close();
    await close();
    for (const path of [folder, `${folder}-after`]) await removeFolder(path);
  }
}
