import type { Config } from "../../mixins/config/config.ts";
import { aimedIntervalMs, aimedWatchesSuite } from "../suites/aimed-watches.suite.ts";
import {
  type WatchesWorld,
  type WatchTracker,
  watchesSuite,
  watchIntervalMs,
  watchOverrides,
  watchServices,
} from "../suites/watches.suite.ts";
import { type Magpie, startMagpie } from "../support/magpie.ts";

let magpie: Magpie;
let world: WatchesWorld;

async function start(pollMinIntervalMs: number): Promise<void> {
  const services = (config: Config) => [...new Set(watchServices)].map(service => service(config));
  magpie = await startMagpie(watchOverrides(pollMinIntervalMs), services);
  world = { magpie, trackers: [magpie.broker.getLocalService("tracker") as WatchTracker] };
}

describe("in one folder", () => {
  beforeAll(() => start(watchIntervalMs));
  afterAll(() => magpie.stop());
  watchesSuite(() => world);
});

describe("in one folder, polled all the time", () => {
  beforeAll(() => start(aimedIntervalMs));
  afterAll(() => magpie.stop());
  aimedWatchesSuite(() => world);
});
