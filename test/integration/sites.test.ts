import type { Config } from "../../mixins/config/config.ts";
import { sitesSuite } from "../suites/sites.suite.ts";
import { watchOverrides, watchServices } from "../suites/watches.suite.ts";
import { type Magpie, startMagpie } from "../support/magpie.ts";

let magpie: Magpie;

beforeAll(async () => {
  const services = (config: Config) => [...new Set(watchServices)].map(service => service(config));
  magpie = await startMagpie(watchOverrides(60_000), services);
});
afterAll(() => magpie.stop());

sitesSuite(() => ({ magpie, brokers: [magpie.broker] }));
