import { parseAtomFeed } from "feedsmith";
import { type Config, toConfig } from "../../../mixins/config/config.ts";
import { logMixin, type WithLog } from "../../../mixins/event-log/event-log.mixin.ts";
import { keysService } from "../../../services/keys/keys.service.ts";
import { HubPings } from "../../../services/webhook-dispatcher/feeds/hub-pings.ts";
import type { Feeds } from "../../../services/webhook-dispatcher/feeds/open-feeds.ts";
import { webhookDispatcherService } from "../../../services/webhook-dispatcher/webhook-dispatcher.service.ts";
import { type Magpie, startMagpie } from "../../support/magpie.ts";
import { type Receiver, startReceiver } from "../../support/receiver.ts";
import { until } from "../../support/until.ts";

let magpie: Magpie;
let hub: Receiver;

beforeAll(async () => {
  hub = await startReceiver();
  const { egressAllow, feeds, publicUrl } = toConfig({
    EGRESS_ALLOW: "127.0.0.1/32",
    WEBSUB_HUB: `${hub.url}/publish`,
    PUBLIC_URL: "https://magpie.example.com",
  });
  magpie = await startMagpie({ egressAllow, feeds, publicUrl }, (config: Config) => [
    keysService(config),
    webhookDispatcherService(config),
    { name: "writer", mixins: [logMixin(config)] },
  ]);
});
afterAll(async () => {
  await magpie?.stop();
  await hub?.close();
});

async function create(body: object): Promise<{ token: string; atom_url: string; json_url: string }> {
  const reply = await magpie.request("POST", "/feeds", { body });
  return reply.json<{ data: { token: string; atom_url: string; json_url: string } }>().data;
}

async function append(bodyId: string): Promise<string> {
  const { log } = magpie.broker.getLocalService("writer") as unknown as WithLog;
  const listed = await magpie.request("GET", "/internal/keys", { admin: true });
  const keyId = listed.json<{ data: { id: string }[] }>().data[0]?.id ?? "";
  const timestamp = new Date().toISOString();
  await log.append([{ bodyId, type: "webhook.test", timestamp, data: { source: null }, keyIds: [keyId] }]);
  return keyId;
}

const topicsOf = ({ body }: { body: string }) => new URLSearchParams(body).getAll("hub.url");

test("the hub hears which feeds have news, again when it fails, and each feed names it", async () => {
  const wanted = await create({ name: "Tests", event_types: ["webhook.test"] });
  await create({ name: "Pages", event_types: ["web.page.changed"] });
  expect(wanted.atom_url).toBe(`https://magpie.example.com/feeds/${wanted.token}.atom`);
  const { text } = await magpie.request("GET", `/feeds/${wanted.token}.atom`, { key: null });
  expect(parseAtomFeed(text).links).toContainEqual(
    expect.objectContaining({ rel: "hub", href: `${hub.url}/publish` }),
  );

  hub.behave(({ body }) => (hub.received.filter(each => each.body === body).length > 0 ? 204 : 503));
  const { feeds } = magpie.broker.getLocalService("webhook-dispatcher") as unknown as { feeds: Feeds };
  const keyId = await append("one");
  const pings = new HubPings({
    ...feeds.context,
    hub: `${hub.url}/publish`,
    publicUrl: "https://magpie.example.com",
    post: async (url, body) => {
      const { status, ok } = await fetch(url, { method: "POST", body });
      return { status, error: ok ? null : "http", retryAfter: undefined, text: "" };
    },
    works: () => true,
    logger: { warn: () => undefined },
    collectMs: 1,
    pausesMs: [1, 1],
  });
  for (let hints = 0; hints < 20; hints += 1) pings.appended([keyId]);
  await until("the second try was taken", () => hub.taken().length === 1);
  expect(hub.received).toHaveLength(2);
  expect(hub.taken().map(topicsOf)).toEqual([[wanted.atom_url, wanted.json_url]]);
  expect(new URLSearchParams(hub.taken()[0]?.body).get("hub.mode")).toBe("publish");
  await pings.close();
});

test("the service tells the hub by itself", async () => {
  hub.behave(200);
  await append("two");
  const isForm = ({ headers }: { headers: Record<string, unknown> }) =>
    headers["content-type"] === "application/x-www-form-urlencoded";
  await until("it heard", () => hub.received.some(isForm), 20_000);
});

test("a hub without an address for it is refused at the start", () => {
  expect(() => toConfig({ WEBSUB_HUB: "https://hub.example.com" })).toThrow("PUBLIC_URL");
});
