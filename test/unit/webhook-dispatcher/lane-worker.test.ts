import { jest } from "@jest/globals";
import { replayAfter } from "../../../services/domain/delivery/lane.ts";
import { someEvents } from "../../fakes/memory-log.ts";
import { until } from "../../support/until.ts";
import { type House, openHouse } from "./lane.house.ts";

let house: House;

afterEach(async () => {
  jest.restoreAllMocks();
  await house.close();
});

test("a replay that comes while the log is read begins with its first event", async () => {
  house = await openHouse({ lane: { position: 4 } });
  const { dispatcher, journal, log, sent } = house;
  await log.append(someEvents("k", 1, 6));
  const held = Promise.withResolvers<void>();
  log.duringRead = () => held.promise;
  dispatcher.wake(["k"]);
  await until("the log is read", () => log.reads > 0);
  await journal.write("k", batch => {
    const lane = batch.lane("k");
    if (lane) batch.setLane("k", replayAfter(lane, 0));
  });
  held.resolve();
  await until("all arrived", () => new Set(sent).size === 6);
  expect(sent).toEqual(someEvents("k", 1, 6).map(({ bodyId }) => `evt_${bodyId}`));
});

test("a lane that waits by a clock ahead of itself is probed with the next event, once the clock is set right", async () => {
  const ahead = Date.now() + 30 * 24 * 3_600_000;
  const clock = jest.spyOn(Date, "now").mockReturnValue(ahead);
  const later = ahead + 60_000;
  const retry = { seq: 1, source: null, failures: 1, notBefore: later };
  house = await openHouse({ lane: { position: 1, retries: [retry], streak: [ahead], probeAt: later } });
  const { dispatcher, log, sent } = house;
  await log.append(someEvents("k", 1, 1));
  dispatcher.wake(["k"]);
  await until("it waits", () => log.reads > 0 && dispatcher.busy.length > 0);
  await new Promise(resolve => setImmediate(resolve));
  expect(sent).toEqual([]);
  clock.mockRestore();
  dispatcher.wake(["k"]);
  await until("it is probed", () => sent.length === 1);
});

test("a gap in the log is skipped although that could not be written at first", async () => {
  house = await openHouse();
  const { dispatcher, disk, log, sent } = house;
  await log.append(someEvents("k", 1, 6));
  log.expireBefore("k", 4);
  disk.fault = new Error("database or disk is full");
  dispatcher.wake(["k"]);
  await until("the gap could not be skipped", () => disk.refused > 0);
  disk.fault = undefined;
  await until("all arrived", () => sent.length === 3);
  await dispatcher.stop();
  expect(await house.stored()).toMatchObject({ position: 6, settled: [] });
});
