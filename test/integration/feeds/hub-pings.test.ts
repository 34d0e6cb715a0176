import { toConfig } from "../../../mixins/config/config.ts";
import type { WithLog } from "../../../mixins/event-log/event-log.mixin.ts";
import { HubPings } from "../../../services/webhook-dispatcher/feeds/hub-pings.ts";
import type { Feeds } from "../../../services/webhook-dispatcher/feeds/open-feeds.ts";
import { type HubWorld, hubOverrides, hubPingsSuite, hubServices } from "../../suites/hub-pings.suite.ts";
import { type Magpie, startMagpie } from "../../support/magpie.ts";
import { startReceiver } from "../../support/receiver.ts";
import { until } from "../../support/until.ts";

let world: HubWorld & { magpie: Magpie };

beforeAll(async () => {
  const hub = await startReceiver();
  const magpie = await startMagpie(hubOverrides(hub), config => hubServices.map(service => service(config)));
  const { log } = magpie.broker.getLocalService("writer") as unknown as WithLog;
  world = { magpie, log, hub };
});
afterAll(async () => {
  await world?.magpie.stop();
  await world?.hub.close();
});

hubPingsSuite(() => world);

test("many hints are one ping, which is tried again when it fails", async () => {
  const { magpie, log } = world;
  const hub = await startReceiver();
  const made = await magpie.request("POST", "/feeds", { body: {} });
  const { atom_url, json_url } = made.json<{ data: { atom_url: string; json_url: string } }>().data;
  const listed = await magpie.request("GET", "/internal/keys", { admin: true });
  const keys = listed.json<{ data: { id: string; owner: string }[] }>().data;
  const keyId = keys.find(({ owner }) => owner !== "ann")?.id ?? "";
  const timestamp = new Date().toISOString();
  await log.append([
    { bodyId: "one", type: "webhook.test", timestamp, data: { source: null }, keyIds: [keyId] },
  ]);

  hub.behave(({ body }) => (hub.received.filter(each => each.body === body).length > 0 ? 204 : 503));
  const { feeds } = magpie.broker.getLocalService("webhook-dispatcher") as unknown as { feeds: Feeds };
  const pings = new HubPings({
    ...feeds.context,
    hub: `${hub.url}/publish`,
    publicUrl: "https://magpie.example.com",
    post: async (url, body) => {
      const { status, ok } = await fetch(url, { method: "POST", body });
      return { status, error: ok ? null : "status_503", retryAfter: undefined, text: "" };
    },
    works: () => true,
    logger: { warn: () => undefined },
    collectMs: 1,
    pausesMs: [1, 1],
  });
  for (let hints = 0; hints < 20; hints += 1) pings.appended([keyId]);
  await until("the second try was taken", () => hub.taken().length === 1);
  expect(hub.received).toHaveLength(2);
  const topics = ({ body }: { body: string }) => new URLSearchParams(body).getAll("hub.url");
  expect(hub.taken().map(topics)).toEqual([[atom_url, json_url]]);
  await pings.close();
  await hub.close();
});

test("a hub without an address for it is refused at the start", () => {
  expect(() => toConfig({ WEBSUB_HUB: "https://hub.example.com" })).toThrow("PUBLIC_URL");
});
