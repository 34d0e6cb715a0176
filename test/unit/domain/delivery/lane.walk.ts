import type { Outcome } from "../../../../services/domain/delivery/apply-outcome.ts";
import type { DeliveryOptions } from "../../../../services/domain/delivery/delivery-options.ts";
import { type Attempt, type Lane, reactivate } from "../../../../services/domain/delivery/lane.ts";
import { bad, lcg, ok, seqsOf, World } from "./lane.world.ts";

export const manners: [string, Partial<DeliveryOptions>][] = [
  ["in order", {}],
  ["without order", { ordering: "none" }],
  ["in batches", { batch: { max_events: 6, max_wait_ms: 2_000 } }],
  ["in batches without order", { ordering: "none", batch: { max_events: 6, max_wait_ms: 2_000 } }],
];

const widestWindow = 64;
const moods: Outcome[] = [
  bad,
  bad,
  { ok: false, status: null, retryAfterMs: 0 },
  { ok: false, status: 422, retryAfterMs: 0 },
  { ok: false, status: 410, retryAfterMs: 0 },
  { ok: false, status: 429, retryAfterMs: 9_000 },
];

/** Lets an endpoint with moods meet a lane at random; throws when the lane breaks a promise at any time. */
export function walk(seed: number, manner: Partial<DeliveryOptions>, steps: number): void {
  const random = lcg(seed);
  const world = new World(() => 0.8 + 0.4 * random(), manner);
  let health = 1;
  for (let step = 0; step < steps; step += 1) {
    if (random() < 0.02) health = [1, 0.98, 0.9, random(), 0][Math.floor(random() * 5)] ?? 1;
    if (random() < 0.5) world.append(`s${Math.floor(random() * 5)}`);
    world.begin();
    check(world);
    const open = [...world.underWay];
    const attempt = open[Math.floor(random() * open.length)];
    const outcome = random() < health ? ok : moods[Math.floor(random() * moods.length)];
    if (attempt && outcome && random() < 0.8) answer(world, attempt, outcome, random);
    world.now += Math.floor(random() * 3_000);
    if (world.lane.status === "FAILED" && random() < 0.05) world.lane = reactivate(world.lane);
  }
  finish(world);
}

/** The same with a receiver that fails each attempt with a probability, but no event twice; what arrives is in order. */
export function walkFailing(
  seed: number,
  manner: Partial<DeliveryOptions>,
  share: number,
  steps: number,
): void {
  const random = lcg(seed);
  const world = new World(() => 0.8 + 0.4 * random(), manner);
  const refused = new Set<string>();
  for (let step = 0; step < steps; step += 1) {
    if (random() < 0.7) world.append(`s${Math.floor(random() * 8)}`);
    world.begin();
    const open = [...world.underWay];
    const attempt = open[Math.floor(random() * open.length)];
    if (attempt) {
      const name = seqsOf(attempt).join();
      const fails = !seqsOf(attempt).some(seq => refused.has(String(seq))) && random() < share;
      if (fails) for (const seq of name.split(",")) refused.add(seq);
      answer(world, attempt, fails ? bad : ok, random);
    }
    world.now += Math.floor(random() * 400);
    if (world.lane.status === "FAILED") throw new Error("an endpoint that takes most events is FAILED");
  }
  finish(world);
  if (world.dead.length > 0) throw new Error(`${world.dead} died, and none was refused twice`);
  if (world.manner.ordering === "conversation") inOrder(world);
}

/** What was taken is written now, or later. */
function answer(world: World, attempt: Attempt, outcome: Outcome, random: () => number): void {
  if (world.accepted.has(attempt)) world.end(attempt, ok);
  else if (outcome.ok && random() < 0.5) world.take(attempt);
  else world.end(attempt, outcome);
}

/** What must hold at any time. */
function check({ lane, delivered, dead, underWay, accepted, now, manner }: World): void {
  const done = new Set([...delivered, ...dead, ...lane.retries.map(({ seq }) => seq)]);
  for (let seq = 1; seq <= lane.position; seq += 1) if (!done.has(seq)) throw new Error(`${seq} was skipped`);
  if (lane.settled.some(seq => !done.has(seq))) throw new Error("settled, but not done");
  const events = [...underWay].flatMap(attempt => attempt.events);
  if (new Set(events.map(({ seq }) => seq)).size < events.length) throw new Error("an event is sent twice");
  const unanswered = [...underWay].filter(each => !accepted.has(each));
  const conversations = unanswered.flatMap(each => [
    ...new Set(each.events.map(({ conversation }) => conversation)),
  ]);
  if (manner.ordering === "conversation" && new Set(conversations).size < conversations.length)
    throw new Error("two attempts of a conversation are under way");
  if (isOutOfBounds(lane, now) || unanswered.length > widestWindow || underWay.size > 2 * widestWindow)
    throw new Error("out of bounds");
}

function isOutOfBounds({ window, streak, settled }: Lane, now: number): boolean {
  const rises = settled.every((seq, at) => at === 0 || seq > (settled[at - 1] ?? 0));
  return window < 1 || window > widestWindow || !rises || streak.some(at => at > now) || streak.length > 5;
}

/** The endpoint recovers: all that is left arrives, and each event is delivered or dead, once. */
function finish(world: World): void {
  world.lane = reactivate(world.lane);
  for (const attempt of world.underWay) world.end(attempt, ok);
  for (let rounds = 0; isBehind(world); rounds += 1) {
    if (rounds > 10_000) throw new Error("the lane stands still");
    world.settle(() => ok);
    world.now = Math.max(world.wakeAt ?? 0, world.now + 1);
  }
  const done = [...world.delivered, ...world.dead];
  if (new Set(done).size !== world.log.length || done.length !== world.log.length)
    throw new Error(`${done.length} events are done, ${world.log.length} were to be`);
  if (world.sent.some(({ status }) => status === "FAILED")) throw new Error("a FAILED lane sent something");
}

function isBehind({ lane, log }: World): boolean {
  return lane.position < log.length || lane.retries.length > 0 || lane.settled.length > 0;
}

/** The events of each conversation were taken in the order of the log. */
function inOrder({ log, arrived }: World): void {
  const last = new Map<string | null, number>();
  for (const seq of arrived) {
    const { conversation } = log[seq - 1] ?? { conversation: null };
    if (seq < (last.get(conversation) ?? 0)) throw new Error(`${seq} came late in its conversation`);
    last.set(conversation, seq);
  }
}
