import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ServiceBroker } from "moleculer";
import { forgetMissingKeys } from "../../mixins/clients/existing-keys.ts";
import { call } from "../../services/contracts/action.ts";
import { codeOf, fail } from "../../services/contracts/errors.ts";
import type { SourceKind } from "../../services/contracts/source.ts";
import * as contract from "../../services/contracts/tracker.contract.ts";
import { receivePosts, type TrackJob, trackStatus } from "../../services/contracts/tracker.contract.ts";
import { type Platforms, platformsThrough } from "../../services/tracker/connectors.ts";
import type { TrackerContext } from "../../services/tracker/context.ts";
import { pruneJobs } from "../../services/tracker/joins/join-jobs.ts";
import { joinSteps, stepJoin } from "../../services/tracker/joins/step-join.ts";
import { forgetKey } from "../../services/tracker/tracking/untrack.ts";
import { SocialUpstream, socialPost } from "../fakes/social-upstream.ts";
import { removeFolder } from "../support/folders.ts";
import { callAs, startTracker, type Tracker } from "../support/social-tracker.ts";
import { until } from "../support/until.ts";

const second = 1000;
const hour = 3600 * second;
const day = 24 * hour;
const gate = "+gate";

let dataDir: string;
let upstream: SocialUpstream;
let broker: ServiceBroker;
let service: Tracker;
let context: TrackerContext;
let platforms: Platforms;

async function start(): Promise<void> {
  ({ broker, service } = await startTracker(dataDir, upstream));
  ({ context } = service);
  platforms = platformsThrough(broker);
}

beforeEach(async () => {
  dataDir = mkdtempSync(join(tmpdir(), "magpie-tracker-joins-"));
  upstream = new SocialUpstream();
  await start();
});
afterEach(async () => {
  await broker.stop();
  await removeFolder(dataDir);
});

/** The job of a wish that has to wait. */
const want = async (keyId: string, sid = gate, limit?: number): Promise<string> => {
  const { result, status } = await callAs(broker, keyId, contract.track, { source: "messenger", sid }, limit);
  if (!("jobId" in result)) throw new Error(result.message);
  expect([status, result.message]).toEqual([202, expect.stringMatching(/./)]);
  return result.jobId;
};
const job = async (keyId: string, id: string, source: SourceKind = "messenger"): Promise<TrackJob> =>
  (await callAs(broker, keyId, trackStatus, { source, id })).result;
const stateOf = async (keyId: string, id: string) => (await job(keyId, id)).state;
const codeOfJob = (keyId: string, id: string, source?: SourceKind) =>
  job(keyId, id, source).then(
    () => undefined,
    error => codeOf(error),
  );
const asked = (sid = gate) => upstream.count(`requestJoin ${sid}`);
const looked = (sid = gate) => upstream.count(`checkJoin ${sid}`);
const forget = (keyId: string) => forgetKey(context, keyId);
const isTracked = async (keyId: string) => (await context.subscriptions.findOne({ keyId })) !== null;

describe("by a clock of the test", () => {
  let now: number;
  let faults: string[];

  beforeEach(async () => {
    faults = [];
    await service.joinScheduler.stop(0);
    await service.pollScheduler.stop(0);
    now = Date.parse("2026-01-01T00:00:00.000Z");
    context.now = () => now;
  });
  /** Takes the steps that are due, and those that are due after them, until nothing is. */
  const work = async () => {
    for (let rounds = 0; rounds < 10; rounds += 1) {
      const due = await joinSteps.leaseDue(context, 100);
      if (due.length === 0) return;
      for (const leased of due)
        await stepJoin(context, leased, platforms).catch(error => faults.push(String(error)));
    }
    throw new Error("There is no end to it");
  };
  const pass = async (ms: number) => {
    now += ms;
    await work();
  };
  test("waiting, then completed with the source, which is tracked from then on; asked once", async () => {
    const id = await want("k1");
    expect([await job("k1", id), asked()]).toEqual([{ id, state: "waiting" }, 0]);
    await work();
    expect([await job("k1", id), asked()]).toEqual([{ id, state: "waiting" }, 1]);
    for (let n = 0; n < 10; n += 1) await pass(2 * second);
    expect([await stateOf("k1", id), asked(), looked() > 5, await isTracked("k1")]).toEqual([
      "waiting",
      1,
      true,
      false,
    ]);
    upstream.decided.set(gate, { state: "in" });
    await pass(10 * second);
    expect(await job("k1", id)).toEqual({
      id,
      state: "completed",
      returnvalue: {
        id: expect.stringMatching(/^[0-9a-f-]{36}$/),
        source: "MESSENGER",
        externalId: "id-+gate",
        username: gate,
        name: "Name of +gate",
      },
    });
    expect([upstream.followed(), asked(), await context.joins.count()]).toEqual([["id-+gate"], 1, 0]);
    const posts = [socialPost("messenger", 1)];
    await call(broker, receivePosts, { kind: "messenger", externalId: "id-+gate", posts });
    expect((await service.log.read("k1", 0, 10)).length).toBe(1);
  });

  test("is active from the moment we are in until the source is tracked, whatever breaks in between", async () => {
    const id = await want("k1");
    await work();
    upstream.decided.set(gate, { state: "in" });
    upstream.problems.set("follow", () => {
      throw fail("connector_unavailable", "Away.", { retry_after: 30 });
    });
    await pass(second);
    expect([await job("k1", id), await isTracked("k1"), faults]).toEqual([
      { id, state: "active" },
      false,
      [],
    ]);
    upstream.problems.set("follow", () => {
      throw new Error("a fault of ours");
    });
    await pass(30 * second);
    expect([await stateOf("k1", id), faults.length]).toEqual(["active", 1]);
    upstream.problems.clear();
    await pass(30 * second);
    expect([await stateOf("k1", id), asked()]).toEqual(["completed", 1]);
  });

  test("where we are in already it is tracked at once", async () => {
    const { status, result } = await callAs(broker, "k1", contract.track, {
      source: "messenger",
      sid: "open",
    });
    expect([status, "data" in result, await context.jobs.count()]).toEqual([201, true, 0]);
  });

  test("the same wish is the same job while it waits; a new one after it has failed", async () => {
    const id = await want("k1");
    await work();
    expect(await want("k1")).toBe(id);
    upstream.decided.set(gate, { state: "refused", reason: "They do not want us." });
    await pass(second);
    expect(await job("k1", id)).toEqual({ id, state: "failed", failedReason: "They do not want us." });
    upstream.decided.clear();
    const again = await want("k1");
    await work();
    expect([again === id, await stateOf("k1", again), await stateOf("k1", id), asked()]).toEqual([
      false,
      "waiting",
      "failed",
      2,
    ]);
  });

  test("keys that want the same share the request, and each gets its own", async () => {
    const ids = new Map<string, string>();
    for (const keyId of ["k1", "k2", "k3"]) ids.set(keyId, await want(keyId));
    await work();
    ids.set("k4", await want("k4"));
    const other = await want("k1", "+other");
    await pass(second);
    expect([asked(), asked("+other"), new Set(ids.values()).size]).toEqual([1, 1, 4]);
    upstream.decided.set(gate, { state: "in" });
    await pass(5 * second);
    for (const [keyId, id] of ids)
      expect([await stateOf(keyId, id), await isTracked(keyId)]).toEqual(["completed", true]);
    expect([await stateOf("k1", other), asked(), upstream.count("follow id-+gate")]).toEqual([
      "waiting",
      1,
      1,
    ]);
  });

  test("another key's job, and one of another kind, is not found", async () => {
    const id = await want("k1");
    const codes = [
      codeOfJob("k2", id),
      codeOfJob("k1", "x"),
      codeOfJob("k1", id, "microblog"),
      codeOfJob("k1", id),
    ];
    expect(await Promise.all(codes)).toEqual(["not_found", "not_found", "not_found", undefined]);
  });

  test("nobody decides for seven days: failed, and at most some two hundred looks", async () => {
    const id = await want("k1");
    await work();
    for (let hours = 0; hours < 6 * 24; hours += 1) await pass(hour);
    const late = await want("k2");
    for (let hours = 0; hours < 24 - 1; hours += 1) await pass(hour);
    expect(await stateOf("k1", id)).toBe("waiting");
    await pass(2 * hour);
    expect(await job("k1", id)).toEqual({
      id,
      state: "failed",
      failedReason: expect.stringContaining("7 days"),
    });
    // Whoever came later has seven days of their own, and shares the request.
    expect([await stateOf("k2", late), asked()]).toEqual(["waiting", 1]);
    expect(looked()).toBeLessThan(220);
    for (let hours = 0; hours < 7 * 24; hours += 1) await pass(hour);
    expect([await stateOf("k2", late), await context.joins.count()]).toEqual(["failed", 0]);
  });

  test("looks come a second apart at first, then ever more rarely", async () => {
    await want("k1");
    await work();
    const times: number[] = [];
    const begun = now;
    for (let passed = 0; passed < 60; passed += 1) {
      const before = looked();
      await pass(second);
      if (looked() > before) times.push((now - begun) / second);
    }
    expect(times.slice(0, 5)).toEqual([1, 2, 3, 4, 5]);
    const gaps = times.map((time, n) => time - (times[n - 1] ?? 0));
    expect(Math.max(...gaps)).toBeGreaterThanOrEqual(8);
    expect(gaps).toEqual(gaps.toSorted((a, b) => a - b));
  });

  test("a platform that is too busy to be asked is asked when it says, and not before", async () => {
    const id = await want("k1");
    upstream.nextAnswer = { state: "unasked", notBefore: now + 90 * second };
    await work();
    await pass(89 * second);
    expect([asked(), looked()]).toEqual([1, 0]);
    await pass(second);
    expect([asked(), await stateOf("k1", id)]).toEqual([2, "waiting"]);
    await pass(10 * second);
    expect([asked(), looked() > 0]).toEqual([2, true]);
  });

  test("one that wants no question for a while gets none", async () => {
    await want("k1");
    await work();
    upstream.decided.set(gate, { state: "pending", notBefore: now + hour });
    await pass(second);
    const before = looked();
    await pass(hour - 2 * second);
    expect(looked()).toBe(before);
    await pass(2 * second);
    expect(looked()).toBe(before + 1);
  });

  test.each([
    ["is not there", () => fail("connector_unavailable", "Away.", { retry_after: 60 }), 2],
    ["gives no answer, so that it may have been asked", () => new Error("no answer"), 1],
  ])("a platform that %s at the request", async (_, trouble, times) => {
    const id = await want("k1");
    let tries = 0;
    // It cannot tell whether it was asked.
    upstream.standing = () => upstream.decided.get(gate) ?? { state: "pending", notBefore: null };
    upstream.problems.set("requestJoin", () => {
      tries += 1;
      // What breaks after the platform has heard it.
      if (times === 1) upstream.calls.push(`requestJoin ${gate}`);
      if (tries === 1) throw trouble();
    });
    await work();
    expect(await stateOf("k1", id)).toBe("waiting");
    await pass(59 * second);
    expect(tries).toBe(1);
    for (let n = 0; n < 10; n += 1) await pass(60 * second);
    expect([tries, asked()]).toEqual([times, 1]);
    upstream.decided.set(gate, { state: "in" });
    await pass(hour);
    expect(await stateOf("k1", id)).toBe("completed");
  });

  test("a platform that knows of no request of ours is asked again", async () => {
    const id = await want("k1");
    await work();
    upstream.calls.length = 0;
    await pass(second);
    await pass(second);
    expect([asked(), await stateOf("k1", id)]).toEqual([1, "waiting"]);
  });

  test.each([["not_found"], ["validation_failed"]] as const)(
    "an invite that is %s fails the job with its sentence",
    async code => {
      const id = await want("k1");
      await work();
      upstream.problems.set("checkJoin", () => {
        throw fail(code, "This invite has expired.");
      });
      await pass(second);
      expect(await job("k1", id)).toEqual({ id, state: "failed", failedReason: "This invite has expired." });
      expect(await context.joins.count()).toBe(0);
    },
  );

  test("a fault at a look is told, and the look taken again", async () => {
    const id = await want("k1");
    await work();
    upstream.problems.set("checkJoin", () => {
      throw new Error("a fault of ours");
    });
    await pass(second);
    expect([faults.length, await stateOf("k1", id)]).toEqual([1, "waiting"]);
    upstream.problems.clear();
    upstream.decided.set(gate, { state: "in" });
    await pass(2 * second);
    expect(await stateOf("k1", id)).toBe("completed");
  });

  test("a key that tracks as much as it may by then is refused alone, with the sentence", async () => {
    const [full, free] = [await want("k1", gate, 1), await want("k2", gate, 1)];
    await work();
    await callAs(broker, "k1", contract.track, { source: "microblog", sid: "ann" }, 1);
    upstream.decided.set(gate, { state: "in" });
    await pass(second);
    expect(await job("k1", full)).toEqual({
      id: full,
      state: "failed",
      failedReason: expect.stringContaining("tracks 1 sources"),
    });
    expect([await stateOf("k2", free), await context.subscriptions.count()]).toEqual(["completed", 2]);
    expect((await context.tallies.findById("k1"))?.sources).toBe(1);
  });

  test("a key that tracks it already completes all the same", async () => {
    const id = await want("k1");
    await work();
    upstream.decided.set(gate, { state: "in" });
    const { status } = await callAs(broker, "k1", contract.track, { source: "messenger", sid: gate });
    await pass(second);
    expect([status, await stateOf("k1", id), await context.subscriptions.count()]).toEqual([
      201,
      "completed",
      1,
    ]);
  });

  test("a deleted key's jobs are forgotten, and nothing is tracked for it; others' go on", async () => {
    const [gone, stays] = [await want("k1"), await want("k2")];
    await work();
    await forgetKey(context, "k1");
    upstream.decided.set(gate, { state: "in" });
    await pass(second);
    expect([await codeOfJob("k1", gone), await isTracked("k1")]).toEqual(["not_found", false]);
    expect([await stateOf("k2", stays), await isTracked("k2")]).toEqual(["completed", true]);
  });

  test("a key that is deleted while its source is being followed tracks nothing, and it is let go of", async () => {
    await want("k1");
    await work();
    upstream.decided.set(gate, { state: "in" });
    upstream.problems.set("follow", () => forgetKey(context, "k1"));
    await pass(second);
    await pass(second);
    await until("it is let go", () => upstream.count("letGo id-+gate") > 0);
    expect([
      await context.subscriptions.count(),
      await context.sources.count(),
      await context.joins.count(),
    ]).toEqual([0, 0, 0]);
  });

  test("a request that nobody waits for any more is forgotten", async () => {
    await want("k1");
    await work();
    await forgetKey(context, "k1");
    await pass(hour);
    expect([await context.joins.count(), looked()]).toEqual([0, 0]);
  });

  test("a key that was deleted unheard of is found by its wish alone", async () => {
    await want("k1");
    expect(
      await forgetMissingKeys([context.tallies], async () => [], forget, AbortSignal.timeout(30_000)),
    ).toBe(1);
    expect([await context.jobs.count(), await context.tallies.count()]).toEqual([0, 0]);
  });

  test("what became of a job can be asked for seven days", async () => {
    const id = await want("k1");
    await work();
    upstream.decided.set(gate, { state: "in" });
    await pass(second);
    now += 7 * day;
    expect([await pruneJobs(context), await stateOf("k1", id)]).toEqual([0, "completed"]);
    now += 1;
    expect([await pruneJobs(context), await codeOfJob("k1", id)]).toEqual([1, "not_found"]);
  });

  test("a step belongs to whoever took it; after a start the steps of before are taken again", async () => {
    const id = await want("k1");
    const [late] = await joinSteps.leaseDue(context, 1);
    expect(await joinSteps.leaseDue(context, 1)).toEqual([]);
    await joinSteps.release(context, late?.lease.split(":")[0] ?? "");
    await work();
    upstream.decided.set(gate, { state: "refused", reason: "No." });
    if (late) await stepJoin(context, late, platforms);
    expect([await stateOf("k1", id), asked()]).toEqual(["waiting", 1]);
  });
});

describe("by itself", () => {
  test("it asks, sees the decision, and polls the source; after a restart too", async () => {
    const first = await want("k1");
    await until("it is asked", () => asked() === 1);
    await broker.stop();
    upstream.decided.set(gate, { state: "in" });
    await start();
    await until("it is completed", async () => (await stateOf("k1", first)) === "completed");
    await until("it is polled", () => upstream.count("poll id-+gate") > 0);
    expect(asked()).toBe(1);
  });
});
