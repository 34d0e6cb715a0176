import type { Store } from "../../../../mixins/store/store.ts";
import { fail } from "../../../../services/contracts/errors.ts";
import { AttemptList } from "../../../../services/webhook-dispatcher/journal/attempt-list.ts";
import type { Attempted, StoredAttempts } from "../../../../services/webhook-dispatcher/webhooks.store.ts";

/** Each has a row for itself. */
const attempt = (n: number) => ({ event_id: String(n), outcome: "dead" }) as Attempted;
let stored: Set<string>;
let faults: unknown[];

/** Refuses so many requests; the first refused write has stored one of its documents. */
function listOver(refusals: number): AttemptList {
  let left = refusals;
  const answer = async () => {
    left -= 1;
    if (left >= 0) throw fail("overloaded", "Away.");
  };
  const valuesOf = async (_: string[], query: { _id: { $in: string[] } }) => {
    await answer();
    return query._id.$in.filter(id => stored.has(id)).map(id => [id]);
  };
  const insertMany = async (docs: StoredAttempts[]) => {
    if (left > 0) stored.add(docs[0]?._id ?? "");
    await answer();
    if (docs.some(({ _id }) => stored.has(_id))) throw fail("conflict", "There is one.");
    for (const { _id } of docs) stored.add(_id);
    return docs;
  };
  const store = { valuesOf, insertMany } as unknown as Store<StoredAttempts>;
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
