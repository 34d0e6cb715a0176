import { ulid } from "ulid";
import type { WithLog } from "../../mixins/event-log/event-log.mixin.ts";
import { newLane, shardOf } from "../../services/domain/delivery/lane.ts";
import type { WebhookContext } from "../../services/webhook-dispatcher/context.ts";
import { failedAs } from "../../services/webhook-dispatcher/webhooks.store.ts";
import {
  type EndpointsWorld,
  endpointOverrides,
  endpointServices,
  webhookEndpointsSuite,
} from "../suites/webhook-endpoints.suite.ts";
import { type Magpie, startMagpie } from "../support/magpie.ts";
import { startReceiver } from "../support/receiver.ts";
import { until } from "../support/until.ts";

let magpie: Magpie;
let world: EndpointsWorld;

beforeAll(async () => {
  magpie = await startMagpie(endpointOverrides, config => endpointServices.map(service => service(config)));
  const { log } = magpie.broker.getLocalService("writer") as unknown as WithLog;
  world = { magpie, log };
});
afterAll(() => magpie.stop());

webhookEndpointsSuite(() => world);

test("what a former version stored goes on, as the first endpoint of its key", async () => {
  const receiver = await startReceiver();
  const owner = { owner: "ann", name: "n" };
  const made = await magpie.request("POST", "/internal/keys", { admin: true, body: owner });
  const { id: keyId, key } = made.json<{ data: { id: string; key: string } }>().data;
  const service = magpie.broker.getLocalService("webhook-dispatcher") as unknown as {
    context: WebhookContext;
  };
  const { endpoints, lanes, deliveries, vault } = service.context;
  const identity = { _id: keyId, webhookId: "a-former-id" };
  const { sealed, secret } = vault.issue(identity);
  const secrets = { sealed, previousSealed: null, previousUntil: 0 };
  await endpoints.insert({ ...identity, name: null, url: `${receiver.url}/old`, ...secrets, revision: 0 });
  const failed = { seq: 1, source: "s", failures: 1, notBefore: 0 };
  const { misses: _misses, ...former } = { ...newLane(1), streak: [], retries: [failed] };
  await lanes.insert({ _id: keyId, shard: shardOf(keyId), ...former });
  const attempt = { keyId, attempt: 1, http_status: 500, error: "http" as const, duration_ms: 1, answer: "" };
  const at = new Date().toISOString();
  const event = { event_id: "evt_1", type: "rss.item.created", outcome: "failed" as const };
  await deliveries.insert({ _id: ulid(), ...attempt, ...event, ...failedAs("failed"), at });
  const notice = { event_id: "evt_2", type: "scrape.completed", outcome: "succeeded" as const };
  await deliveries.insert({ _id: ulid(), ...attempt, ...notice, at });
  receiver.trust(secret);
  const append = async (n: number) => {
    const data = { source: null, n };
    const type = "rss.item.created" as const;
    await world.log.append([{ bodyId: `former-${n}`, type, timestamp: at, data, keyIds: [keyId] }]);
  };
  await append(1);
  await append(2);
  await until("both came", () => receiver.taken().length === 2);
  expect(receiver.received.every(({ verified }) => verified)).toBe(true);
  const ask = async (path: string) =>
    (await magpie.request("GET", path, { key })).json<{ data: never }>().data;
  expect(await ask("/webhooks")).toMatchObject([
    {
      id: "a-former-id",
      status: "ACTIVE",
      enabled: true,
      event_types: null,
      format: "standard",
      headers: {},
    },
  ]);
  const listed = async () => (await ask("/webhooks/a-former-id/deliveries")) as { event_id: string }[];
  await until("they are listed", async () => (await listed()).length === 3);
  expect((await listed()).map(({ event_id }) => event_id)).not.toContain("evt_2");
  expect((await listed()).at(-1)).toMatchObject({ event_id: "evt_1", webhook_id: null, error: "status_500" });
  await receiver.close();
});

test("without a mail server an address of mail is refused, and the answer says what the operator sets", async () => {
  const reply = await magpie.request("POST", "/webhooks", { body: { url: "mailto:person@example.org" } });
  expect(reply.status).toBe(422);
  expect(reply.json()).toMatchObject({
    code: "mail_unavailable",
    message: expect.stringContaining("SMTP_URL, SMTP_FROM and PUBLIC_URL"),
    details: [{ field: "url" }],
  });
});
