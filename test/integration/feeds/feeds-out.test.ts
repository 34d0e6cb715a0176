import type { WithLog } from "../../../mixins/event-log/event-log.mixin.ts";
import { type FeedsWorld, feedOverrides, feedServices, feedsOutSuite } from "../../suites/feeds-out.suite.ts";
import { type Magpie, startMagpie } from "../../support/magpie.ts";

let magpie: Magpie;
let world: FeedsWorld;

beforeAll(async () => {
  magpie = await startMagpie(feedOverrides, config => feedServices.map(service => service(config)));
  const { log } = magpie.broker.getLocalService("writer") as unknown as WithLog;
  world = { magpie, log };
});
afterAll(() => magpie.stop());

feedsOutSuite(() => world);
