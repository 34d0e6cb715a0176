import { applyOutcome, type Outcome } from "../../../../services/domain/delivery/apply-outcome.ts";
import type { BatchLimits } from "../../../../services/domain/delivery/delivery-options.ts";
import { filePath, filePathAlone, planFile } from "../../../../services/domain/delivery/files.ts";
import {
  type Lane,
  newLane,
  type PendingEvent,
  reactivate,
  replayAfter,
  replayOf,
} from "../../../../services/domain/delivery/lane.ts";
import { nextAttempts } from "../../../../services/domain/delivery/next-attempts.ts";

const batch = { max_events: 3, max_wait_ms: 1_000 };
const at = Date.UTC(2026, 10, 29, 23, 59);
const webhookId = "0123456789abcdef";
const taken: Outcome = { ok: true, status: null, retryAfterMs: 0 };
const lost: Outcome = { ok: false, status: null, retryAfterMs: 0, blame: "nobody" };

/** A lane that writes files, and the files as they lie on the disk. */
class World {
  lane: Lane = newLane(0);
  latest: number;
  readonly files = new Map<string, number[]>();

  constructor(latest: number) {
    this.latest = latest;
  }

  next(now: number, limits: BatchLimits | null = batch, underWay = new Set<never>()): number[] {
    const fresh: PendingEvent[] = [];
    for (let seq = this.lane.position + 1; seq <= this.latest; seq += 1)
      fresh.push({ seq, conversation: null, bytes: 10, readAt: 0 });
    const view = { fresh, more: false, underWay, accepted: new Set<never>() };
    const options = { ordering: "conversation", batch: limits, inFiles: true } as const;
    const { send } = nextAttempts(this.lane, view, now, [1_000], options);
    expect(send.length).toBeLessThan(2);
    return (send[0] ?? []).map(({ seq }) => seq);
  }

  /** Writes a file, and forgets the outcome where the process is killed. */
  write(now: number, outcome: Outcome | "kill", limits: BatchLimits | null = batch): number[] {
    const seqs = this.next(now, limits);
    const events = seqs.map(seq => ({ seq, conversation: null }));
    this.lane = planFile(this.lane, events, at);
    this.files.set(filePath(this.lane, webhookId), seqs);
    const { missEpoch, epoch, revision } = this.lane;
    const policy = { schedule: [1_000], spread: 1 };
    if (outcome !== "kill")
      this.lane = applyOutcome(this.lane, { events, missEpoch, epoch, revision }, outcome, now, policy).lane;
    return seqs;
  }

  get primary(): number[] {
    return [...this.files].flatMap(([path, seqs]) => (path.startsWith("replays/") ? [] : seqs));
  }
}

test("a file waits for more events, is full, and is the only one", () => {
  const world = new World(2);
  expect(world.next(999)).toEqual([]);
  expect(world.next(1_000)).toEqual([1, 2]);
  world.latest = 8;
  expect(world.next(0)).toEqual([1, 2, 3]);
  const attempt = { events: [{ seq: 1, conversation: null }], missEpoch: 0, epoch: 0, revision: 0 };
  expect(world.next(9_999, batch, new Set([attempt as never]))).toEqual([]);
  expect(world.next(0, null)).toEqual([1]);
});

test("a file is named by its first event, its day and its endpoint", () => {
  const world = new World(3);
  world.write(1_000, taken);
  expect([...world.files.keys()]).toEqual(["2026/11/29/000000000001-01234567.ndjson"]);
  expect(filePathAlone(7, webhookId, at)).toBe("replays/20261129T235900.000Z/000000000007-01234567.ndjson");
});

test("after a kill the file has the same name and the same events, although there are more by now", () => {
  const world = new World(2);
  world.write(1_000, "kill");
  world.latest = 9;
  expect(world.next(0)).toEqual([1, 2]);
  world.write(0, taken);
  world.write(0, taken);
  expect([...world.files.values()]).toEqual([
    [1, 2],
    [3, 4, 5],
  ]);
});

test("what fails is tried again as a whole, and nothing passes it", () => {
  const world = new World(7);
  world.write(0, lost);
  expect(world.next(999)).toEqual([]);
  expect(world.next(1_000)).toEqual([1, 2, 3]);
  world.write(1_000, lost);
  world.lane = reactivate(world.lane);
  expect(world.next(2_000)).toEqual([1, 2, 3]);
});

test("a planned file whose first event has gone keeps its name", () => {
  const world = new World(3);
  world.write(1_000, "kill");
  world.lane = { ...planFile(world.lane, [{ seq: 2, conversation: null }], at) };
  expect(world.lane.file).toEqual({ from: 1, to: 2, at });
  expect(planFile(world.lane, [{ seq: 5, conversation: null }], at + 1).file).toEqual({
    from: 5,
    to: 5,
    at: at + 1,
  });
});

test("a replay writes to a folder of its own, up to what had been written before", () => {
  const world = new World(4);
  world.write(1_000, taken);
  world.write(1_000, "kill");
  world.lane = replayAfter(world.lane, 1, Date.UTC(2026, 10, 30));
  expect(world.write(9_000, taken)).toEqual([2, 3]);
  expect([...world.files.keys()].at(-1)).toBe("replays/20261130T000000.000Z/000000000002-01234567.ndjson");
  world.latest = 5;
  expect(world.write(9_000, taken)).toEqual([4, 5]);
  expect(world.primary).toEqual([1, 2, 3, 4, 5]);
  world.lane = replayOf(world.lane, [{ seq: 2, conversation: null }], Date.UTC(2026, 11, 1));
  world.latest = 6;
  expect(world.write(9_000, taken)).toEqual([2]);
  expect(world.write(9_000, taken)).toEqual([6]);
  expect(world.primary).toEqual([1, 2, 3, 4, 5, 6]);
});

test("whatever fails, dies and is changed meanwhile, files hold each event once", () => {
  let state = 7;
  const random = (below: number) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((state / 2_147_483_648) * below);
  };
  for (let walk = 0; walk < 200; walk += 1) {
    const world = new World(1 + random(5));
    let now = 1_000;
    for (let step = 0; step < 40; step += 1) {
      now += 100_000;
      world.latest += random(4);
      const limits = { max_events: 1 + random(5), max_wait_ms: 0 };
      if (world.next(now, limits).length > 0)
        world.write(now, ([taken, lost, "kill"] as const)[random(3)] ?? taken, limits);
      if (random(6) === 0) world.lane = reactivate(world.lane);
      if (random(8) === 0) world.lane = replayAfter(world.lane, random(world.latest), now);
    }
    for (; world.next(now + 100_000).length > 0; now += 100_000) world.write(now + 100_000, taken);
    const all = Array.from({ length: world.latest }, (_, n) => n + 1);
    expect(world.primary.toSorted((a, b) => a - b)).toEqual(all);
  }
});
