import { newLane, settled } from "../../../services/domain/delivery/lane.ts";
import { begin, refill } from "../../../services/webhook-dispatcher/engine/running.ts";
import { MemoryLog, someEvents } from "../../fakes/memory-log.ts";
import { endpoint } from "./lane.house.ts";

async function logOf(count: number, size: number) {
  const log = new MemoryLog();
  await log.append(someEvents("k", 1, count, "x".repeat(size)));
  return log;
}

test("a lane holds small events enough for its window, as they are sent", async () => {
  const log = await logOf(200, 10);
  const lane = { ...newLane(0), window: 16 };
  const running = begin(endpoint, lane);
  await refill(running, lane, log);
  expect(running.buffer).toHaveLength(128);
  const [first] = await log.read("k", 0, 1);
  expect(running.buffer[0]).toEqual({
    seq: 1,
    source: null,
    id: first?.id,
    type: first?.type,
    body: JSON.stringify(first),
  });
});

test("of large events it holds few, and goes on to the last as they are done with", async () => {
  const log = await logOf(40, 100_000);
  let lane = { ...newLane(0), window: 16 };
  const running = begin(endpoint, lane);
  const seen: number[] = [];
  while (lane.position < 40) {
    await refill(running, lane, log);
    const held = running.buffer.reduce((bytes, { body }) => bytes + body.length, 0);
    expect(held).toBeLessThan(400_000);
    const seq = running.buffer[0]?.seq ?? 0;
    seen.push(seq);
    lane = settled(lane, seq);
  }
  await refill(running, lane, log);
  expect(seen).toEqual(Array.from({ length: 40 }, (_, at) => at + 1));
  expect(running.caughtUp).toBe(true);
});

test("a lane whose next events are all done with already reads on without a change of its own", async () => {
  const log = await logOf(300, 10);
  const retry = { seq: 1, source: null, failures: 1, notBefore: 0 };
  const settledBefore = Array.from({ length: 127 }, (_, at) => at + 2);
  const lane = { ...newLane(0), window: 16, settled: settledBefore, retries: [retry] };
  const running = begin(endpoint, lane);
  await refill(running, lane, log);
  await refill(running, lane, log);
  expect(running.buffer[0]?.seq).toBe(129);
});
