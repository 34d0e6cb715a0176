import {
  type Attempt,
  type Lane,
  newLane,
  reactivate,
  replayAfter,
  skipTo,
  waitingIn,
} from "../../../../services/domain/delivery/lane.ts";
import { next, type Waiting } from "../../../../services/domain/delivery/next.ts";
import { type Outcome, settle } from "../../../../services/domain/delivery/settle.ts";

const schedule = [5_000, 30_000, 120_000, 600_000];
const ok: Outcome = { ok: true, status: 200, retryAfterMs: 0 };
const bad: Outcome = { ok: false, status: 500, retryAfterMs: 0 };

/** A lane with a log, a clock and an endpoint of the test's making; attempts take no time unless they are held. */
class World {
  now = 1_000_000;
  lane: Lane = newLane(0);
  log: Waiting[] = [];
  readonly underWay = new Map<number, Attempt>();
  readonly sent: {
    seq: number;
    at: number;
    source: string | null;
    status: Lane["status"];
    probing: boolean;
  }[] = [];
  readonly delivered: number[] = [];
  readonly dead: number[] = [];
  wakeAt: number | undefined;
  #spread: () => number;

  constructor(spread: () => number = () => 1) {
    this.#spread = spread;
  }

  append(...sources: (string | null)[]): void {
    for (const source of sources) this.log.push({ seq: this.log.length + 1, source });
  }

  /** Begins what may begin now. */
  begin(): Attempt[] {
    const fresh = this.log.slice(this.lane.position, this.lane.position + 128);
    const { send, wakeAt } = next(this.lane, fresh, this.underWay, this.now, schedule);
    this.wakeAt = wakeAt;
    return send.map(({ seq, source }) => {
      const attempt = { seq, source, turn: this.lane.turn, epoch: this.lane.epoch };
      const { status, streak } = this.lane;
      this.sent.push({ seq, at: this.now, source, status, probing: streak.length > 0 });
      this.underWay.set(seq, attempt);
      return attempt;
    });
  }

  end(attempt: Attempt, outcome: Outcome): void {
    this.underWay.delete(attempt.seq);
    const { lane, verdict } = settle(this.lane, attempt, outcome, this.now, {
      schedule,
      spread: this.#spread(),
    });
    this.lane = lane;
    if (verdict === "succeeded") this.delivered.push(attempt.seq);
    if (verdict === "dead") this.dead.push(attempt.seq);
  }

  /** Lets the endpoint answer whatever can be sent now. */
  settle(answer: (seq: number) => Outcome): void {
    for (let begun = this.begin(); begun.length > 0; begun = this.begin())
      for (const attempt of begun) this.end(attempt, answer(attempt.seq));
  }
}

describe("a healthy lane", () => {
  test("opens its window with each success up to 16, one event of a source at a time", () => {
    const world = new World();
    world.append(...Array.from({ length: 60 }, (_, n) => `s${n}`));
    const sizes: number[] = [];
    for (let begun = world.begin(); begun.length > 0; begun = world.begin()) {
      sizes.push(world.underWay.size);
      for (const attempt of begun) world.end(attempt, ok);
    }
    expect(sizes.slice(0, 5)).toEqual([1, 2, 8, 16, 16]);
    expect(world.lane).toMatchObject({ position: 60, settled: [], retries: [] });
  });

  test("sends the events of one source one after the other, and those without a source beside them", () => {
    const world = new World();
    world.lane = { ...newLane(0), window: 16 };
    world.append("a", "a", "b", "a", null, null);
    expect(world.begin().map(({ seq }) => seq)).toEqual([1, 3, 5, 6]);
    expect(world.begin()).toEqual([]);
  });

  test("the position waits for the oldest, however the others end", () => {
    const world = new World();
    world.lane = { ...newLane(0), window: 16 };
    world.append("a", "b", "c");
    const [first, second, third] = world.begin();
    if (!first || !second || !third) throw new Error("three were to begin");
    world.end(third, ok);
    world.end(second, ok);
    expect(world.lane).toMatchObject({ position: 0, settled: [2, 3] });
    world.end(first, ok);
    expect(world.lane).toMatchObject({ position: 3, settled: [] });
  });
});

describe("failures", () => {
  test("the schedule of a single event: five in a row, then FAILED, and the event is kept", () => {
    const world = new World();
    world.append("a");
    const began = world.now;
    while (world.lane.status === "ACTIVE") {
      world.settle(() => bad);
      world.now = world.wakeAt ?? world.now;
    }
    expect(world.sent.map(({ at }) => at - began)).toEqual([0, 5_000, 35_000, 155_000, 755_000]);
    expect(world.dead).toEqual([]);
    world.lane = reactivate(world.lane);
    world.settle(() => ok);
    expect(world.delivered).toEqual([1]);
  });

  test("a full window that fails at once counts as one", () => {
    const world = new World();
    world.lane = { ...newLane(0), window: 16 };
    world.append(...Array.from({ length: 16 }, (_, n) => `s${n}`));
    for (const attempt of world.begin()) world.end(attempt, bad);
    expect(world.lane).toMatchObject({ status: "ACTIVE", streak: [world.now] });
  });

  test.each([404, 410])("%d makes the lane FAILED at once", status => {
    const world = new World();
    world.append("a");
    world.settle(() => ({ ok: false, status, retryAfterMs: 0 }));
    expect(world.lane.status).toBe("FAILED");
    world.append("b");
    expect(world.begin()).toEqual([]);
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

  test("an event that failed twice gives way to another, of another source where there is one", () => {
    const world = new World();
    world.append("a", "a", "b");
    const probed: number[] = [];
    for (let n = 0; n < 4; n += 1) {
      for (const attempt of world.begin()) {
        probed.push(attempt.seq);
        world.end(attempt, bad);
      }
      world.begin();
      world.now = world.wakeAt ?? world.now;
    }
    expect(probed).toEqual([1, 1, 3, 3]);
  });

  test("Retry-After holds the lane back even when others succeed", () => {
    const world = new World();
    world.lane = { ...newLane(0), window: 2 };
    world.append("a", "b", "c");
    const [first, second] = world.begin();
    if (!first || !second) throw new Error("two were to begin");
    world.end(first, { ok: false, status: 429, retryAfterMs: 60_000 });
    world.end(second, ok);
    expect(world.begin()).toEqual([]);
    expect(world.wakeAt).toBe(world.now + 60_000);
  });

  test("what was under way at a reactivation does not count", () => {
    const world = new World();
    world.append("a");
    const [attempt] = world.begin();
    if (!attempt) throw new Error("one was to begin");
    world.lane = reactivate(world.lane);
    world.end(attempt, bad);
    expect(world.lane.streak).toEqual([]);
  });
});

test.each([0.8, 1, 1.2])(
  "an outage of 10 min at 50 events/s fails no endpoint and loses nothing (jitter %d)",
  spread => {
    const world = new World(() => spread);
    world.lane = { ...newLane(0), window: 16 };
    const outageEnds = world.now + 600_000;
    const answer = () => (world.now < outageEnds ? bad : ok);
    for (let n = 0; n < 50 * 900; n += 1) {
      world.append(`s${n % 20}`);
      world.settle(answer);
      world.now += 20;
      expect(world.lane.status).toBe("ACTIVE");
    }
    while (world.delivered.length < world.log.length) {
      world.settle(answer);
      world.now = Math.max(world.wakeAt ?? 0, world.now + 1);
    }
    expect(new Set(world.delivered).size).toBe(world.log.length);
    expect(world.dead).toEqual([]);
    expect(world.sent.filter(({ at, probing }) => at < outageEnds && probing).length).toBeLessThan(5);
  },
);

test("one poison event dies, and the others arrive", () => {
  const world = new World();
  world.lane = { ...newLane(0), window: 16 };
  for (let n = 0; n < 2_000; n += 1) {
    world.append("a");
    world.settle(seq => (seq === 7 ? bad : ok));
    world.now += 1_000;
    expect(world.lane.status).toBe("ACTIVE");
  }
  expect(world.dead).toEqual([7]);
  expect(world.delivered).toHaveLength(1_999);
  expect(world.lane.retries).toEqual([]);
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
    do {
      world.settle(() => outcome);
      world.now = world.wakeAt ?? world.now;
    } while (world.wakeAt !== undefined);
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
    expect(world.sent.map(({ seq }) => seq)).toEqual([2, 2, 2, 2, 2]);
    expect(world.dead).toEqual([2]);
    expect(world.lane).toMatchObject({ status: "ACTIVE", position: 2, retries: [] });
    world.append("c");
    world.settle(() => ok);
    world.now = world.wakeAt ?? world.now;
    world.settle(() => ok);
    expect(world.delivered).toEqual([1, 3]);
    expect(world.lane.streak).toEqual([]);
  });

  test("that was followed by another failure was no sign of health: the endpoint is FAILED, the next event kept", () => {
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
    do {
      world.settle(() => bad);
      world.now = world.wakeAt ?? world.now;
    } while (world.wakeAt !== undefined);
    expect(world.lane.status).toBe("FAILED");
  });
});

test("a replay delivers again what lies after the position, dead events too, whatever was under way", () => {
  const world = new World();
  world.append("a", "b", "c");
  world.settle(() => ok);
  world.append("d");
  const [late] = world.begin();
  if (!late) throw new Error("one was to begin");
  world.lane = replayAfter(world.lane, 1);
  world.end(late, ok);
  world.delivered.length = 0;
  world.settle(() => ok);
  expect(world.delivered).toEqual([2, 3, 4]);
  expect(replayAfter(newLane(2), 9).position).toBe(2);
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
      ahead.append("a");
      ahead.settle(() => bad);
    });
    const began = world.now;
    while (world.lane.status === "ACTIVE") {
      world.settle(() => bad);
      world.now = world.wakeAt ?? world.now;
    }
    expect(world.sent.slice(1).map(({ at }) => at - began)).toEqual([0, 36_000, 180_000, 900_000]);
  });

  test("an event that failed is due beside others that arrive", () => {
    const world = setRight(ahead => {
      ahead.lane = { ...newLane(0), window: 2 };
      ahead.append("a", "b");
      const [first, second] = ahead.begin();
      if (!first || !second) throw new Error("two were to begin");
      ahead.end(first, bad);
      ahead.end(second, ok);
    });
    expect(world.begin().map(({ seq }) => seq)).toEqual([1]);
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
    do {
      world.settle(() => ({ ok: false, status: 422, retryAfterMs: 0 }));
      world.now = world.wakeAt ?? world.now;
    } while (world.wakeAt !== undefined);
    expect(world.lane).toMatchObject({ status: "FAILED", retries: [{ seq: 2 }] });
    expect(world.dead).toEqual([]);
  });
});

test("a clock that is set back a little ends no pause", () => {
  const world = new World(() => 1.2);
  world.append("a");
  world.settle(() => ({ ok: false, status: 503, retryAfterMs: 3_600_000 }));
  world.now -= 30_000;
  expect(world.begin()).toEqual([]);
});

test("what expired is skipped", () => {
  const lane = {
    ...newLane(3),
    settled: [12],
    retries: [{ seq: 2, source: null, failures: 1, notBefore: 0 }],
  };
  expect(skipTo(lane, 12)).toMatchObject({ position: 12, settled: [], retries: [] });
  expect(skipTo(lane, 4)).toBe(lane);
});

describe("a random walk", () => {
  test.each(Array.from({ length: 25 }, (_, seed) => [seed + 1]))("seed %d", seed => {
    const random = lcg(seed);
    const world = new World(() => 0.8 + 0.4 * random());
    const moods = [
      ok,
      ok,
      ok,
      bad,
      { ok: false, status: 410, retryAfterMs: 0 },
      { ...bad, retryAfterMs: 9_000 },
    ];
    let health = 1;
    for (let step = 0; step < 1_500; step += 1) {
      if (random() < 0.02) health = random();
      if (random() < 0.5) world.append(`s${Math.floor(random() * 5)}`);
      check(world);
      world.begin();
      check(world);
      const open = [...world.underWay.values()];
      const attempt = open[Math.floor(random() * open.length)];
      const outcome = random() < health ? ok : moods[Math.floor(random() * moods.length)];
      if (attempt && outcome && random() < 0.8) world.end(attempt, outcome);
      world.now += Math.floor(random() * 3_000);
      if (world.lane.status === "FAILED" && random() < 0.05) world.lane = reactivate(world.lane);
    }
    finish(world);
    const done = new Set([...world.delivered, ...world.dead]);
    expect(done.size).toBe(world.log.length);
    expect(world.sent.every(({ status }) => status === "ACTIVE")).toBe(true);
    expect(world.lane).toMatchObject({ position: world.log.length, settled: [], retries: [] });
  });

  /** What must hold at any time. */
  function check({ lane, delivered, dead, underWay, now }: World): void {
    const done = new Set([...delivered, ...dead, ...lane.retries.map(({ seq }) => seq)]);
    for (let seq = 1; seq <= lane.position; seq += 1)
      if (!done.has(seq)) throw new Error(`${seq} was skipped`);
    if (lane.settled.some(seq => !done.has(seq))) throw new Error("settled, but not done");
    const sources = Array.from(underWay.values(), ({ source }) => source);
    if (new Set(sources).size < sources.length) throw new Error("two events of a source under way");
    if (underWay.size > 16 || lane.streak.some(at => at > now)) throw new Error("out of bounds");
  }

  function finish(world: World): void {
    world.lane = reactivate(world.lane);
    for (const attempt of [...world.underWay.values()]) world.end(attempt, ok);
    for (
      let rounds = 0;
      world.lane.position < world.log.length || world.lane.retries.length > 0;
      rounds += 1
    ) {
      if (rounds > 10_000) throw new Error("the lane stands still");
      world.settle(() => ok);
      world.now = Math.max(world.wakeAt ?? 0, world.now + 1);
    }
  }

  function lcg(seed: number): () => number {
    let state = seed * 2_654_435_761;
    return () => {
      state = (state * 1_664_525 + 1_013_904_223) % 4_294_967_296;
      return state / 4_294_967_296;
    };
  }
});

test.each<[string, { position: number; settled: number[]; failed: number[] }, number]>([
  ["nothing is done", { position: 0, settled: [], failed: [] }, 10],
  ["some is done", { position: 4, settled: [6, 7], failed: [] }, 4],
  ["what failed waits, before the position and beyond it", { position: 4, settled: [6], failed: [3, 5] }, 6],
])("what is still to be delivered when %s", (_, { failed, ...lane }, count) => {
  const retries = failed.map(seq => ({ seq, source: null, failures: 1, notBefore: 0 }));
  expect(waitingIn({ ...newLane(0), ...lane, retries }, 10)).toBe(count);
});
