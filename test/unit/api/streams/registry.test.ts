import { setImmediate as yieldToLoop } from "node:timers/promises";
import type { EventStream } from "../../../../services/api/streams/event-stream.ts";
import { Registry } from "../../../../services/api/streams/registry.ts";
import type { Caller } from "../../../../services/contracts/caller.ts";
import { callersOf } from "../../../support/callers.ts";
import { until } from "../../../support/until.ts";

function fakeStream(registry: Registry, keyId: string) {
  const seen = { woken: 0, codes: [] as number[] };
  const stream = {
    keyId,
    scopes: ["read"],
    wake: () => {
      seen.woken += 1;
    },
    end: ({ code }: { code: number }) => {
      seen.codes.push(code);
      registry.remove(stream);
    },
  } as unknown as EventStream;
  registry.add(stream);
  return { seen, stream };
}

test("an append wakes the streams of its keys and no others", () => {
  const registry = new Registry(
    keyIds => callersOf(keyIds),
    () => undefined,
  );
  const [a1, a2, b] = ["a", "a", "b"].map(keyId => fakeStream(registry, keyId).seen);
  registry.wake(["a", "nobody"]);
  expect([a1?.woken, a2?.woken, b?.woken]).toEqual([1, 1, 0]);
});

test("many are woken some at a time, so that not all hold what they read at once", async () => {
  const registry = new Registry(
    keyIds => callersOf(keyIds),
    () => undefined,
  );
  const all = Array.from({ length: 1000 }, (_, n) => fakeStream(registry, `k${n % 10}`).seen);
  const woken = () => all.filter(seen => seen.woken === 1).length;
  registry.wake(Array.from({ length: 10 }, (_, n) => `k${n}`));
  expect(woken()).toBeLessThan(100);
  await yieldToLoop();
  expect(woken()).toBeLessThan(200);
  await until("all are awake", () => woken() === 1000);
});

test("what is removed is forgotten", () => {
  const registry = new Registry(
    keyIds => callersOf(keyIds),
    () => undefined,
  );
  const { stream, seen } = fakeStream(registry, "a");
  registry.remove(stream);
  registry.remove(stream);
  registry.wake(["a"]);
  expect([registry.size, seen.woken]).toEqual([0, 0]);
});

test("a stop ends all with 1001", () => {
  const registry = new Registry(
    keyIds => callersOf(keyIds),
    () => undefined,
  );
  const all = ["a", "a", "b"].map(keyId => fakeStream(registry, keyId).seen);
  registry.endAll();
  expect(all.map(({ codes }) => codes)).toEqual([[1001], [1001], [1001]]);
  expect(registry.size).toBe(0);
});

test("keys are looked up again and again, each of more than a round takes; who has lost theirs is ended", async () => {
  const asked = new Map<string, number>();
  let rounds = 0;
  const registry = new Registry(
    async keyIds => {
      rounds += 1;
      if (rounds === 2) throw new Error("The keys service is away.");
      for (const keyId of keyIds) asked.set(keyId, (asked.get(keyId) ?? 0) + 1);
      return callersOf(keyIds.filter(keyId => keyId !== "k1199" || asked.get(keyId) !== 2));
    },
    () => undefined,
  );
  const streams = Array.from({ length: 1250 }, (_, at) => fakeStream(registry, `k${at}`).seen);
  registry.startRechecking(1);
  await until("the deleted one is ended", () => streams[1199]?.codes.length === 1);
  registry.stopRechecking();
  expect(asked.size).toBe(1250);
  expect(streams.filter(({ codes }) => codes.length > 0)).toHaveLength(1);
  expect(streams[1199]?.codes).toEqual([4401]);
});

test.each<[string, Partial<Caller>, number[]]>([
  ["may do everything", {}, []],
  ["may read", { scopes: ["scrape", "read"] }, []],
  ["has lost the scope", { scopes: ["scrape"] }, [4403]],
  ["ends later", { expiresAt: "2026-11-28T12:00:00.001Z" }, []],
  ["has expired", { expiresAt: "2026-11-28T12:00:00.000Z" }, [4401]],
])("a stream of a key that %s", async (_, bounds, codes) => {
  const registry = new Registry(
    keyIds => callersOf(keyIds, bounds),
    () => undefined,
    () => Date.parse("2026-11-28T12:00:00Z"),
  );
  const { seen } = fakeStream(registry, "a");
  await registry.checkKey("a");
  expect(seen.codes).toEqual(codes);
});
