import type { Config } from "../../mixins/config/config.ts";
import { monitorServices, monitorsSuite } from "../suites/monitors.suite.ts";
import { watchIntervalMs, watchOverrides } from "../suites/watches.suite.ts";
import { type Magpie, startMagpie } from "../support/magpie.ts";

let magpie: Magpie;

beforeAll(async () => {
  const services = (config: Config) => [...new Set(monitorServices)].map(service => service(config));
  magpie = await startMagpie(watchOverrides(watchIntervalMs), services);
});
afterAll(() => magpie.stop());

monitorsSuite(() => magpie);
