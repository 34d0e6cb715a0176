import { ulid } from "ulid";
import type { Outcome } from "../../../../services/domain/delivery/apply-outcome.ts";
import type { DeliveryOptions } from "../../../../services/domain/delivery/delivery-options.ts";
import {
  laneShards,
  newLane,
  reactivate,
  replayAfter,
  shardOf,
  skipTo,
  waitingIn,
} from "../../../../services/domain/delivery/lane.ts";
import { bad, begun, ok, World } from "./lane.world.ts";

const only = (seq: number) => (seqs: number[]) => (seqs.includes(seq) ? bad : ok);

describe("a healthy lane", () => {
  test("opens its window with each success up to 64, one event of a conversation at a time", () => {
    const world = new World();
    world.append(...Array.from({ length: 200 }, (_, n) => `s${n}`));
    const sizes: number[] = [];
    for (let begun = world.begin(); begun.length > 0; begun = world.begin()) {
      sizes.push(world.underWay.size);
      for (const attempt of begun) world.end(attempt, ok);
    }
    expect(sizes.slice(0, 5)).toEqual([1, 2, 8, 64, 64]);
    expect(world.lane).toMatchObject({ position: 200, settled: [], retries: [] });
  });

  test("sends the events of one conversation one after the other, and those without one beside them", () => {
    const world = new World();
    world.lane = { ...newLane(0), window: 16 };
    world.append("a", "a", "b", "a", null, null);
    expect(begun(world)).toEqual([[1], [3], [5], [6]]);
    expect(begun(world)).toEqual([]);
  });

  test("without order, sends those of one conversation as many at a time as the window holds", () => {
    const world = new World(() => 1, { ordering: "none" });
    world.lane = { ...newLane(0), window: 4 };
    world.append("a", "a", "a", "b", "a", "a");
    expect(begun(world)).toEqual([[1], [2], [3], [4]]);
  });

  test("the position waits for the oldest, however the others end", () => {
    const world = new World();
    world.lane = { ...newLane(0), window: 16 };
    world.append("a", "b", "c");
    const [first, second, third] = world.beginExactly(3);
    if (!first || !second || !third) throw new Error("three were to begin");
    world.end(third, ok);
    world.end(second, ok);
    expect(world.lane).toMatchObject({ position: 0, settled: [2, 3] });
    world.end(first, ok);
    expect(world.lane).toMatchObject({ position: 3, settled: [] });
  });
});

describe("a failure", () => {
  test("halves the window, and a success doubles it", () => {
    const world = new World(() => 1, { ordering: "none" });
    world.lane = { ...newLane(0), window: 64 };
    world.append(...Array.from({ length: 64 }, () => "a"));
    const windows = world.beginExactly(64).map((attempt, at) => {
      world.end(attempt, at < 3 || at === 20 ? bad : ok);
      return world.lane.window;
    });
    expect(windows.slice(0, 7)).toEqual([32, 16, 8, 16, 32, 64, 64]);
    expect(windows.slice(19, 23)).toEqual([64, 32, 64, 64]);
  });

  test("holds back its conversation for a second, and nothing else", () => {
    const world = new World();
    world.append("a", "b", "a", "b", "c");
    world.settle(only(1));
    expect(world.delivered).toEqual([2, 4, 5]);
    expect(world.wakeAt).toBe(world.now + 1_000);
    world.now += 1_000;
    world.settle(() => ok);
    expect(world.delivered).toEqual([2, 4, 5, 1, 3]);
  });

  test("without order, holds back the failed event alone", () => {
    const world = new World(() => 1, { ordering: "none" });
    world.append("a", "a", "a");
    world.settle(only(1));
    expect(world.delivered).toEqual([2, 3]);
    world.now += 1_000;
    world.settle(() => ok);
    expect(world.delivered).toEqual([2, 3, 1]);
  });

  test("of an event is followed by others after a second and then by the schedule; the fifth is its last", () => {
    const world = new World();
    world.append("a");
    const began = world.now;
    for (let step = 0; world.dead.length === 0; step += 1) {
      if (step > 1_000) throw new Error("it never died");
      world.append(`other ${step}`);
      world.settle(only(1));
      world.now += 1_000;
    }
    const tries = world.sent.filter(({ seqs }) => seqs.includes(1)).map(({ at }) => at - began);
    expect(tries).toEqual([0, 1_000, 6_000, 36_000, 156_000]);
    expect(world.lane).toMatchObject({ status: "ACTIVE", streak: [], retries: [] });
  });

  test("opens an episode in which no other counts, and a success ends the streak", () => {
    const world = new World();
    world.lane = { ...newLane(0), window: 8 };
    world.append("a", "b", "c", "d", "e");
    for (const attempt of world.beginExactly(5).slice(0, 4)) {
      world.end(attempt, bad);
      world.now += 1_000;
    }
    expect(world.lane).toMatchObject({ streak: [1_000_000], probeAt: 1_005_000 });
    const [last] = world.underWay;
    if (last) world.end(last, ok);
    expect(world.lane).toMatchObject({ streak: [], misses: 0 });
  });
});

describe("an endpoint that fails", () => {
  test("is probed from the third failure in a row on, at the end of each episode, and FAILED with the fifth", () => {
    const world = new World();
    world.append("a");
    const began = world.now;
    while (world.lane.status === "ACTIVE") {
      world.settle(() => bad);
      world.now = world.wakeAt ?? world.now;
    }
    expect(world.sent.map(({ at }) => at - began)).toEqual([0, 1_000, 6_000, 36_000, 156_000, 756_000]);
    expect(world.sent.map(({ probing }) => probing)).toEqual([false, false, false, true, true, true]);
    expect(world.dead).toEqual([]);
    world.lane = reactivate(world.lane);
    world.settle(() => ok);
    expect(world.delivered).toEqual([1]);
  });

  test("a full window that fails at once is one failure in a row, and one episode", () => {
    const world = new World();
    world.lane = { ...newLane(0), window: 64 };
    world.append(...Array.from({ length: 64 }, (_, n) => `s${n}`));
    for (const attempt of world.beginExactly(64)) world.end(attempt, bad);
    expect(world.lane).toMatchObject({ status: "ACTIVE", streak: [world.now], misses: 1, window: 1 });
  });

  test("gets two attempts in a row before it is probed, one at a time, however many events wait", () => {
    const world = new World();
    world.lane = { ...newLane(0), window: 4 };
    world.append(...Array.from({ length: 100 }, (_, n) => `s${n}`));
    world.settle(() => bad);
    expect(world.sent.map(({ seqs: [seq] }) => seq)).toEqual([1, 2, 3, 4, 5, 6]);
    expect(world.wakeAt).toBe(world.now + 5_000);
    world.now += 5_000;
    expect(begun(world)).toHaveLength(1);
    expect(begun(world)).toEqual([]);
  });

  test.each([404, 410])("%d makes the lane FAILED at once", status => {
    const world = new World();
    world.append("a");
    world.settle(() => ({ ok: false, status, retryAfterMs: 0 }));
    expect(world.lane.status).toBe("FAILED");
    world.append("b");
    expect(begun(world)).toEqual([]);
  });

  test("failures that lie more than 24 h apart are no row", () => {
    const world = new World();
    for (let n = 0; n < 8; n += 1) {
      world.append(`s${n}`);
      const [attempt] = world.begin();
      if (!attempt) throw new Error("a probe was to begin");
      world.end(attempt, bad);
      world.now += 25 * 3_600_000;
    }
    expect(world.lane.status).toBe("ACTIVE");
  });

  test("an event that failed twice gives way to another, of another conversation where there is one", () => {
    const world = new World();
    world.append("a", "a", "b");
    while (world.lane.status === "ACTIVE") {
      world.settle(() => bad);
      world.now = world.wakeAt ?? world.now;
    }
    expect(world.sent.map(({ seqs: [seq] }) => seq)).toEqual([1, 3, 1, 3, 2, 2, 1]);
  });

  test("one event that it cannot take does not fail an endpoint that takes the others", () => {
    const world = new World();
    world.append("a", "a");
    const began = world.now;
    while (world.delivered.length === 0) {
      world.settle(only(1));
      world.now = world.wakeAt ?? world.now;
    }
    expect(world.delivered).toEqual([2]);
    expect(world.sent.map(({ at }) => at - began)).toEqual([0, 1_000, 6_000, 36_000, 36_000]);
    expect(world.lane).toMatchObject({ status: "ACTIVE", misses: 1 });
  });

  test("Retry-After holds the lane back even when others succeed", () => {
    const world = new World();
    world.lane = { ...newLane(0), window: 2 };
    world.append("a", "b", "c");
    const [first, second] = world.beginExactly(2);
    if (!first || !second) throw new Error("two were to begin");
    world.end(first, { ok: false, status: 429, retryAfterMs: 60_000 });
    world.end(second, ok);
    expect(begun(world)).toEqual([]);
    expect(world.wakeAt).toBe(world.now + 60_000);
  });

  test("what was under way at a reactivation does not count", () => {
    const world = new World();
    world.append("a");
    const [attempt] = world.beginExactly(1);
    world.lane = reactivate(world.lane);
    if (attempt) world.end(attempt, { ok: false, status: 410, retryAfterMs: 60_000 });
    expect(world.lane).toMatchObject({ status: "ACTIVE", streak: [], misses: 0, pausedUntil: 0 });
    expect(world.lane.retries).toMatchObject([{ seq: 1, failures: 1 }]);
  });
});

const manners: [string, Partial<DeliveryOptions>][] = [
  ["in order", {}],
  ["without order", { ordering: "none" }],
  ["in batches", { batch: { max_events: 20, max_wait_ms: 100 } }],
];

describe.each(manners)("%s,", (_, manner) => {
  test.each([0.8, 1.2])(
    "an outage of 10 min at 20 events/s fails no endpoint and loses nothing (jitter %d)",
    spread => {
      const world = new World(() => spread, manner);
      world.lane = { ...newLane(0), window: 64 };
      const outageEnds = world.now + 600_000;
      const answer = () => (world.now < outageEnds ? bad : ok);
      for (let n = 0; n < 20 * 610; n += 1) {
        world.append(`s${n % 20}`);
        world.settle(answer);
        world.now += 50;
        if (world.lane.status === "FAILED") throw new Error(`FAILED after ${n} events`);
      }
      for (let rounds = 0; world.delivered.length < world.log.length; rounds += 1) {
        if (rounds > 10_000) throw new Error("the lane stands still");
        world.settle(answer);
        world.now = Math.max(world.wakeAt ?? 0, world.now + 1);
      }
      expect(new Set(world.delivered).size).toBe(world.log.length);
      expect(world.dead).toEqual([]);
      expect(world.sent.filter(({ at, probing }) => at < outageEnds && probing).length).toBeLessThan(6);
    },
  );

  test("one poison event dies, and the others arrive", () => {
    const world = new World(() => 1, manner);
    for (let n = 0; n < 2_000; n += 1) {
      world.append("a", "b");
      world.settle(only(7));
      world.now += 1_000;
      if (world.lane.status === "FAILED") throw new Error(`FAILED after ${n} events`);
    }
    world.settle(() => ok);
    expect(world.dead).toEqual([7]);
    expect(world.delivered).toHaveLength(3_999);
    expect(world.lane.retries).toEqual([]);
  });
});

describe("a batch", () => {
  const inBatches = (max_events: number, max_wait_ms = 1_000) =>
    new World(() => 1, { batch: { max_events, max_wait_ms } });

  test("goes when it is full, or when its first event has waited", () => {
    const world = inBatches(3);
    world.append("a", "a", "b", "a");
    world.settle(() => ok);
    expect(world.sent.map(({ seqs }) => seqs)).toEqual([[1, 2, 3]]);
    expect(world.wakeAt).toBe(world.now + 1_000);
    world.now += 400;
    world.append("b");
    world.settle(() => ok);
    expect(world.wakeAt).toBe(world.now + 600);
    world.now += 600;
    world.settle(() => ok);
    expect(world.sent.map(({ seqs }) => seqs)).toEqual([
      [1, 2, 3],
      [4, 5],
    ]);
  });

  test("follows the one before it, unless no order counts", () => {
    const world = inBatches(2);
    world.lane = { ...newLane(0), window: 4 };
    world.append("a", "b", "c", "d", "e", "f");
    expect(begun(world)).toEqual([[1, 2]]);
    expect(begun(world)).toEqual([]);
    const free = new World(() => 1, { ...world.manner, ordering: "none" });
    free.lane = { ...newLane(0), window: 2 };
    free.append("a", "a", "a", "a", "a", "a");
    expect(begun(free)).toEqual([
      [1, 2],
      [3, 4],
    ]);
  });

  test("stays below a megabyte", () => {
    const world = inBatches(1_000);
    world.append(...Array.from({ length: 10 }, () => "a"));
    for (const event of world.log) event.bytes = 250_000;
    world.now += 1_000;
    world.settle(() => ok);
    expect(world.sent.map(({ seqs }) => seqs.length)).toEqual([4, 4, 2]);
  });

  test("a batch that fails is tried once more as it is, then in halves, until what is refused is alone", () => {
    const world = inBatches(8);
    world.append(...Array.from({ length: 8 }, () => "a"));
    world.settleAll(only(3));
    expect(world.sent.map(({ seqs }) => seqs.join())).toEqual([
      "1,2,3,4,5,6,7,8",
      "1,2,3,4,5,6,7,8",
      "1,2,3,4",
      "5,6,7,8",
      "1,2",
      "3,4",
      "3",
      "4",
    ]);
    expect(world.delivered).toEqual([5, 6, 7, 8, 1, 2, 4]);
    expect(world.dead).toEqual([3]);
  });

  test("of which a part has to wait comes in two parts, none of them twice", () => {
    const world = inBatches(4);
    world.append("a", "b", "a");
    const { now } = world;
    const failed = { failures: 1, notBefore: now, failedAt: now };
    const retries = [
      { seq: 1, conversation: "a", ...failed, notBefore: now + 500 },
      { seq: 2, conversation: "b", ...failed, batch: 2 },
      { seq: 3, conversation: "a", ...failed, batch: 2 },
    ];
    world.lane = { ...newLane(3), retries };
    const [part] = world.beginExactly(1);
    expect(world.sent.at(-1)?.seqs).toEqual([2]);
    if (part) world.take(part);
    world.now += 500;
    const [before] = world.beginExactly(1);
    if (before) world.end(before, ok);
    expect(begun(world)).toEqual([[3]]);
  });

  test("a batch that fails holds back its conversations, and no others", () => {
    const world = inBatches(2);
    world.append("a", "b", "a", "c", "d", "b");
    world.settle(only(1));
    expect(world.delivered).toEqual([4, 5]);
    world.now += 1_000;
    world.settle(() => ok);
    expect(world.delivered).toEqual([4, 5, 1, 2, 3, 6]);
  });
});

describe("a lone poison event", () => {
  const answer = (status: number | null): Outcome => ({ ok: false, status, retryAfterMs: 0 });

  /** The endpoint takes one event; what comes next is refused until the lane wants to try nothing more. */
  function refused({
    takes = ["a"],
    sources = ["b"],
    quietMs = 0,
    outcome = answer(422),
  }: Partial<Refused> = {}) {
    const world = new World();
    world.append(...takes);
    world.settle(() => ok);
    world.now += quietMs;
    world.append(...sources);
    world.sent.length = 0;
    world.settleAll(() => outcome);
    return world;
  }

  interface Refused {
    takes: string[];
    sources: string[];
    quietMs: number;
    outcome: Outcome;
  }

  test.each([400, 413, 422])("dies of five answers of %d, and the endpoint stays ACTIVE", status => {
    const world = refused({ outcome: answer(status) });
    expect(world.sent.map(({ seqs: [seq] }) => seq)).toEqual([2, 2, 2, 2, 2]);
    expect(world.dead).toEqual([2]);
    expect(world.lane).toMatchObject({ status: "ACTIVE", position: 2, retries: [] });
    world.append("c");
    world.settle(() => ok);
    world.now = world.wakeAt ?? world.now;
    world.settle(() => ok);
    expect(world.delivered).toEqual([1, 3]);
    expect(world.lane.streak).toEqual([]);
  });

  test("a refusal that was followed by another failure was no sign of health: the endpoint is FAILED, the next event kept", () => {
    const world = refused();
    world.append("c");
    world.now += 3_600_000;
    world.settle(() => bad);
    expect(world.lane).toMatchObject({ status: "FAILED", retries: [{ seq: 3, failures: 1 }] });
    world.lane = reactivate(world.lane);
    world.settle(() => ok);
    expect(world.delivered).toEqual([1, 3]);
  });

  test.each<[string, Partial<Refused>]>([
    ["the endpoint never took any", { takes: [] }],
    ["the endpoint took one a day ago", { quietMs: 86_400_000 }],
    ["another event is refused too", { sources: ["b", "c"] }],
    ["no answer comes", { outcome: answer(null) }],
    ["the answer is a redirect", { outcome: answer(302) }],
    ["the answer is 401", { outcome: answer(401) }],
    ["the answer is 429", { outcome: answer(429) }],
    ["the answer is 500", { outcome: answer(500) }],
    ["the answer is 503", { outcome: answer(503) }],
  ])("is not at fault, and is kept, when %s", (_, refusal) => {
    const world = refused(refusal);
    expect(world.dead).toEqual([]);
    expect(world.lane.status).toBe("FAILED");
    expect(world.lane.streak).toHaveLength(5);
    world.lane = reactivate(world.lane);
    world.settle(() => ok);
    expect(new Set(world.delivered).size).toBe(world.log.length);
  });

  test("has to find the endpoint healthy anew once it was set active", () => {
    const world = refused();
    world.lane = reactivate(world.lane);
    world.append("c");
    world.settleAll(() => bad);
    expect(world.lane.status).toBe("FAILED");
  });
});

test("a replay delivers again what lies after the position, dead events too, whatever was under way", () => {
  const world = new World();
  world.append("a", "b", "c");
  world.settle(() => ok);
  world.append("d");
  const [late] = world.beginExactly(1);
  world.lane = replayAfter(world.lane, 1, 0);
  if (late) world.end(late, ok);
  world.delivered.length = 0;
  world.settle(() => ok);
  expect(world.delivered).toEqual([2, 3, 4]);
  expect(replayAfter(newLane(2), 9, 0).position).toBe(2);
});

describe("after a clock that was 30 days ahead was set right,", () => {
  const aheadMs = 30 * 24 * 3_600_000;
  const pause: Outcome = { ok: false, status: 503, retryAfterMs: 3_600_000 };

  /** What was settled while the clock was ahead, with one failure at the least. */
  function setRight(settle: (world: World) => void): World {
    const world = new World(() => 1.2);
    world.now += aheadMs;
    settle(world);
    world.now -= aheadMs;
    return world;
  }

  test("a probe is due, and all later ones by the schedule", () => {
    const world = setRight(ahead => {
      ahead.append("a", "b", "c");
      ahead.settle(() => bad);
    });
    const began = world.now;
    while (world.lane.status === "ACTIVE") {
      world.settle(() => bad);
      world.now = world.wakeAt ?? world.now;
    }
    expect(world.sent.slice(3).map(({ at }) => at - began)).toEqual([0, 36_000, 180_000, 900_000]);
  });

  test("an event that failed is due beside others that arrive", () => {
    const world = setRight(ahead => {
      ahead.lane = { ...newLane(0), window: 2 };
      ahead.append("a", "b");
      const [first, second] = ahead.beginExactly(2);
      if (!first || !second) throw new Error("two were to begin");
      ahead.end(first, bad);
      ahead.end(second, ok);
    });
    expect(begun(world)).toEqual([[1]]);
  });

  test("no pause holds, and the next one that is asked for does", () => {
    const world = setRight(ahead => {
      ahead.append("a");
      ahead.settle(() => pause);
    });
    world.settle(() => pause);
    expect(world.sent).toHaveLength(2);
    expect(world.wakeAt).toBe(world.now + pause.retryAfterMs);
    expect(world.lane.pausedUntil).toBe(world.wakeAt);
  });

  test("a success leaves nothing of the pause", () => {
    const world = setRight(ahead => {
      ahead.append("a");
      ahead.settle(() => pause);
    });
    world.settle(() => ok);
    expect(world.lane.pausedUntil).toBe(0);
  });

  test("what was taken then is no sign of health: a lone event that is refused is kept", () => {
    const world = setRight(ahead => {
      ahead.append("a");
      ahead.settle(() => ok);
    });
    world.append("b");
    world.settleAll(() => ({ ok: false, status: 422, retryAfterMs: 0 }));
    expect(world.lane).toMatchObject({ status: "FAILED", retries: [{ seq: 2 }] });
    expect(world.dead).toEqual([]);
  });
});

test("a clock that is set back a little ends no pause", () => {
  const world = new World(() => 1.2);
  world.append("a");
  world.settle(() => ({ ok: false, status: 503, retryAfterMs: 3_600_000 }));
  world.now -= 30_000;
  expect(begun(world)).toEqual([]);
});

const failedOnce = { conversation: null, failures: 1, notBefore: 0, failedAt: 0 };

test("what expired is skipped", () => {
  const lane = { ...newLane(3), settled: [12], retries: [{ seq: 2, ...failedOnce }] };
  expect(skipTo(lane, 12)).toMatchObject({ position: 12, settled: [], retries: [] });
  expect(skipTo(lane, 4)).toBe(lane);
});

test.each<[string, { position: number; settled: number[]; failed: number[] }, number]>([
  ["nothing is done", { position: 0, settled: [], failed: [] }, 10],
  ["some is done", { position: 4, settled: [6, 7], failed: [] }, 4],
  ["what failed waits, before the position and beyond it", { position: 4, settled: [6], failed: [3, 5] }, 6],
])("what is still to be delivered when %s", (_, { failed, ...lane }, count) => {
  const retries = failed.map(seq => ({ seq, ...failedOnce }));
  expect(waitingIn({ ...newLane(0), ...lane, retries }, 10)).toBe(count);
});

test.each([
  ["k", 102],
  ["key-0", 57],
  ["01J9ZQ7W3N5T8K2M4P6R9S1V3X", 106],
])("%s has a shard that is stored, so it stays what it is", (keyId, shard) => {
  expect(shardOf(keyId)).toBe(shard);
});

test.each([
  ["numbered", (n: number) => `key-${n}`],
  ["the service's own", () => ulid()],
])("%s keys spread evenly", (_, keyOf) => {
  const shards = Array.from({ length: laneShards * 100 }, (_, n) => shardOf(keyOf(n)));
  const counts = [...Map.groupBy(shards, shard => shard).values()].map(({ length }) => length);
  expect(counts).toHaveLength(laneShards);
  expect(Math.min(...counts)).toBeGreaterThan(40);
  expect(Math.max(...counts)).toBeLessThan(200);
});
