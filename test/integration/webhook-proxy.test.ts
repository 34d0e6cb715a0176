import { RequestError, Server } from "proxy-chain";
import { toConfig } from "../../mixins/config/config.ts";
import type { WithLog } from "../../mixins/event-log/event-log.mixin.ts";
import type { NewEvent } from "../../mixins/event-log/event-log.ts";
import { endpointOverrides, endpointServices } from "../suites/webhook-endpoints.suite.ts";
import { type Magpie, startMagpie } from "../support/magpie.ts";
import { type Receiver, startReceiver } from "../support/receiver.ts";
import { until } from "../support/until.ts";

const password = "sesame-by-the-proxy";
let proxy: Server;
let asked: string[] = [];
let receiver: Receiver;
let magpie: Magpie;

beforeAll(async () => {
  receiver = await startReceiver();
  proxy = new Server({
    host: "127.0.0.1",
    port: 0,
    prepareRequestFunction: request => {
      if (request.password !== password) throw new RequestError("Proxy credentials required", 407);
      asked.push(`${request.hostname}:${request.port}`);
      return {};
    },
  });
  await proxy.listen();
  const webhooks = { ...toConfig({}).webhooks, allowHttp: true, backoffMs: [50] };
  magpie = await startMagpie(
    {
      ...endpointOverrides,
      egressAllow: [`127.0.0.1:${receiver.port}`, `127.0.0.1:${proxy.port}`],
      webhooks: { ...webhooks, proxyUrl: `http://magpie:${password}@127.0.0.1:${proxy.port}` },
    },
    config => endpointServices.map(service => service(config)),
  );
});
afterAll(async () => {
  await magpie.stop();
  await Promise.all([proxy.close(true), receiver.close()]);
});
beforeEach(() => {
  asked = [];
});

function eventFor(keyId: string, n: number): NewEvent {
  const source = { id: "a", source: "rss", externalId: "https://a.test/", username: "", name: "A" };
  const timestamp = new Date().toISOString();
  return {
    bodyId: `body_${n}`,
    type: "rss.item.created",
    timestamp,
    data: { source, n } as never,
    keyIds: [keyId],
  };
}

test("webhooks leave by the proxy, and arrive once and in order", async () => {
  const body = { owner: "ann", name: "n" };
  const made = await magpie.request("POST", "/internal/keys", { admin: true, body });
  const client = made.json<{ data: { id: string; key: string } }>().data;
  const hook = { key: client.key, body: { url: `${receiver.url}/hook` } };
  expect((await magpie.request("POST", "/webhooks", hook)).status).toBe(201);
  const { log } = magpie.broker.getLocalService("writer") as unknown as WithLog;
  for (const n of [1, 2, 3]) await log.append([eventFor(client.id, n)]);
  await until("all arrive", () => receiver.taken().length >= 3);
  expect(receiver.taken().map(({ event }) => Object(event.data).n)).toEqual([1, 2, 3]);
  expect(new Set(asked)).toEqual(new Set([`127.0.0.1:${receiver.port}`]));
});

test("a target that is not allowed is refused before the proxy is asked", async () => {
  const made = await magpie.request("POST", "/webhooks", { body: { url: "http://10.0.0.1/hook" } });
  expect(made.status).toBe(400);
  expect(asked).toEqual([]);
});

test("the address of the proxy is in no answer", async () => {
  const texts = await Promise.all(
    ["/webhooks", "/health/ready", "/metrics"].map(async path => (await magpie.request("GET", path)).text),
  );
  expect(texts.join()).not.toContain(password);
});
