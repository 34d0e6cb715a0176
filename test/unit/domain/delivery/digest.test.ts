import {
  applyDigest,
  digestId,
  digestMs,
  doneThrough,
  endAt,
  isDigestDue,
  keepTime,
  withDigest,
} from "../../../../services/domain/delivery/digest.ts";
import {
  disabled,
  type Lane,
  newLane,
  reactivate,
  replayAfter,
} from "../../../../services/domain/delivery/lane.ts";

const now = 1_000_000_000;
const policy = { schedule: [5_000, 30_000], spread: 1 };
const planned: Lane = { ...newLane(10), digest: { dueAt: now, to: 20, failures: 0 } };
const attempt = { missEpoch: 0, epoch: 0, revision: 0, to: 20, failures: 0 };
const ok = { ok: true, status: 250, retryAfterMs: 0 };
const later = { ok: false, status: 451, retryAfterMs: 0, blame: "nobody" as const };

test("a digest keeps its time, unless a clock that was ahead has set it", () => {
  const lane = withDigest(newLane(0), now + digestMs["1h"]);
  expect(withDigest(lane, now)).toBe(lane);
  const { digest } = lane;
  if (!digest) throw new Error("There is a digest");
  expect(isDigestDue(digest, "1h", now)).toBe(false);
  expect(isDigestDue(digest, "1h", now + digestMs["1h"])).toBe(true);
  expect(isDigestDue(digest, "1h", now - 600_000)).toBe(true);
});

test("when it was taken, everything up to its end is done, once", () => {
  const retry = (seq: number) => ({ seq, conversation: null, failures: 1, notBefore: 0, failedAt: 0 });
  const lane = { ...planned, settled: [12, 21], retries: [retry(4), retry(23)] };
  const sent = applyDigest(lane, attempt, ok, now, policy);
  expect(sent).toMatchObject({ position: 21, settled: [], retries: [retry(23)] });
  expect(sent.digest).toBeUndefined();
  expect(applyDigest(sent, attempt, ok, now, policy)).toBe(sent);
  expect(doneThrough(planned, 5)).toMatchObject({ position: 10 });
});

test("what fails keeps its end and waits for the schedule; what passes makes nothing FAILED", () => {
  let lane = planned;
  for (let failures = 0; failures < 10; failures += 1) {
    const at = now + failures * 60_000;
    const tried = { ...attempt, missEpoch: lane.missEpoch, failures };
    const failed = applyDigest(lane, tried, later, at, policy);
    expect(failed).toMatchObject({
      status: "ACTIVE",
      position: 10,
      digest: { to: 20, failures: failures + 1 },
    });
    expect(failed.probeAt).toBeGreaterThan(at);
    expect(applyDigest(failed, tried, later, at, policy)).toBe(failed);
    lane = failed;
  }
  const refused = { ...later, status: 554, blame: "event" as const };
  const last = { ...attempt, missEpoch: lane.missEpoch, failures: 10 };
  expect(applyDigest(lane, last, refused, now + 900_000, policy).status).toBe("FAILED");
  const gone = { ...later, status: 550, blame: "gone" as const };
  expect(applyDigest(planned, attempt, gone, now, policy).status).toBe("FAILED");
});

test("a change of the endpoint and a replay begin another digest", () => {
  expect(reactivate(planned).digest).toBeUndefined();
  const replayed = replayAfter(planned, 0, 0);
  expect(replayed.digest).toBeUndefined();
  expect(applyDigest(replayed, attempt, ok, now, policy)).toBe(replayed);
});

test("the same events of an endpoint have the same id, and no others", () => {
  const ids = [
    digestId("k", 0, "evt_1", 20),
    digestId("k:1", 0, "evt_1", 20),
    digestId("k", 1, "evt_1", 20),
    digestId("k", 0, "evt_2", 20),
    digestId("k", 0, "evt_1", 21),
  ];
  expect(new Set(ids).size).toBe(ids.length);
  expect(digestId("k", 0, "evt_1", 20)).toBe(ids[0]);
});

test("a change that leaves the interval keeps the time, and the end is chosen anew", () => {
  expect(keepTime(reactivate(planned), planned).digest).toEqual({ dueAt: now, failures: 0 });
  expect(keepTime(reactivate(newLane(10)), newLane(10)).digest).toBeUndefined();
  expect(keepTime(disabled(planned), planned).digest).toBeUndefined();
});

test("of two nodes the one that comes second gives a digest no other end", () => {
  const open = withDigest(newLane(10), now);
  expect(endAt(open, undefined, 20).digest?.to).toBe(20);
  expect(endAt(planned, undefined, 18)).toBe(planned);
  expect(endAt(planned, 20, 19).digest?.to).toBe(19);
  expect(endAt(newLane(10), undefined, 20).digest).toBeUndefined();
});
