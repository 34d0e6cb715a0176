import { deliver } from "../../../services/webhook-dispatcher/engine/deliver.ts";
import { Tenure } from "../../../services/webhook-dispatcher/engine/tenure.ts";
import { until } from "../../support/until.ts";
import { endpoint, type House, lease, openHouse } from "./lane.house.ts";

const full = new Error("database or disk is full");
let house: House;
let stop: AbortController;
let troubles: unknown[];
let isThere: boolean;

beforeEach(async () => {
  house = await openHouse();
  [stop, troubles, isThere] = [new AbortController(), [], true];
  house.disk.fault = full;
});
afterEach(async () => {
  await house.close();
});

const delivered = (tenure = new Tenure(0, lease)) =>
  deliver({
    agent: house.agent,
    journal: house.journal,
    schedule: [20, 20, 20, 20],
    target: { keyId: "k", url: new URL(endpoint.url), revision: 0, signingKeys: [] },
    tenure,
    attempt: { seq: 1, source: null, turn: 0, epoch: 0 },
    parcel: { id: "evt_1", type: "webhook.test", body: "{}" },
    stillThere: () => isThere,
    onAnswer: () => undefined,
    onTrouble: (_, error) => troubles.push(error),
    signal: stop.signal,
    pausesMs: [1, 1],
  });

test("what was taken is written when the disk has room again, however late, and is not sent a second time", async () => {
  const delivering = delivered();
  await until("more tries were made than there are pauses", () => house.disk.refused > 6);
  house.disk.fault = undefined;
  expect((await delivering)?.line).toMatchObject({ event_id: "evt_1", outcome: "succeeded" });
  expect(await house.stored()).toMatchObject({ position: 1 });
  expect(house.sent).toEqual(["evt_1"]);
  expect(troubles).toEqual([full]);
});

test.each([
  ["the process", () => stop.abort()],
  ["the tenure", (tenure: Tenure) => tenure.end()],
])("the end of %s does not wait until the disk has room", async (_, end) => {
  const tenure = new Tenure(0, lease);
  const delivering = delivered(tenure);
  await until("a try was made", () => house.disk.refused > 0);
  end(tenure);
  await expect(delivering).rejects.toBe(full);
});

test("an outcome that has no consequence any more is not written again", async () => {
  const delivering = delivered();
  await until("a try was made", () => house.disk.refused > 0);
  isThere = false;
  expect(await delivering).toBeNull();
});
