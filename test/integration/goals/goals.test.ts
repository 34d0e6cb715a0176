import { goalsSuite } from "../../suites/goals.suite.ts";
import { GoalsWorld } from "../../suites/goals-world.ts";

let world: GoalsWorld;

beforeAll(async () => {
  world = await GoalsWorld.start();
});
afterAll(() => world.stop());

goalsSuite(() => world);
