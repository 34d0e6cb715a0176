import type { EventLog, NewEvent } from "../../mixins/event-log/event-log.ts";
import type { StoreOptions } from "../../mixins/store/store.mixin.ts";
import type { Doc, Store } from "../../mixins/store/store.ts";
import { createKey, deleteKey, updateKey } from "../../services/keys/api-keys.ts";
import { type KeysContext, openContext, type StoredKey, storeOptions } from "../../services/keys/context.ts";
import {
  chargeQuotas,
  countLog,
  keysWithQuotas,
  quotasOfKeys,
  settleCharges,
  usesOfKey,
} from "../../services/keys/quotas/charges.ts";

/** An empty store of the keys service, which several nodes may open, and its end. */
export interface QuotaDriver {
  open(collections: [string, NonNullable<StoreOptions["indexes"]>][]): Promise<() => Promise<Store<Doc>>>;
  close(): Promise<void>;
}

const noon = Date.parse("2026-11-27T12:00:00.000Z");
const dayMs = 86_400_000;

/** A log that keeps what it has, and whose end the suite moves. */
function fakeLog() {
  const ends = { latest: 0, starts: new Map<number, number>() };
  const events: NewEvent[] = [];
  const log = {
    append: async (wanted: NewEvent[]) => {
      for (const event of wanted) {
        if (events.some(({ bodyId }) => bodyId === event.bodyId)) continue;
        events.push(event);
        ends.latest += 1;
      }
      return [];
    },
    bounds: async () => ({ oldest: 1, latest: ends.latest }),
    positionAt: async (_: string, since: Date) => ends.starts.get(since.getTime()) ?? 0,
  };
  return { log: log as unknown as EventLog, ends, events };
}

/** What quotas do alike on every store: each context is a node. */
export function quotasSuite(name: string, driverOf: () => QuotaDriver): void {
  describe(`quotas on ${name}`, () => {
    let driver: QuotaDriver;
    let join: () => Promise<Store<Doc>>;
    let now: number;
    let fake: ReturnType<typeof fakeLog>;
    let one: KeysContext;
    let other: KeysContext;

    const node = async (): Promise<KeysContext> => {
      const keys = (await join()) as unknown as Store<StoredKey>;
      const masterSecret = "a master secret of more than 32 characters";
      const onError = (_: string, error: unknown) => {
        throw error;
      };
      return openContext({ keys, log: fake.log, masterSecret, keysPerOwner: 10, now: () => now, onError });
    };

    beforeEach(async () => {
      now = noon;
      fake = fakeLog();
      driver = driverOf();
      const { collection, indexes = [], extraCollections = {} } = storeOptions;
      join = await driver.open(Object.entries({ [collection]: indexes, ...extraCollections }));
      [one, other] = [await node(), await node()];
    });
    afterEach(() => driver.close());

    const keyWith = async (quotas: Parameters<typeof createKey>[1]["quotas"]) =>
      (await createKey(one, { owner: "ann", name: "n", ...(quotas && { quotas }) })).data.id;
    const page = (id: string) => ({ id, amounts: { pages: 1 } });
    const used = async (keyId: string, node = one) => (await usesOfKey(node, keyId)).map(each => each.used);
    const types = () => fake.events.map(({ type }) => type);

    test("of 60 charges at once on two nodes exactly as many as are left pass", async () => {
      const id = await keyWith({ day: { pages: 10 }, month: { pages: 100 } });
      const all = await Promise.all(
        Array.from({ length: 60 }, (_, n) => chargeQuotas(n % 2 ? one : other, id, [page(`s${n}`)])),
      );
      expect(all.filter(({ granted }) => granted.length === 1)).toHaveLength(10);
      const refused = all.flatMap(({ refused }) => (refused ? [refused] : []));
      expect(refused).toHaveLength(50);
      expect(refused[0]).toEqual({
        ...{ name: "pages", period: "day", used: 10, limit: 10 },
        resets_at: "2026-11-28T00:00:00.000Z",
      });
      expect(await used(id)).toEqual([10, 10]);
    });

    test("a step that another node repeats is charged once, and given back once", async () => {
      const id = await keyWith({ day: { pages: 5 } });
      for (const each of [one, other, one]) await chargeQuotas(each, id, [page("scrape"), page("more")]);
      expect(await used(id)).toEqual([2]);
      for (const each of [one, other]) await settleCharges(each, id, ["scrape"], false);
      await settleCharges(other, id, ["more"], true);
      expect(await used(id, other)).toEqual([1]);
    });

    test("several charges pass in their order, up to the first that is refused", async () => {
      const id = await keyWith({ month: { deliveries: 3 } });
      const charges = [2, 2, 1].map((deliveries, n) => ({ id: `d${n}`, amounts: { deliveries } }));
      const { granted, refused } = await chargeQuotas(one, id, charges);
      expect([granted, refused?.name]).toEqual([["d0"], "deliveries"]);
      expect(await used(id)).toEqual([2]);
    });

    test("a quota that is raised holds at once, on every node; what was used stays", async () => {
      const id = await keyWith({ day: { pages: 1 } });
      await chargeQuotas(one, id, [page("a")]);
      expect((await chargeQuotas(other, id, [page("b")])).refused).not.toBeNull();
      await updateKey(one, { id, quotas: { day: { pages: 2 } } });
      expect((await chargeQuotas(other, id, [page("b")])).granted).toEqual(["b"]);
      expect((await chargeQuotas(other, id, [page("c")])).refused).toMatchObject({ used: 2, limit: 2 });
      await updateKey(one, { id, quotas: { day: { pages: null } } });
      expect(await chargeQuotas(other, id, [page("c")])).toEqual({
        ...{ granted: ["c"], refused: null, quotas: [] },
      });
    });

    test("the counts are there after a restart, and begin again with the next day", async () => {
      const id = await keyWith({ day: { pages: 2 }, month: { pages: 3 } });
      await chargeQuotas(one, id, [page("a"), page("b")]);
      const restarted = await node();
      expect((await chargeQuotas(restarted, id, [page("c")])).refused?.period).toBe("day");
      now += dayMs;
      expect((await chargeQuotas(restarted, id, [page("c")])).granted).toEqual(["c"]);
      expect((await chargeQuotas(one, id, [page("d")])).refused?.period).toBe("month");
      // What the day before left open is given back to its month alone.
      await settleCharges(one, id, ["a"], false);
      expect(await used(id, restarted)).toEqual([1, 2]);
    });

    test("a key without quotas has no counts, and is in no list", async () => {
      const [without, with_] = [await keyWith(undefined), await keyWith({ day: { pages: 1 } })];
      expect(await keysWithQuotas(one)).toEqual({ ids: [with_] });
      expect((await chargeQuotas(one, without, [page("a")])).granted).toEqual(["a"]);
      const { keys } = await quotasOfKeys(one, [without, with_, "unknown"]);
      expect(keys.map(({ id }) => id)).toEqual([with_]);
      await updateKey(one, { id: with_, quotas: { day: { pages: null } } });
      expect(await keysWithQuotas(other)).toEqual({ ids: [] });
      await updateKey(one, { id: with_, name: "renamed", limits: { concurrentCrawls: 1 } });
      expect(await keysWithQuotas(other)).toEqual({ ids: [] });
    });

    test("two changes at a time to different quotas both hold", async () => {
      const id = await keyWith({ day: { pages: 1 } });
      await Promise.all([
        updateKey(one, { id, quotas: { day: { crawled: 2 } } }),
        updateKey(other, { id, quotas: { month: { pages: 3 } } }),
        updateKey(one, { id, name: "new" }),
      ]);
      const key = await one.keys.findById(id);
      expect(key).toMatchObject({
        name: "new",
        quotas: { day: { pages: 1, crawled: 2 }, month: { pages: 3 } },
      });
    });

    test("a deleted key leaves no counts", async () => {
      const id = await keyWith({ day: { pages: 1 } });
      await chargeQuotas(one, id, [page("a")]);
      await deleteKey(other, id);
      expect(await one.keys.collection("key_quota_counts").findById(id)).toBeNull();
    });

    test("at 80 % and at 100 % the key is told, once, whoever settles", async () => {
      const id = await keyWith({ day: { pages: 5 } });
      for (let n = 0; n < 7; n += 1) {
        const { granted } = await chargeQuotas(n % 2 ? one : other, id, [page(`s${n}`)]);
        if (granted.length > 0) await settleCharges(n % 2 ? other : one, id, granted, true);
        if (n === 2) expect(types()).toEqual([]);
        if (n === 3) expect(types()).toEqual(["quota.warning"]);
      }
      expect(types()).toEqual(["quota.warning", "quota.exceeded"]);
      expect(fake.events[1]?.data).toEqual({
        source: null,
        quota: {
          ...{ name: "pages", period: "day", used: 5, limit: 5 },
          resets_at: "2026-11-28T00:00:00.000Z",
        },
      });
      now += dayMs;
      await chargeQuotas(one, id, [page("next")]);
      expect(types()).toHaveLength(2);
    });

    test("events are counted by the log, over the quota too, and notices are none of them", async () => {
      const id = await keyWith({ day: { events: 10 }, month: { events: 1000 } });
      fake.ends.latest = 100;
      await countLog(one, id);
      fake.ends.latest = 108;
      for (const each of [other, one]) await countLog(each, id);
      expect(await used(id)).toEqual([8, 8]);
      expect(types()).toEqual(["quota.warning"]);
      fake.ends.latest += 5;
      await countLog(other, id);
      expect(types()).toEqual(["quota.warning", "quota.exceeded"]);
      expect(await used(id, other)).toEqual([13, 13]);
      fake.ends.starts.set(Date.parse("2026-11-28T00:00:00.000Z"), fake.ends.latest + 1);
      fake.ends.latest += 4;
      now += dayMs;
      expect(await used(id)).toEqual([3, 17]);
    });

    test("a log that is away refuses no work, and the notice comes later", async () => {
      const id = await keyWith({ day: { pages: 1 } });
      const { append } = fake.log;
      const errors: unknown[] = [];
      const keys = (await join()) as unknown as Store<StoredKey>;
      const away = openContext({
        ...{
          keys,
          log: fake.log,
          masterSecret: "a master secret of more than 32 characters",
          keysPerOwner: 1,
        },
        now: () => now,
        onError: (_, error) => errors.push(error),
      });
      fake.log.append = () => Promise.reject(new Error("The log is away"));
      expect((await chargeQuotas(away, id, [page("a")])).granted).toEqual(["a"]);
      await settleCharges(away, id, ["a"], true);
      expect([errors.length, types()]).toEqual([1, []]);
      fake.log.append = append;
      await countLog(one, id);
      expect(types()).toEqual(["quota.warning", "quota.exceeded"]);
    });
  });
}
