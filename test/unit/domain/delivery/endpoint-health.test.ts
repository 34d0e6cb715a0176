import { afterTelling } from "../../../../services/domain/delivery/endpoint-health.ts";
import { type Lane, reactivate } from "../../../../services/domain/delivery/lane.ts";
import { bad, ok, World } from "./lane.world.ts";

const states = ({ untold = [] }: Lane) => untold.map(({ state }) => state);

/** Lets so many episodes of failure pass. */
function fail(world: World, episodes: number): void {
  for (let n = 0; n < episodes; n += 1) {
    world.settle(() => ({ ...bad, error: "status_500" }));
    world.now = world.wakeAt ?? world.now;
  }
}

test("a short outage is told to nobody, and neither is the success after them", () => {
  const world = new World();
  world.append("a", "b");
  fail(world, 3);
  world.settle(() => ok);
  expect(world.lane).not.toHaveProperty("untold");
});

test("failing, FAILED and recovered are each told once, with the last answer and the first failure", () => {
  const world = new World();
  world.append("a");
  const began = world.now;
  fail(world, 6);
  expect(world.lane.status).toBe("FAILED");
  expect(world.lane.untold).toMatchObject([
    { state: "failing", since: began, status: 500, error: "status_500" },
    { state: "failed", since: began, status: 500 },
  ]);
  world.lane = reactivate(world.lane);
  world.append("b", "c");
  world.settle(() => ok);
  expect(states(world.lane)).toEqual(["failing", "failed", "recovered"]);
  expect(world.lane.untold?.at(-1)).toMatchObject({ status: 200, error: null });
  expect(world.lane).not.toHaveProperty("told");
});

test("an endpoint that fails again after its owner has started it again is told as FAILED again", () => {
  const world = new World();
  world.append("a");
  const gone = { ...bad, status: 410 };
  world.settle(() => gone);
  world.lane = reactivate(world.lane);
  world.settle(() => gone);
  expect(states(world.lane)).toEqual(["failed", "failed"]);
});

test("what was told goes, and what came meanwhile stays", () => {
  const world = new World();
  world.append("a");
  while (!world.lane.untold) fail(world, 1);
  const told = world.lane.untold;
  expect(told).toHaveLength(1);
  while (world.lane.status === "ACTIVE") fail(world, 1);
  const left = afterTelling(world.lane, told);
  expect(states(left)).toEqual(["failed"]);
  expect(afterTelling(left, left.untold ?? [])).not.toHaveProperty("untold");
});
