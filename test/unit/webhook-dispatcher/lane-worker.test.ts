import { jest } from "@jest/globals";
import type { NewEvent } from "../../../mixins/event-log/event-log.ts";
import type { Source } from "../../../services/contracts/source.ts";
import { type Lane, markDone, newLane, replayAfter } from "../../../services/domain/delivery/lane.ts";
import { someEvents } from "../../fakes/memory-log.ts";
import { until } from "../../support/until.ts";
import { type LaneFixture, openLane } from "./one-lane.ts";

let fixture: LaneFixture;

afterEach(async () => {
  jest.restoreAllMocks();
  await fixture.close();
});

test("a replay that comes while the log is read begins with its first event", async () => {
  fixture = await openLane({ lane: { position: 4 } });
  const { dispatcher, journal, log, sent } = fixture;
  await log.append(someEvents("k", 1, 6));
  const held = Promise.withResolvers<void>();
  log.duringRead = () => held.promise;
  dispatcher.wake(["k"]);
  await until("the log is read", () => log.reads > 0);
  await journal.write("k", batch => {
    const lane = batch.lane("k");
    if (lane) batch.setLane("k", replayAfter(lane, 0, Date.now()));
  });
  held.resolve();
  await until("all arrived", () => new Set(sent).size === 6);
  expect(sent).toEqual(someEvents("k", 1, 6).map(({ bodyId }) => `evt_${bodyId}`));
});

test("a lane that waits by a clock ahead of itself is probed with the next event, once the clock is set right", async () => {
  const ahead = Date.now() + 30 * 24 * 3_600_000;
  const clock = jest.spyOn(Date, "now").mockReturnValue(ahead);
  const later = ahead + 60_000;
  const retry = { seq: 1, conversation: null, failures: 3, notBefore: later, failedAt: ahead };
  const probing = { streak: [ahead], misses: 3, probeAt: later };
  fixture = await openLane({ lane: { position: 1, retries: [retry], ...probing } });
  const { dispatcher, log, sent } = fixture;
  await log.append(someEvents("k", 1, 1));
  dispatcher.wake(["k"]);
  await until("it waits", () => log.reads > 0 && dispatcher.busy.length > 0);
  await new Promise(resolve => setImmediate(resolve));
  expect(sent).toEqual([]);
  clock.mockRestore();
  dispatcher.wake(["k"]);
  await until("it is probed", () => sent.length === 1);
});

test("what a lane that waits has read is not sent once it is erased", async () => {
  const ahead = Date.now() + 30 * 24 * 3_600_000;
  const clock = jest.spyOn(Date, "now").mockReturnValue(ahead);
  const later = ahead + 60_000;
  const retry = { seq: 1, conversation: null, failures: 3, notBefore: later, failedAt: ahead };
  const probing = { streak: [ahead], misses: 3, probeAt: later };
  fixture = await openLane({ lane: { position: 1, retries: [retry], ...probing } });
  const { dispatcher, log, sent } = fixture;
  await log.append(someEvents("k", 1, 6));
  dispatcher.wake(["k"]);
  await until("it waits", () => log.reads > 0 && dispatcher.busy.length > 0);
  await new Promise(resolve => setImmediate(resolve));
  await log.erase({ sourceIds: [], text: "", isOne: ({ item }) => Object(item).id !== "5" });
  dispatcher.erased();
  clock.mockRestore();
  await log.append(someEvents("k", 7, 1));
  dispatcher.wake(["k"]);
  await until("the others are sent", () => sent.length === 2);
  await dispatcher.stop();
  expect(sent).toEqual(["evt_k-5", "evt_k-7"]);
});

test("a gap in the log is skipped although that could not be written at first", async () => {
  const expired: number[] = [];
  fixture = await openLane({ onExpired: events => expired.push(events) });
  const { dispatcher, disk, log, sent } = fixture;
  await log.append(someEvents("k", 1, 6));
  log.expireBefore("k", 4);
  disk.fault = new Error("database or disk is full");
  dispatcher.wake(["k"]);
  await until("the gap could not be skipped", () => disk.refused > 0);
  disk.fault = undefined;
  await until("all arrived", () => sent.length === 3);
  await dispatcher.stop();
  expect(await fixture.stored()).toMatchObject({ position: 6, settled: [] });
  // Once, although it took several tries.
  expect(expired).toEqual([3]);
});

describe("a log that keeps events for longer than they may wait", () => {
  const hourMs = 3_600_000;
  const open = async (lane: Partial<Lane>) => {
    const expired: number[] = [];
    fixture = await openLane({ lane, onExpired: events => expired.push(events) });
    const now = Date.now();
    const clock = jest.spyOn(Date, "now");
    clock.mockReturnValue(now - 80 * hourMs);
    await fixture.log.append(someEvents("k", 1, 4));
    clock.mockReturnValue(now - 71 * hourMs);
    await fixture.log.append(someEvents("k", 5, 2));
    clock.mockRestore();
    fixture.dispatcher.wake(["k"]);
    return expired;
  };
  const idsOf = (from: number, count: number) =>
    someEvents("k", from, count).map(({ bodyId }) => `evt_${bodyId}`);

  test("what has waited for 72 hours is left out, also a retry of it", async () => {
    const retry = { seq: 1, conversation: null, failures: 1, notBefore: 0, failedAt: 0 };
    const expired = await open({ position: 2, retries: [retry] });
    await until("the others arrived", () => fixture.sent.length >= 2);
    await fixture.dispatcher.stop();
    expect([fixture.sent, expired]).toEqual([idsOf(5, 2), [3]]);
    expect(await fixture.stored()).toMatchObject({ position: 6, retries: [] });
  });

  test.each([
    ["of a lane", {}],
    ["of a digest", { digest: "1h" as const }],
  ])("what is done with meanwhile, %s, is not counted as left out", async (_, manner) => {
    const expired: number[] = [];
    fixture = await openLane({ manner, onExpired: events => expired.push(events) });
    const { log, journal, dispatcher } = fixture;
    const now = Date.now();
    const clock = jest.spyOn(Date, "now").mockReturnValue(now - 80 * hourMs);
    await log.append(someEvents("k", 1, 4));
    clock.mockRestore();
    const [asked, answer] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const found = log.positionAt.bind(log);
    jest.spyOn(log, "positionAt").mockImplementationOnce(async (...of) => {
      asked.resolve();
      await answer.promise;
      return await found(...of);
    });
    dispatcher.wake(["k"]);
    await asked.promise;
    await journal.write("k", batch => {
      const lane = batch.lane("k");
      if (lane) batch.setLane("k", markDone(lane, [1]));
    });
    answer.resolve();
    await until("the others are left out", async () => (await fixture.stored())?.position === 4);
    await dispatcher.stop();
    expect(expired).toEqual([3]);
  });

  test("what a replay asks for is delivered, however old", async () => {
    const expired = await open(replayAfter(newLane(6), 1, Date.now() - 71 * hourMs));
    await until("all arrived", () => fixture.sent.length >= 5);
    await fixture.dispatcher.stop();
    expect([fixture.sent, expired]).toEqual([idsOf(2, 5), []]);
  });
});

test("a lane reads past what waits for its retry, as far as it may", async () => {
  const inTurns = (seq: number): NewEvent => ({
    bodyId: `k-${seq}`,
    type: "rss.item.created",
    timestamp: "2026-01-01T00:00:00.000Z",
    data: { source: { id: seq < 1_000 ? "held" : "free" } as Source },
    keyIds: ["k"],
  });
  const later = Date.now() + 60_000;
  const retry = { seq: 1, conversation: "held", failures: 4, notBefore: later, failedAt: 0 };
  fixture = await openLane({ lane: { position: 1, retries: [retry] } });
  const { dispatcher, log, sent } = fixture;
  await log.append(Array.from({ length: 1_005 }, (_, n) => inTurns(n + 1)));
  dispatcher.wake(["k"]);
  await until("the others arrived", () => sent.length === 6);
  expect(sent).toEqual([1000, 1001, 1002, 1003, 1004, 1005].map(seq => `evt_k-${seq}`));
});

// It is tried again in a second, and ten thousand times a second without a pause.
const aFew = 100;

test("an attempt for which there is no key to sign is not tried again at once", async () => {
  let tries = 0;
  fixture = await openLane({
    signingKeys: () => {
      tries += 1;
      throw new Error("cannot be unsealed");
    },
  });
  await fixture.log.append(someEvents("k", 1, 3));
  fixture.dispatcher.wake(["k"]);
  await until("it is tried a second time", () => tries > 1);
  await fixture.dispatcher.stop();
  expect(tries).toBeLessThan(aFew);
  expect(fixture.troubles).toHaveLength(tries);
});

test("an event that cannot be read is not read again at once, and holds up no other source", async () => {
  const retry = { seq: 1, conversation: "s", failures: 1, notBefore: 0, failedAt: 0 };
  fixture = await openLane({ lane: { position: 2, retries: [retry], window: 2 } });
  await fixture.log.append(someEvents("k", 1, 6));
  const { readWithin } = fixture.log;
  let tries = 0;
  fixture.log.readWithin = async (keyId, after, portion) => {
    if (after > 0) return await readWithin.call(fixture.log, keyId, after, portion);
    tries += 1;
    throw new Error("the log is away");
  };
  fixture.dispatcher.wake(["k"]);
  await until("it is tried a second time", () => tries > 1);
  await fixture.dispatcher.stop();
  expect(tries).toBeLessThan(aFew);
  expect(fixture.sent).toEqual(["evt_k-3", "evt_k-4", "evt_k-5", "evt_k-6"]);
});

test("a lane whose endpoint is being changed lets the change be written, and goes on with it", async () => {
  fixture = await openLane({ lane: { revision: 1 } });
  const { dispatcher, journal, log, sent, store } = fixture;
  const load = journal.loadActive.bind(journal);
  let loads = 0;
  jest.spyOn(journal, "loadActive").mockImplementation(async (...asked) => {
    loads += 1;
    if (loads > 100) throw new Error("it is loaded again and again");
    return await load(...asked);
  });
  await log.append(someEvents("k", 1, 1));
  dispatcher.wake(["k"]);
  await until("it was loaded", () => loads > 0);
  // A write to the embedded store needs a turn of the event loop.
  await store.change("k", doc => doc && { ...doc, url: "https://hooks.example/new", revision: 1 });
  await until("it arrived", () => sent.length === 1);
  expect(loads).toBeLessThan(100);
  expect(fixture.sentTo("/new")).toHaveLength(1);
});

test.each([
  [undefined, 4_194_304],
  [64, 1_048_576],
])("lanes of %s threads hold together as much as those of one", async (threads, bytes) => {
  fixture = await openLane({ threads });
  const { log, dispatcher, sent } = fixture;
  const reads = jest.spyOn(log, "readWithin");
  await log.append(someEvents("k", 1, 1));
  dispatcher.wake(["k"]);
  await until("it arrived", () => sent.length === 1);
  expect(reads.mock.calls[0]?.[2].bytes).toBe(bytes);
});
