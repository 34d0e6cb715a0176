import { encodeTime } from "ulid";
import { idAfter } from "../../../../services/webhook-dispatcher/journal/attempt-ids.ts";
import {
  attemptIn,
  attemptsIn,
  eventsWith,
  rowsOf,
} from "../../../../services/webhook-dispatcher/journal/attempt-rows.ts";
import type { Attempted } from "../../../../services/webhook-dispatcher/webhooks.store.ts";

const now = Date.now();
const eventAt = (ms: number, n: number) => `evt_${encodeTime(ms, 10)}${String(n).padStart(16, "0")}`;
const made = (n: number, of: Partial<Attempted> = {}): Attempted => ({
  keyId: "k",
  webhookId: "w",
  event_id: eventAt(now, n),
  type: "rss.item.created",
  seq: n,
  url: "https://hooks.example/",
  attempt: 1,
  outcome: "succeeded",
  http_status: 200,
  error: null,
  duration_ms: 5,
  answer: "ok",
  startedAt: now + n,
  ...of,
});
const numbers = (rows: ReturnType<typeof rowsOf>) => rows.map(row => row.each.map(([, seq]) => seq));

test("a row has the attempts of one write with one outcome; a dead one is alone", () => {
  const failed = { outcome: "failed", http_status: 500, error: "status_500" } as const;
  const dead = { ...failed, outcome: "dead" } as const;
  const rows = rowsOf(
    [made(1), made(2, failed), made(3), made(4, dead), made(5, dead), made(6, failed), made(7)],
    now,
  );
  expect(numbers(rows)).toEqual([[1, 3, 7], [2, 6], [4], [5]]);
  expect(rows.map(({ failedAs }) => failedAs)).toEqual([undefined, "failed", "dead", "dead"]);
});

test.each<[string, Partial<Attempted>]>([
  ["another key", { keyId: "other" }],
  ["another endpoint of the key", { webhookId: undefined as never, endpoint: "w2" }],
  ["another address", { url: "https://hooks.example/new" }],
  ["an event of another hour", { event_id: eventAt(now - 3_600_000, 2) }],
])("%s has another row", (_, other) => {
  expect(numbers(rowsOf([made(1), made(2, other), made(3, other)], now))).toEqual([
    [1],
    expect.arrayContaining([2]),
  ]);
});

test("what differs within a row is kept: answers, types, statuses, the number of the attempt, times", () => {
  const attempts = [
    made(1),
    made(2, { answer: "receipt 2", duration_ms: 9, startedAt: now - 50 }),
    made(3, { type: "webhook.test", attempt: 4 }),
    made(4, { http_status: 204, answer: "" }),
    made(5, { error: "odd" as never, seq: undefined as never }),
  ];
  const [row, ...others] = rowsOf(attempts, now);
  expect(others).toEqual([]);
  const listed = row ? attemptsIn(row).reverse() : [];
  for (const [n, { startedAt, seq, ...attempt }] of attempts.entries())
    expect(listed[n]).toEqual({
      ...attempt,
      ...(seq !== undefined && { seq }),
      _id: idAfter(row?._id ?? "", n),
      at: new Date(startedAt).toISOString(),
    });
  expect(row && attemptIn(row, idAfter(row._id, 2))).toEqual(listed[2]);
  expect(row && attemptIn(row, idAfter(row._id, 5))).toBeUndefined();
});

test("no row has more than 128, whose ids follow those of the row before", () => {
  const rows = rowsOf(
    Array.from({ length: 300 }, (_, n) => made(n)),
    now,
  );
  expect(rows.map(({ each }) => each.length)).toEqual([128, 128, 44]);
  expect(rows.map(({ _id }) => _id)).toEqual(rows.map(({ _id }) => _id).sort());
});

test("a row is found by each of its events, and says more the nearer they are to one another", () => {
  const spans: [number, number][] = [
    [0, 30],
    [20, 14],
    [900, 12],
    [30_000, 11],
    [1_000_000, 10],
  ];
  const from = Math.ceil(now / 1_048_576) * 1_048_576;
  for (const [apart, length] of spans) {
    const events =
      apart === 0 ? [eventAt(from, 1), eventAt(from, 1)] : [eventAt(from, 1), eventAt(from + apart, 2)];
    const [row, ...others] = rowsOf(
      events.map(event_id => made(1, { event_id })),
      now,
    );
    expect(others).toEqual([]);
    expect(row?.events.length).toBeLessThanOrEqual(Math.max(length, 10));
    for (const id of events) expect(eventsWith(id)).toContain(row?.events);
    expect(row && attemptsIn(row, events[1]).map(({ event_id }) => event_id)).toEqual(
      apart === 0 ? events : [events[1]],
    );
  }
  expect(eventsWith("evt")).toEqual(["evt"]);
  expect(eventsWith(eventAt(now, 1))).toHaveLength(6);
});
