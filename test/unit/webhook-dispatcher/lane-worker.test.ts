import { replayAfter } from "../../../services/domain/delivery/lane.ts";
import { someEvents } from "../../fakes/memory-log.ts";
import { until } from "../../support/until.ts";
import { type House, openHouse } from "./lane.house.ts";

let house: House;

afterEach(async () => {
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
