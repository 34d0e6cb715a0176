import type { Store } from "../../../mixins/store/store.ts";
import { fail } from "../../../services/contracts/errors.ts";
import { AttemptList } from "../../../services/webhook-dispatcher/lanes/attempt-list.ts";
import type { StoredDelivery } from "../../../services/webhook-dispatcher/webhooks.store.ts";

const attempt = (n: number) => ({ _id: String(n) }) as StoredDelivery;
let stored: Set<string>;
let faults: unknown[];

/** Refuses so many writes; then one whose answer was lost has been done. */
function listOver(refusals: number): AttemptList {
  let left = refusals;
  const insert = async (doc: StoredDelivery) => {
    left -= 1;
    if (left >= 0) throw fail("overloaded", "Away.");
    if (stored.has(doc._id)) throw fail("conflict", "There is one.");
    stored.add(doc._id);
    return doc;
  };
  const insertMany = async (docs: StoredDelivery[]) => {
    if (left <= 0) return await Promise.all(docs.map(insert));
    left -= 1;
    stored.add(docs[0]?._id ?? "");
    throw fail("overloaded", "The answer was lost.");
  };
  const store = { insert, insertMany } as unknown as Store<StoredDelivery>;
  return new AttemptList(store, { error: (_, of) => faults.push(of) }, [1, 1, 1, 1]);
}

beforeEach(() => {
  stored = new Set();
  faults = [];
});

test.each([
  ["a store that answers", 0, []],
  ["a store whose answer was lost", 1, []],
  ["a store that is away for a moment", 4, []],
  ["a store that is away for long", 600, [256, 44]],
])("%s", async (_, refusals, unlisted) => {
  const list = listOver(refusals);
  list.add(Array.from({ length: 200 }, (_, n) => attempt(n)));
  list.add(Array.from({ length: 100 }, (_, n) => attempt(200 + n)));
  await list.idle();
  expect(faults).toEqual(unlisted.map(attempts => ({ attempts, error: expect.any(Error) })));
  if (unlisted.length === 0) expect(stored.size).toBe(300);
});
