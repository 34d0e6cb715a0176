import type { Outcome } from "../../../../services/domain/delivery/apply-outcome.ts";
import type { DeliveryOptions } from "../../../../services/domain/delivery/delivery-options.ts";
import { newLane } from "../../../../services/domain/delivery/lane.ts";
import { bad, ok, World } from "./lane.world.ts";

/** Takes so many requests in each window of time, and refuses the others until the next. */
function limited(world: World, limit: number, windowMs: number, saysWhen: boolean): () => Outcome {
  let [window, asked] = [-1, 0];
  return () => {
    const current = Math.floor(world.now / windowMs);
    if (current !== window) [window, asked] = [current, 0];
    asked += 1;
    const leftMs = (current + 1) * windowMs - world.now;
    return asked <= limit ? ok : { ok: false, status: 429, retryAfterMs: saysWhen ? leftMs : 0 };
  };
}

/** A lane with so many events, which ends when all are done. */
function deliverAll(world: World, events: number, answer: () => Outcome): void {
  world.lane = { ...newLane(0), window: 64 };
  world.append(...Array.from({ length: events }, (_, n) => `s${n % 100}`));
  const end = world.now + 6 * 3_600_000;
  const isOver = () => world.delivered.length + world.dead.length === events || world.now > end;
  while (!isOver() && world.lane.status === "ACTIVE") {
    world.settle(answer);
    world.now = Math.max(world.now + 1, world.wakeAt ?? 0);
  }
}

const manners: Partial<DeliveryOptions>[] = [
  { ordering: "none" },
  { ordering: "conversation" },
  { batch: { max_events: 2, max_wait_ms: 0 } },
];

describe.each([
  ["5 in 2 s, with the time of the next, as Discord has it", 5, 2_000, true],
  ["1 in a second, with the time of the next, as Slack has it", 1, 1_000, true],
  ["1 in 5 s, without a word, as ntfy has it", 1, 5_000, false],
] as const)("a limit of %s", (_, limit, windowMs, saysWhen) => {
  test.each(manners)("kills no event and fails no endpoint (%j)", manner => {
    const world = new World(() => 1, manner);
    deliverAll(world, 300, limited(world, limit, windowMs, saysWhen));
    expect(world.dead).toEqual([]);
    expect(world.lane).toMatchObject({ status: "ACTIVE", position: 300, retries: [] });
    expect(new Set(world.delivered).size).toBe(300);
  });
});

test("an event that was refused for the limit, however often, has its five tries when it fails itself", () => {
  const world = new World();
  world.lane = { ...newLane(0), window: 64 };
  world.append("a");
  let [limits, failures] = [6, 0];
  const answer = ([seq]: number[]): Outcome => {
    if (seq !== 1) return ok;
    if (limits-- > 0) return { ok: false, status: 429, retryAfterMs: 1_000 };
    failures += 1;
    return bad;
  };
  for (let rounds = 0; rounds < 100 && world.dead.length === 0; rounds += 1) {
    world.append("b");
    world.settle(answer);
    world.now = Math.max(world.now + 1, world.wakeAt ?? 0);
  }
  expect([world.dead, failures]).toEqual([[1], 5]);
});

test("a batch that a limit refuses stays whole", () => {
  const world = new World(() => 1, { batch: { max_events: 4, max_wait_ms: 0 } });
  world.append("a", "b", "c", "d");
  let limits = 4;
  world.settleAll(() => (limits-- > 0 ? { ok: false, status: 429, retryAfterMs: 1_000 } : ok));
  expect(world.sent.map(({ seqs }) => seqs)).toEqual(Array(5).fill([1, 2, 3, 4]));
});
