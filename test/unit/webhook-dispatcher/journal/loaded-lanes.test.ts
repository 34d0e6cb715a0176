import { newLane } from "../../../../services/domain/delivery/lane.ts";
import { LoadedLanes } from "../../../../services/webhook-dispatcher/journal/journal.ts";

const [old, fresh] = [newLane(1), newLane(2)];
const positions = (lanes: LoadedLanes) => ["a", "b", "c"].map(keyId => lanes.get(keyId)?.position);

test("a lane that nobody asked for is not kept, and one that is gone is forgotten", async () => {
  const lanes = new LoadedLanes();
  lanes.note("a", old);
  expect(positions(lanes)).toEqual([undefined, undefined, undefined]);
  await lanes.load(["a", "b"], async () => new Map([["a", old]]));
  expect(positions(lanes)).toEqual([1, undefined, undefined]);
  lanes.note("a", fresh);
  expect(positions(lanes)).toEqual([2, undefined, undefined]);
  await lanes.load(["a"], async () => new Map());
  expect(positions(lanes)).toEqual([undefined, undefined, undefined]);
});

test("what is written while a lane is read is newer than what was read", async () => {
  const lanes = new LoadedLanes();
  await lanes.load(["c"], async () => new Map([["c", old]]));
  await lanes.load(["a", "b", "c"], async () => {
    lanes.note("a", fresh);
    lanes.note("b", null);
    lanes.note("c", null);
    return new Map(["a", "b", "c"].map(keyId => [keyId, old]));
  });
  expect(positions(lanes)).toEqual([2, undefined, undefined]);
});

test("a read that fails leaves everything as it was", async () => {
  const lanes = new LoadedLanes();
  await lanes.load(["a"], async () => new Map([["a", old]]));
  const failing = lanes.load(["a", "b"], () => Promise.reject(new Error("away")));
  await expect(failing).rejects.toThrow("away");
  lanes.note("b", fresh);
  expect(positions(lanes)).toEqual([1, undefined, undefined]);
});
