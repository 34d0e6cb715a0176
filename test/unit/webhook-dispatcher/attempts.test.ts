import { someEvents } from "../../fakes/memory-log.ts";
import { until } from "../../support/until.ts";
import { type House, openHouse } from "./lane.house.ts";

let house: House;

afterEach(async () => {
  await house.close();
});

// It is tried again in a second, and ten thousand times a second without a pause.
const aFew = 100;

test("an attempt for which there is no key to sign is not tried again at once", async () => {
  let tries = 0;
  house = await openHouse({
    signingKeys: () => {
      tries += 1;
      throw new Error("cannot be unsealed");
    },
  });
  await house.log.append(someEvents("k", 1, 3));
  house.dispatcher.wake(["k"]);
  await until("it is tried a second time", () => tries > 1);
  await house.dispatcher.stop();
  expect(tries).toBeLessThan(aFew);
  expect(house.troubles).toHaveLength(tries);
});

test("an event that cannot be read is not read again at once, and holds up no other source", async () => {
  const retry = { seq: 1, source: "s", failures: 1, notBefore: 0 };
  house = await openHouse({ lane: { position: 2, retries: [retry], window: 2 } });
  await house.log.append(someEvents("k", 1, 6));
  const { readPortion } = house.log;
  let tries = 0;
  house.log.readPortion = async (keyId, after, portion) => {
    if (after > 0) return await readPortion.call(house.log, keyId, after, portion);
    tries += 1;
    throw new Error("the log is away");
  };
  house.dispatcher.wake(["k"]);
  await until("it is tried a second time", () => tries > 1);
  await house.dispatcher.stop();
  expect(tries).toBeLessThan(aFew);
  expect(house.sent).toEqual(["evt_k-3", "evt_k-4", "evt_k-5", "evt_k-6"]);
});
