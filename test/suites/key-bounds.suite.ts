import { jest } from "@jest/globals";
import type { EventLog } from "../../mixins/event-log/event-log.ts";
import type { Store } from "../../mixins/store/store.ts";
import type { Use } from "../../services/domain/crawl/content-usage.ts";
import { authenticate, createKey, keysWithUses, updateKey } from "../../services/keys/api-keys.ts";
import { type KeysContext, openContext, type StoredKey, storeOptions } from "../../services/keys/context.ts";
import { listKeys } from "../../services/keys/key-lists.ts";
import { findCallers } from "../../services/keys/sessions.ts";
import { countUsage } from "../../services/keys/usage.ts";
import { Life } from "../support/mortal.ts";
import type { QuotaDriver } from "./quotas.suite.ts";

const noon = Date.parse("2026-11-27T12:00:00.000Z");

/** What the scopes, the end and the last use of keys do alike on every store. */
export function keyBoundsSuite(name: string, driverOf: () => QuotaDriver): void {
  describe(`bounds of keys on ${name}`, () => {
    let driver: QuotaDriver;
    let context: KeysContext;
    let keys: Store<StoredKey>;

    beforeEach(async () => {
      driver = driverOf();
      const { collection, indexes = [], extraCollections = {} } = storeOptions;
      const join = await driver.open(Object.entries({ [collection]: indexes, ...extraCollections }));
      keys = (await join()) as unknown as Store<StoredKey>;
      context = contextOf(keys);
    });
    afterEach(() => driver.close());

    const listed = async () => (await listKeys(context, { limit: 10 })).data[0];

    test.each(["death", "lost answer"] as const)(
      "a request for a key that is repeated after the %s of a process makes one, with its value",
      async end => {
        for (let last = 0, isStruck = true; isStruck; last += 1) {
          const wanted = { owner: `ann-${last}`, name: "n" };
          const asked = { idempotencyKey: `${end} ${last}` };
          const dying = contextOf(new Life(last, end).with(keys));
          const first = await createKey(dying, wanted, asked).catch(() => undefined);
          isStruck = first === undefined;
          const again = await createKey(context, wanted, asked);
          if (first) expect(again).toEqual(first);
          expect(await createKey(context, wanted, asked)).toEqual(again);
          expect(await authenticate(context, again.data.key)).toMatchObject({ keyId: again.data.id });
          const count = await keys.count({ owner: wanted.owner });
          expect({ last, count }).toEqual({ last, count: 1 });
        }
      },
    );

    test("a key is made with bounds, a change keeps what it does not name, and null takes one away", async () => {
      const expires_at = "2026-12-01T01:00:00+01:00";
      const { data } = await createKey(context, { owner: "ann", name: "n", scopes: ["read"], expires_at });
      const end = "2026-12-01T00:00:00.000Z";
      expect(data).toMatchObject({ scopes: ["read"], expires_at: end, last_used_at: null });
      expect(await authenticate(context, data.key)).toMatchObject({ scopes: ["read"], expiresAt: end });
      await updateKey(context, { id: data.id, name: "other" });
      expect(await listed()).toMatchObject({ name: "other", scopes: ["read"], expires_at: end });
      await updateKey(context, { id: data.id, scopes: null });
      expect(await listed()).toMatchObject({ scopes: null, expires_at: end });
      await updateKey(context, { id: data.id, scopes: ["track", "read"], expires_at: null });
      expect(await findCallers(context, [data.id, "gone"])).toEqual([
        { keyId: data.id, owner: "ann", limits: data.limits, scopes: ["track", "read"] },
      ]);
    });

    test("what a key wants content for is kept, found by an index, and taken away by null", async () => {
      const content_uses: Use[] = ["train_ai", "tdm"];
      const { data } = await createKey(context, { owner: "ann", name: "n", content_uses });
      await createKey(context, { owner: "ann", name: "other" });
      expect(data).toMatchObject({ content_uses });
      expect(await authenticate(context, data.key)).toMatchObject({ contentUses: content_uses });
      await updateKey(context, { id: data.id, name: "renamed" });
      expect(await keysWithUses(context)).toEqual({ keys: [{ id: data.id, uses: content_uses }] });
      await updateKey(context, { id: data.id, content_uses: null });
      expect(await keysWithUses(context)).toEqual({ keys: [] });
      expect(await authenticate(context, data.key)).not.toHaveProperty("contentUses");
    });

    test("the last use is the latest minute of any gateway, and is written when it grows", async () => {
      const { data } = await createKey(context, { owner: "ann", name: "n" });
      const used = (usedAt: string) =>
        countUsage(context, [{ keyId: data.id, day: usedAt.slice(0, 10), requests: 1, usedAt }]);
      const updated = jest.spyOn(context.keys, "update");
      await used("2026-11-27T12:01:00.000Z");
      await used("2026-11-27T12:01:00.000Z");
      await used("2026-11-27T12:00:00.000Z");
      expect(updated).toHaveBeenCalledTimes(1);
      expect(await listed()).toMatchObject({ last_used_at: "2026-11-27T12:01:00.000Z" });
      await used("2026-11-27T12:02:00.000Z");
      expect(await listed()).toMatchObject({ last_used_at: "2026-11-27T12:02:00.000Z" });
    });
  });
}

function contextOf(keys: Store<StoredKey>): KeysContext {
  return openContext({
    keys,
    log: {} as EventLog,
    masterSecret: "a master secret of more than 32 characters",
    keysPerOwner: 10,
    now: () => noon,
    onError: (_, error) => {
      throw error;
    },
  });
}
