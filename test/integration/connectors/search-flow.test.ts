import {
  type SearchWorld,
  searchedNetwork,
  searchFlowSuite,
  searchOverrides,
} from "../../suites/search-flow.suite.ts";
import { type Magpie, startMagpie } from "../../support/magpie.ts";

let world: SearchWorld & { magpie: Magpie };

beforeAll(async () => {
  const { server, keys, tracker, connectors } = await searchedNetwork();
  const magpie = await startMagpie(searchOverrides, config => [
    keys(config),
    tracker(config),
    connectors(config),
  ]);
  world = { magpie, server };
});
afterAll(async () => {
  await world.magpie.stop();
  await world.server.close();
});

searchFlowSuite(() => world);
