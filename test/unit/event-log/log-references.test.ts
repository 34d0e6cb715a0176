import { readReferenced, type Sources } from "../../../mixins/event-log/log-references.ts";
import { codeOf } from "../../../services/contracts/errors.ts";

const minuteMs = 60_000;
const old = 100 * minuteMs;

/** A log whose entries have bodies of these sizes, or none; records how many were read at a time. */
function sourcesOf(sizes: (number | null)[], now = old) {
  const asked: number[] = [];
  const entries = sizes.map((_, n) => ({ seq: n + 1, at: 0, body: String(n) }));
  const sources: Sources = {
    server: { read: async (_, after, limit) => entries.slice(after, after + limit) },
    bodies: {
      read: async references => {
        asked.push(references.length);
        return references.map(reference => {
          const size = sizes[Number(reference)];
          const data = JSON.stringify("x".repeat((size ?? 0) - 2 > 0 ? (size ?? 0) - 2 : 0));
          const stored = {
            _id: reference,
            bodyId: reference,
            type: "webhook.test" as const,
            source: null,
            at: 0,
          };
          return size === null ? undefined : { ...stored, timestamp: "2026-01-01T00:00:00.000Z", data };
        });
      },
    },
    now: () => now,
  };
  return { sources, asked };
}
const many = <Value>(count: number, value: Value): Value[] => Array.from({ length: count }, () => value);
const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, n) => from + n);

test.each<{
  name: string;
  sizes: (number | null)[];
  after?: number;
  events?: number;
  bytes?: number;
  expected: { seqs: number[]; more: boolean; asked: number[] };
}>([
  { name: "nothing", sizes: [], expected: { seqs: [], more: false, asked: [] } },
  { name: "all there is", sizes: many(3, 10), expected: { seqs: [1, 2, 3], more: false, asked: [3] } },
  {
    name: "small ones with two questions",
    sizes: many(200, 10),
    events: 128,
    expected: { seqs: range(1, 128), more: true, asked: [16, 112] },
  },
  {
    name: "large ones some at a time, until there is enough",
    sizes: many(64, 1000),
    bytes: 40_000,
    expected: { seqs: range(1, 40), more: true, asked: [16, 24, 16] },
  },
  {
    name: "one that is too large by itself",
    sizes: [90_000, 10],
    bytes: 100,
    expected: { seqs: [1], more: true, asked: [2] },
  },
  {
    name: "what comes before one that is no more",
    sizes: [10, 10, null, 10],
    expected: { seqs: [1, 2], more: true, asked: [4] },
  },
  {
    name: "what comes after some that are no more",
    sizes: [10, null, null, 10, 10],
    after: 1,
    expected: { seqs: [4, 5], more: false, asked: [4] },
  },
  {
    name: "the first after more than a portion that is no more",
    sizes: [...many(50, null), 10],
    events: 20,
    expected: { seqs: [51], more: false, asked: [16, 4, 16, 4, 11] },
  },
])("reads $name", async ({ sizes, after = 0, events = 64, bytes = 1e5, expected }) => {
  const { sources, asked } = sourcesOf(sizes);
  const read = await readReferenced(sources, "k1", after, { events, bytes });
  expect({ seqs: read.events.map(({ seq }) => seq), more: read.more, asked }).toEqual(expected);
});

test("waits for a body that may be there and not be seen yet", async () => {
  const read = (now: number, after: number) =>
    readReferenced(sourcesOf([10, null, 10], now).sources, "k1", after, { events: 9, bytes: 1e5 }).then(
      ({ events }) => events.map(({ seq }) => seq),
      codeOf,
    );
  expect(await read(minuteMs - 1, 0)).toEqual([1]);
  expect(await read(minuteMs - 1, 1)).toBe("overloaded");
  expect(await read(minuteMs, 1)).toEqual([3]);
});
