import type { WithLog } from "../../mixins/event-log/event-log.mixin.ts";
import {
  type EndpointsWorld,
  endpointOverrides,
  endpointServices,
} from "../suites/webhook-endpoints.suite.ts";
import { webhookExpressionsSuite } from "../suites/webhook-expressions.suite.ts";
import { type Magpie, startMagpie } from "../support/magpie.ts";

let magpie: Magpie;
let world: EndpointsWorld;

beforeAll(async () => {
  magpie = await startMagpie(endpointOverrides, config => endpointServices.map(service => service(config)));
  const { log } = magpie.broker.getLocalService("writer") as unknown as WithLog;
  world = { magpie, log };
});
afterAll(() => magpie.stop());

webhookExpressionsSuite(() => world);
