import type { FindOptions } from "../../../../mixins/store/store.ts";
import { rowsOf } from "../../../../services/webhook-dispatcher/journal/attempt-rows.ts";
import {
  allOfEvent,
  findAttempts,
  findOfEvent,
} from "../../../../services/webhook-dispatcher/journal/find-attempts.ts";
import type { Attempted, StoredAttempts } from "../../../../services/webhook-dispatcher/webhooks.store.ts";

const now = Date.now();
const many = 20_000;
/** More attempts than a page for an event reads. */
const turns = 8;
const wanted = "evt_01KB4S8EK5AAAAAAAAAAAAAAAA";
/** In 160 rows; the event is the very first one, and one in the middle. */
const attempts = Array.from(
  { length: many },
  (_, n) =>
    ({
      ...{ keyId: "k", type: "rss.item.created", url: "", attempt: 1, outcome: "succeeded", answer: "" },
      event_id: n % 10_000 === 0 ? wanted : `evt_01KB4S8EK5${String(n).padStart(16, "0")}`,
      ...{ http_status: n, error: null, duration_ms: 1, startedAt: now },
    }) as Attempted,
);
let rows = rowsOf(attempts, now);
let [read, mostAtOnce] = [0, 0];

/** The rows of which some are of the event, in their order, as an index finds them. */
const store = {
  find: async ({ query = {}, limit = 1 }: FindOptions<StoredAttempts>) => {
    const { _id, events } = query as { _id?: { $lt: string }; events?: string };
    const found = rows
      .filter(row => (events === undefined || row.events === events) && (!_id || row._id < _id.$lt))
      .reverse()
      .slice(0, limit);
    read += found.length;
    mostAtOnce = Math.max(
      mostAtOnce,
      found.reduce((sum, { each }) => sum + each.length, 0),
    );
    return found;
  },
};

async function pages(
  next: (cursor?: string) => ReturnType<typeof findAttempts>,
): Promise<{ numbers: (number | null)[]; sizes: number[] }> {
  const [numbers, sizes]: [(number | null)[], number[]] = [[], []];
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const page = await next(cursor);
    numbers.push(...page.attempts.map(({ http_status }) => http_status));
    sizes.push(page.attempts.length);
    cursor = page.next_cursor;
  }
  return { numbers, sizes };
}

beforeEach(() => {
  rows = rowsOf(attempts, now);
  [read, mostAtOnce] = [0, 0];
});

test("an event is on one page among many others of its time", async () => {
  const { numbers, sizes } = await pages(cursor =>
    findOfEvent(store, "k", { event_id: wanted, cursor, limit: 50 }),
  );
  expect([numbers, sizes]).toEqual([[10_000, 0], [2]]);
});

test("a page that finds little ends after a bounded number of attempts, and the next one continues there", async () => {
  for (let n = 1; n < turns; n += 1) rows.push(...rowsOf(attempts, now));
  const { numbers, sizes } = await pages(cursor =>
    findOfEvent(store, "k", { event_id: wanted, cursor, limit: 50 }),
  );
  expect(numbers).toEqual(Array.from({ length: turns }, () => [10_000, 0]).flat());
  expect(sizes.length).toBeGreaterThan(1);
});

test("all attempts of an event are found among any number of others, and few are read at a time", async () => {
  const found = await allOfEvent(store, "k", { event_id: wanted });
  expect(found.map(({ http_status }) => http_status).sort()).toEqual([0, 10_000]);
  expect(mostAtOnce).toBeLessThanOrEqual(2_048);
  const none = await allOfEvent(store, "k", { event_id: wanted, fits: ({ keyId }) => keyId !== "k" });
  expect(none).toEqual([]);
});

test("a page reads few rows beyond those that it shows", async () => {
  const page = await findAttempts(store, { query: {}, limit: 100 });
  expect(page.attempts.map(({ http_status }) => http_status)).toEqual(
    Array.from({ length: 100 }, (_, n) => many - 1 - n),
  );
  expect(read).toBeLessThanOrEqual(8);
});

test("pages of any size show each attempt once", async () => {
  for (const limit of [999, 5_000]) {
    const { numbers } = await pages(cursor => findAttempts(store, { query: {}, cursor, limit }));
    expect(numbers).toEqual(Array.from({ length: many }, (_, n) => many - 1 - n));
  }
});
