import type { EventLog } from "../../mixins/event-log/event-log.ts";
import type { Store } from "../../mixins/store/store.ts";
import { countNaming, forgetNames, keepAct, pruneActs, readActs } from "../../services/keys/audit.ts";
import { type KeysContext, openContext, type StoredKey, storeOptions } from "../../services/keys/context.ts";
import type { QuotaDriver } from "./quotas.suite.ts";

const idAt = (second: number) => `evt_01JQ4T5W${String(second).padStart(2, "0")}7Y8Z9ABCDEFGHJKM`;
const timeAt = (second: number) => new Date(Date.parse("2025-03-25T09:30:00.000Z") + second).toISOString();

type Role = "admin" | "owner" | "key" | "nobody";

const act = (second: number, role: Role, owner: string | null, key_id: string | null, operation: string) => ({
  id: idAt(second),
  timestamp: timeAt(second),
  data: {
    actor: { role, owner, key_id, signed_in: role === "owner" },
    operation,
    path: { id: "x" },
    fields: ["name"],
    target: null,
    status: 200,
    code: null,
    request_id: "r",
    client: "192.0.2.1",
  },
});

const acts = [
  act(10, "admin", null, null, "createApiKey"),
  act(11, "key", "ann", "k1", "track"),
  act(12, "owner", "ann", null, "createOwnKey"),
  act(13, "admin", null, "k1", "track"),
  act(14, "key", "bob", "k2", "untrack"),
];

/** What the audit log does alike on every store. */
export function auditSuite(name: string, driverOf: () => QuotaDriver): void {
  describe(`the audit log on ${name}`, () => {
    let driver: QuotaDriver;
    let context: KeysContext;

    beforeEach(async () => {
      driver = driverOf();
      const { collection, indexes = [], extraCollections = {} } = storeOptions;
      const join = await driver.open(Object.entries({ [collection]: indexes, ...extraCollections }));
      context = openContext({
        keys: (await join()) as unknown as Store<StoredKey>,
        log: {} as EventLog,
        masterSecret: "a master secret of more than 32 characters",
        keysPerOwner: 10,
        now: Date.now,
        onError: (_, error) => {
          throw error;
        },
      });
      for (const each of acts) await keepAct(context, each);
    });
    afterEach(() => driver.close());

    const read = async (filters: object = {}, order: "newest first" | "oldest first" = "oldest first") => {
      const seconds: number[] = [];
      for (let cursor: string | undefined; ; ) {
        const page = await readActs(context, { limit: 2, ...filters, ...(cursor && { cursor }) }, order);
        seconds.push(...page.data.map(({ id }) => Number(id.slice(12, 14))));
        if (page.next_cursor === null) return seconds;
        cursor = page.next_cursor;
      }
    };

    test("an act is read as it was kept, and once however often it is kept", async () => {
      for (const each of acts) await keepAct(context, each);
      const { data } = await readActs(context, { limit: 10 }, "oldest first");
      expect(data).toEqual(acts.map(each => ({ ...each, type: `audit.${each.data.operation}` })));
    });

    test("pages have every act once, in both orders", async () => {
      expect(await read()).toEqual([10, 11, 12, 13, 14]);
      expect(await read({}, "newest first")).toEqual([14, 13, 12, 11, 10]);
    });

    test.each<[object, number[]]>([
      [{ actor: "admin" }, [10, 13]],
      [{ owner: "ann" }, [11, 12]],
      [{ key_id: "k1" }, [11, 13]],
      [{ type: "track" }, [11, 13]],
      [{ type: "audit.track", actor: "key" }, [11]],
      [{ type: "tracks" }, []],
      [{ since: "2000-01-01" }, [10, 11, 12, 13, 14]],
      [{ until: "2000-01-01" }, []],
      [{ since: "2100-01-01T00:00:00Z" }, []],
      [{ since: "2000-01-01", until: "2100-01-01", owner: "bob" }, [14]],
    ])("%j finds what it names", async (filters, found) => {
      expect(await read(filters)).toEqual(found);
      expect(await read(filters, "newest first")).toEqual(found.toReversed());
    });

    test("a time that is none is refused by its name", async () => {
      await expect(read({ since: "soon" })).rejects.toMatchObject({ type: "validation_failed" });
    });

    test("a refused sign-in names an owner that exists, and nobody else", async () => {
      await context.owners.upsert("ann", { $set: { folded: "ann" } });
      await keepAct(context, act(20, "nobody", "ann", null, "signIn"));
      await keepAct(context, act(21, "nobody", "my secret password", null, "signIn"));
      const { data } = await readActs(context, { limit: 10, actor: "nobody" }, "oldest first");
      expect(data.map(each => each.data.actor.owner)).toEqual(["ann", null]);
    });

    test("who is erased is named by no act, and all else stays", async () => {
      const { data } = act(20, "admin", null, null, "createOwnerLink");
      await keepAct(context, {
        ...act(20, "admin", null, null, ""),
        data: { ...data, path: { owner: " ann" } },
      });
      await keepAct(context, {
        ...act(21, "admin", null, null, ""),
        data: { ...data, path: {}, target: "k1" },
      });
      const whose = { owner: "ann", keyIds: ["k1"] };
      expect(await countNaming(context, whose)).toBe(5);
      await forgetNames(context, whose);
      expect(await countNaming(context, whose)).toBe(0);
      const gone = "(erased)";
      const found = (await readActs(context, { limit: 20 }, "oldest first")).data;
      expect(JSON.stringify(found)).not.toMatch(/\bann\b|\bk1\b/);
      expect(
        found.map(({ data: { actor, path, target, client } }) => [
          actor.owner,
          actor.key_id,
          path,
          target,
          client,
        ]),
      ).toEqual([
        [null, null, { id: "x" }, null, "192.0.2.1"],
        [gone, gone, { id: "x" }, null, gone],
        [gone, null, { id: "x" }, null, gone],
        [null, gone, { id: "x" }, null, "192.0.2.1"],
        ["bob", "k2", { id: "x" }, null, "192.0.2.1"],
        [null, null, { owner: gone }, null, "192.0.2.1"],
        [null, null, {}, gone, "192.0.2.1"],
      ]);
      // The word itself may be the name of an owner.
      await forgetNames(context, { owner: gone, keyIds: [] });
      expect(await countNaming(context, { owner: gone, keyIds: [] })).toBe(0);
    });

    test("an erased key takes no name of its owner along", async () => {
      await forgetNames(context, { keyIds: ["k1"] });
      const { data } = await readActs(context, { limit: 20, owner: "ann" }, "oldest first");
      expect(data.map(({ data: { actor, client } }) => [actor.key_id, client])).toEqual([
        ["(erased)", "(erased)"],
        [null, "192.0.2.1"],
      ]);
    });

    test("what is older than the retention goes, and nothing else", async () => {
      const { signal } = new AbortController();
      const many = Array.from({ length: 1200 }, (_, n) => ({
        ...act(0, "admin", null, null, "track"),
        id: `evt_00000000${String(n).padStart(4, "0")}`,
      }));
      for (const each of many) await keepAct(context, each);
      expect(await pruneActs(context, Date.parse("2020-01-01"), signal)).toBe(1200);
      expect(await read()).toEqual([10, 11, 12, 13, 14]);
      expect(await pruneActs(context, Date.parse("2100-01-01"), signal)).toBe(5);
      expect(await read()).toEqual([]);
    });
  });
}
