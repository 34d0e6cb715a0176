import { setImmediate as yieldToLoop } from "node:timers/promises";
import { findPicked, pagesOf } from "../../../mixins/store/pages.ts";
import type { FindOptions } from "../../../mixins/store/store.ts";

interface Bird {
  _id: string;
}

const chunk = 500;

/** A store of many documents in the order of their ids, which counts those that it gives. */
function flock(size: number) {
  const birds = Array.from({ length: size }, (_, n) => ({ _id: String(n).padStart(6, "0") }));
  const store = {
    read: 0,
    async find({ query = {}, limit = size }: FindOptions<Bird> = {}): Promise<Bird[]> {
      const { $gt = "" } = (query._id ?? {}) as { $gt?: string };
      const found = birds.slice($gt === "" ? 0 : Number($gt) + 1).slice(0, limit);
      store.read += found.length;
      return found;
    },
  };
  return store;
}

const pick = (isWanted: (id: string) => boolean) => async (birds: Bird[]) =>
  birds.map(({ _id }) => (isWanted(_id) ? _id : undefined));

test("a page of picked rows ends at its limit, and the next one begins there", async () => {
  const store = flock(1000);
  const even = { limit: 3, chunk: 7, pick: pick(id => Number(id) % 2 === 0) };
  const first = await findPicked<Bird, string>(store, even);
  expect(first).toEqual({ rows: ["000000", "000002", "000004"], next_cursor: "000004" });
  const next = await findPicked<Bird, string>(store, { ...even, cursor: "000004" });
  expect(next.rows).toEqual(["000006", "000008", "000010"]);
});

test("the last page has no cursor, also when it is full", async () => {
  const all = { chunk, pick: pick(() => true) };
  expect(await findPicked<Bird, string>(flock(3), { ...all, limit: 3 })).toMatchObject({ next_cursor: null });
  expect(await findPicked<Bird, string>(flock(0), { ...all, limit: 3 })).toEqual({
    rows: [],
    next_cursor: null,
  });
});

test("one page reads a bounded number of documents, and the next one continues after them", async () => {
  const store = flock(25_000);
  const last = { limit: 3, chunk, pick: pick(id => id === "024999") };
  const first = await findPicked<Bird, string>(store, last);
  expect(first).toEqual({ rows: [], next_cursor: "009999" });
  // One beyond each chunk says that there is more.
  expect(store.read).toBe(10_000 + 10_000 / chunk);
  const second = await findPicked<Bird, string>(store, { ...last, cursor: "009999" });
  expect(second).toEqual({ rows: [], next_cursor: "019999" });
  const third = await findPicked<Bird, string>(store, { ...last, cursor: "019999" });
  expect(third).toEqual({ rows: ["024999"], next_cursor: null });
});

test("other work runs between two pages, also of a store that answers at once", async () => {
  let turns = 0;
  let isReading = true;
  const others = (async () => {
    for (; isReading; turns += 1) await yieldToLoop();
  })();
  const pages: number[] = [];
  const signal = new AbortController().signal;
  for await (const page of pagesOf<Bird>(flock(50), { limit: 10, signal })) pages.push(page.length);
  isReading = false;
  await others;
  expect(pages).toEqual([10, 10, 10, 10, 10]);
  expect(turns).toBeGreaterThanOrEqual(4);
});
