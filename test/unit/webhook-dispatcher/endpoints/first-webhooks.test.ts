import type { Store } from "../../../../mixins/store/store.ts";
import { FirstWebhooks } from "../../../../services/webhook-dispatcher/endpoints/first-webhooks.ts";
import {
  lanesCollection,
  type StoredEndpoint,
  type StoredLane,
} from "../../../../services/webhook-dispatcher/webhooks.store.ts";

interface Stored {
  _id: string;
}

/** Collections whose reads are counted and may be held up. */
function setUp(isShared = false) {
  const seen = { reads: 0, held: Promise.resolve(), now: 0 };
  const collectionOf = () => {
    const docs = new Map<string, Stored>();
    return {
      isShared,
      find: async () => {
        seen.reads += 1;
        const found = [...docs.values()];
        await seen.held;
        return found;
      },
      findById: async (id: string) => docs.get(id) ?? null,
      change: async (id: string, work: (doc: Stored | null) => Stored | null) => {
        const after = work(docs.get(id) ?? null);
        if (after) docs.set(id, after);
        else docs.delete(id);
        return after;
      },
    };
  };
  const lanes = collectionOf();
  const store = { ...collectionOf(), collection: () => lanes } as unknown as Store<StoredEndpoint>;
  const webhooks = new FirstWebhooks(store, () => seen.now);
  const endpoint = (url: string) => ({ _id: "k", url, addedAt: 1 }) as unknown as StoredEndpoint;
  const lane = (status: string) => ({ _id: "k", status }) as unknown as StoredLane;
  return {
    ...{ seen, webhooks },
    write: (url: string | null) => webhooks.store.change("k", () => (url === null ? null : endpoint(url))),
    writeLane: (status: string) =>
      webhooks.store.collection<StoredLane>(lanesCollection).change("k", () => lane(status)),
    // Another thread or a repair, which nothing notices.
    writeElsewhere: (status: string) => lanes.change("k", () => lane(status)),
    read: async () => {
      const found = await webhooks.of("k");
      return found && [found.url, found.status];
    },
  };
}

test("it is read once until it changes, and that there is none is kept as well", async () => {
  const { seen, write, read } = setUp();
  expect([await read(), await read(), seen.reads]).toEqual([null, null, 1]);
  await write("https://a.example");
  expect([await read(), await read(), seen.reads]).toEqual([
    ...[
      ["https://a.example", undefined],
      ["https://a.example", undefined],
    ],
    2,
  ]);
  await write("https://b.example");
  expect([await read(), seen.reads]).toEqual([["https://b.example", undefined], 3]);
  await write(null);
  expect([await read(), seen.reads]).toEqual([null, 4]);
});

test("a change of its lane shows at once", async () => {
  const { write, writeLane, read } = setUp();
  await write("https://a.example");
  await writeLane("ACTIVE");
  expect(await read()).toEqual(["https://a.example", "ACTIVE"]);
  await writeLane("FAILED");
  expect(await read()).toEqual(["https://a.example", "FAILED"]);
});

test("a change that nothing notices shows after a moment, or when it is told", async () => {
  const { seen, webhooks, write, writeElsewhere, read } = setUp();
  await write("https://a.example");
  expect(await read()).toEqual(["https://a.example", undefined]);
  await writeElsewhere("FAILED");
  seen.now = 799;
  expect(await read()).toEqual(["https://a.example", undefined]);
  seen.now = 800;
  expect(await read()).toEqual(["https://a.example", "FAILED"]);
  await writeElsewhere("ACTIVE");
  webhooks.forget("k");
  expect(await read()).toEqual(["https://a.example", "ACTIVE"]);
});

test("a read that was under way during a change is not kept", async () => {
  const { seen, write, read } = setUp();
  await write("https://a.example");
  const held = Promise.withResolvers<void>();
  seen.held = held.promise;
  const early = read();
  await write("https://b.example");
  held.resolve();
  expect(await early).toEqual(["https://a.example", undefined]);
  expect(await read()).toEqual(["https://b.example", undefined]);
});

test("a failure is not kept", async () => {
  const { seen, read } = setUp();
  seen.held = Promise.reject(new Error("no disk"));
  await expect(read()).rejects.toThrow("no disk");
  seen.held = Promise.resolve();
  expect(await read()).toBeNull();
});

test("nodes of a cluster keep nothing", async () => {
  const { seen, write, read } = setUp(true);
  await write("https://a.example");
  await read();
  await read();
  expect(seen.reads).toBe(2);
});
