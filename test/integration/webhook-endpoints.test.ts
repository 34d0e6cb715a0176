import type { WithLog } from "../../mixins/event-log/event-log.mixin.ts";
import { madeOnceSuite } from "../suites/made-once.suite.ts";
import {
  type EndpointsWorld,
  endpointOverrides,
  endpointServices,
  webhookEndpointsSuite,
} from "../suites/webhook-endpoints.suite.ts";
import { type Magpie, startMagpie } from "../support/magpie.ts";

let magpie: Magpie;
let world: EndpointsWorld;

beforeAll(async () => {
  magpie = await startMagpie(endpointOverrides, config => endpointServices.map(service => service(config)));
  const { log } = magpie.broker.getLocalService("writer") as unknown as WithLog;
  world = { magpie, log };
});
afterAll(() => magpie.stop());

webhookEndpointsSuite(() => world);

madeOnceSuite(() => magpie);

test("without a mail server an address of mail is refused, and the answer says what the operator sets", async () => {
  const reply = await magpie.request("POST", "/webhooks", { body: { url: "mailto:person@example.org" } });
  expect(reply.status).toBe(422);
  expect(reply.json()).toMatchObject({
    code: "mail_unavailable",
    message: expect.stringContaining("SMTP_URL, SMTP_FROM and PUBLIC_URL"),
    details: [{ field: "url" }],
  });
});
