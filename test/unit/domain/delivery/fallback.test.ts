import { applyOutcome } from "../../../../services/domain/delivery/apply-outcome.ts";
import { type Attempt, type Lane, newLane, reactivate } from "../../../../services/domain/delivery/lane.ts";
import { bad, ok, schedule } from "./lane.world.ts";

const gone = { ...bad, status: 410 };
const policy = { schedule, spread: 1, hasFallback: true };

function attemptOf(lane: Lane, ...seqs: number[]): Attempt {
  const { missEpoch, epoch, revision, diverted } = lane;
  const events = seqs.map(seq => ({ seq, conversation: "a" }));
  return { events, missEpoch, epoch, revision, ...(diverted && { diverted }) };
}

test("an endpoint that fails for good is diverted: its events are due at once, and it stays so until it is changed", () => {
  const before = newLane(0);
  const diverted = applyOutcome(before, attemptOf(before, 1), gone, 1_000, policy).lane;
  expect(diverted).toMatchObject({
    status: "ACTIVE",
    diverted: true,
    streak: [],
    retries: [{ seq: 1, failures: 0, notBefore: 0 }],
    untold: [{ state: "failed" }],
  });
  const taken = applyOutcome(diverted, attemptOf(diverted, 1), ok, 2_000, policy).lane;
  expect(taken).toMatchObject({ diverted: true, position: 1, retries: [] });
  expect(taken.untold).toHaveLength(1);
  expect(reactivate(taken)).not.toHaveProperty("diverted");
});

test("an attempt at the endpoint that ends after the diversion does not count against the fallback", () => {
  const before = { ...newLane(0), window: 2 };
  const [first, second] = [attemptOf(before, 1), attemptOf(before, 2)];
  const diverted = applyOutcome(before, first, gone, 1_000, policy).lane;
  const later = applyOutcome(diverted, second, gone, 1_001, policy).lane;
  expect(later).toMatchObject({ status: "ACTIVE", diverted: true, streak: [] });
});

test("a fallback that is gone leaves the endpoint FAILED, and without a fallback it is so at once", () => {
  const before = newLane(0);
  const diverted = applyOutcome(before, attemptOf(before, 1), gone, 1_000, policy).lane;
  const failed = applyOutcome(diverted, attemptOf(diverted, 1), gone, 2_000, policy).lane;
  expect(failed).toMatchObject({ status: "FAILED", diverted: true, retries: [{ seq: 1 }] });
  const alone = applyOutcome(before, attemptOf(before, 1), gone, 1_000, { schedule, spread: 1 }).lane;
  expect(alone.status).toBe("FAILED");
});
