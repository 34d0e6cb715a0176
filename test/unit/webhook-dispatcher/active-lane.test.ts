import { markDone, newLane } from "../../../services/domain/delivery/lane.ts";
import { activateLane, bufferShare, refill } from "../../../services/webhook-dispatcher/lanes/active-lane.ts";
import { MemoryLog, someEvents } from "../../fakes/memory-log.ts";
import { endpoint } from "./one-lane.ts";

async function logOf(count: number, size: number) {
  const log = new MemoryLog();
  await log.append(someEvents("k", 1, count, "x".repeat(size)));
  return log;
}

test("a lane holds small events enough for its window, as they are sent", async () => {
  const log = await logOf(200, 10);
  const lane = { ...newLane(0), window: 16 };
  const active = activateLane(endpoint, lane);
  await refill(active, lane, log);
  expect(active.buffer).toHaveProperty("size", 128);
  const [first] = await log.read("k", 0, 1);
  const [held] = active.buffer.values();
  expect(held).toEqual({
    seq: 1,
    conversation: null,
    timestamp: first?.timestamp,
    bytes: JSON.stringify(first).length,
    readAt: expect.any(Number),
    id: first?.id,
    type: first?.type,
    body: JSON.stringify(first),
  });
});

test("of large events it holds few, and goes on to the last as they are done with", async () => {
  const log = await logOf(40, 100_000);
  let lane = { ...newLane(0), window: 16 };
  const active = activateLane(endpoint, lane);
  const seen: number[] = [];
  while (lane.position < 40) {
    await refill(active, lane, log, lane.window, bufferShare(1_000));
    const held = [...active.buffer.values()].reduce((bytes, { body }) => bytes + body.length, 0);
    expect(held).toBeLessThan(400_000);
    const [seq = 0] = active.buffer.keys();
    seen.push(seq);
    lane = markDone(lane, [seq]);
  }
  await refill(active, lane, log);
  expect(seen).toEqual(Array.from({ length: 40 }, (_, at) => at + 1));
  expect(active.caughtUp).toBe(true);
});

test("a lane whose next events are all done with already reads on without a change of its own", async () => {
  const log = await logOf(300, 10);
  const retry = { seq: 1, conversation: null, failures: 1, notBefore: 0, failedAt: 0 };
  const settledBefore = Array.from({ length: 127 }, (_, at) => at + 2);
  const lane = { ...newLane(0), window: 16, settled: settledBefore, retries: [retry] };
  const active = activateLane(endpoint, lane);
  await refill(active, lane, log);
  await refill(active, lane, log);
  expect([...active.buffer.keys()][0]).toBe(129);
});

test("what follows numbers that a restored log has left out is read once the position is there, and skips them", async () => {
  const events = (await (await logOf(4, 10)).readWithin("k", 0, { events: 4, bytes: 1e6 })).events;
  const gapped = events.map(event => (event.seq > 2 ? { ...event, seq: event.seq + 1_000_000 } : event));
  const log = Object.assign(new MemoryLog(), {
    readWithin: async (_: string, after: number) => ({
      events: gapped.filter(({ seq }) => seq > after),
      more: false,
    }),
  });
  let lane = { ...newLane(0), window: 16 };
  const active = activateLane(endpoint, lane);
  await refill(active, lane, log);
  expect([[...active.buffer.keys()], active.caughtUp]).toEqual([[1, 2], false]);
  lane = markDone(lane, [1, 2]);
  expect(await refill(active, lane, log)).toEqual({ oldest: 1_000_003 });
  expect([...active.buffer.keys()]).toEqual([1_000_003, 1_000_004]);
});
