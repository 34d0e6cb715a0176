import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ServiceBroker } from "moleculer";
import { toConfig } from "../../mixins/config/config.ts";
import { logMixin, type WithLog } from "../../mixins/log/log.mixin.ts";
import { gaugesOf } from "../../mixins/metrics/gauges.ts";
import { type Action, call } from "../../services/contracts/action.ts";
import { defaultLimits } from "../../services/contracts/caller.ts";
import { codeOf } from "../../services/contracts/errors.ts";
import { health } from "../../services/contracts/health.contract.ts";
import { createKey, deleteKey } from "../../services/contracts/keys.contract.ts";
import * as webhook from "../../services/contracts/webhook.contract.ts";
import { keysService } from "../../services/keys/keys.service.ts";
import { webhookService } from "../../services/webhook-dispatcher/webhook.service.ts";
import { type Behaviour, type Receiver, startReceiver } from "../support/receiver.ts";
import { until } from "../support/until.ts";

interface House {
  keyId: string;
  key: string;
  call<Params, Result>(action: Action<Params, Result>, params: Params): Promise<Result>;
  broker: ServiceBroker;
  /** Appends events, each of the source that is named; tells their numbers in the log. */
  append(...sources: string[]): Promise<void>;
  /** Between stop and start, `meanwhile` sees a process that holds the keys alone. */
  restart(meanwhile?: (keys: ServiceBroker) => Promise<unknown>): Promise<void>;
  stop(): Promise<void>;
}

const fast = ["20ms", "20ms", "20ms", "20ms"];
let receiver: Receiver;
let house: House;

beforeEach(async () => {
  receiver = await startReceiver();
});
afterEach(async () => {
  await house.stop();
  await receiver.close();
});

async function openHouse({ backoff = fast, allowHttp = true } = {}): Promise<House> {
  const dataDir = mkdtempSync(join(tmpdir(), "magpie-webhook-"));
  const config = {
    ...toConfig({
      EGRESS_ALLOW: "127.0.0.1/32",
      WEBHOOK_ALLOW_HTTP: String(allowHttp),
      WEBHOOK_BACKOFF: backoff.join(","),
    }),
    dataDir,
  };
  let node = await startNode(config);
  const { data } = await call(node.broker, createKey, { owner: "ann", name: "n" });
  const caller = { keyId: data.id, owner: "ann", limits: defaultLimits };
  let count = 0;
  return {
    keyId: data.id,
    key: data.key,
    get broker() {
      return node.broker;
    },
    call: (action, params) => call(node.broker, action, params, { meta: { caller } }),
    append: async (...sources) => {
      const events = sources.map(source => {
        count += 1;
        return {
          bodyId: `body-${count}`,
          type: "rss.item.created" as const,
          timestamp: new Date().toISOString(),
          data: { source: sourceOf(source), item: { id: String(count) } },
          keyIds: [data.id],
        };
      });
      await node.log.append(events);
    },
    restart: async meanwhile => {
      await node.broker.stop();
      if (meanwhile) await withKeys(config, meanwhile);
      node = await startNode(config);
    },
    stop: async () => {
      await node.broker.stop();
      rmSync(dataDir, { recursive: true });
    },
  };
}

async function withKeys(
  config: ReturnType<typeof toConfig>,
  work: (keys: ServiceBroker) => Promise<unknown>,
) {
  const broker = new ServiceBroker({ logger: false, skipProcessEventRegistration: true });
  broker.createService(keysService(config));
  await broker.start();
  await work(broker).finally(() => broker.stop());
}

async function startNode(config: ReturnType<typeof toConfig>) {
  const broker = new ServiceBroker({ logger: false, skipProcessEventRegistration: true });
  broker.createService(keysService(config));
  broker.createService(webhookService(config));
  const writer = broker.createService({ name: "writer", mixins: [logMixin(config)] });
  await broker.start();
  return { broker, log: (writer as unknown as WithLog).log };
}

function sourceOf(id: string) {
  return { id, source: "RSS", externalId: `https://${id}.test/feed`, username: id, name: id };
}

async function registered(path = "/hook") {
  const { data } = await house.call(webhook.registerWebhook, { url: receiver.url + path });
  receiver.trust(data.secret);
  return data;
}

const seqs = (deliveries = receiver.received) => deliveries.map(({ event }) => event.seq);
const status = async () => {
  const page = await house.call(webhook.listDeliveries, { limit: 100 });
  return page.data;
};

async function isFailed(): Promise<boolean> {
  const lanes = house.broker.getLocalService("webhook") as unknown as {
    room: { lanes: { findById(id: string): Promise<{ status: string } | null> } };
  };
  return (await lanes.room.lanes.findById(house.keyId))?.status === "FAILED";
}

describe("the endpoint", () => {
  test("is registered, shown, changed and removed", async () => {
    house = await openHouse();
    expect(await house.call(webhook.getWebhook, {})).toEqual({ data: null, message: expect.any(String) });
    const first = await house.call(webhook.registerWebhook, { url: `${receiver.url}/a`, name: "mine" });
    expect(first.data).toEqual({
      id: expect.any(String),
      apiKey: house.key,
      name: "mine",
      url: `${receiver.url}/a`,
      status: "ACTIVE",
      secret: expect.stringMatching(/^whsec_[A-Za-z0-9+/]{43}=$/),
    });
    const second = await house.call(webhook.registerWebhook, { url: `${receiver.url}/b` });
    expect(second.data).toEqual({ ...first.data, url: `${receiver.url}/b` });
    expect(await house.call(webhook.getWebhook, {})).toEqual({ data: `${receiver.url}/b` });
    const changed = await house.call(webhook.changeWebhook, { name: "other" });
    expect(changed.data).toEqual({ ...second.data, name: "other", secret: undefined });
    const rotated = await house.call(webhook.changeWebhook, { rotate_secret: true });
    expect(rotated.data.secret).not.toBe(first.data.secret);
    await house.call(webhook.removeWebhook, {});
    expect((await house.call(webhook.getWebhook, {})).data).toBeNull();
  });

  test("keeps its secret where the answer to a rotation cannot be given", async () => {
    house = await openHouse();
    await registered();
    const { broker } = house;
    await broker.destroyService(broker.getLocalService("keys"));
    await expect(house.call(webhook.changeWebhook, { rotate_secret: true })).rejects.toThrow();
    await house.append("a");
    await until("it arrived", () => receiver.received.length === 1);
    expect(receiver.received[0]?.headers["webhook-signature"]).toMatch(/^v1,\S+$/);
    expect(receiver.received[0]?.verified).toBe(true);
  });

  test("without one there is nothing to change, remove, test or replay", async () => {
    house = await openHouse();
    const since = new Date().toISOString();
    const calls = [
      house.call(webhook.changeWebhook, {}),
      house.call(webhook.removeWebhook, {}),
      house.call(webhook.testWebhook, {}),
      house.call(webhook.replayWebhook, { since }),
    ];
    const codes = (await Promise.allSettled(calls)).map(
      each => each.status === "rejected" && codeOf(each.reason),
    );
    expect(codes).toEqual(["not_found", "not_found", "not_found", "not_found"]);
  });

  test.each([
    ["ftp://example.com/", "url_not_allowed"],
    ["http://example.com/", "url_not_allowed"],
    ["https://user:password@example.com/", "url_not_allowed"],
    ["https://10.0.0.1/", "url_not_allowed"],
    ["not a url", "invalid_url"],
  ])("%s is refused with %s", async (url, code) => {
    house = await openHouse({ allowHttp: false });
    await expect(house.call(webhook.registerWebhook, { url })).rejects.toMatchObject({ type: code });
    expect((await house.call(webhook.getWebhook, {})).data).toBeNull();
  });

  test("goes with its key", async () => {
    house = await openHouse();
    await registered();
    await call(house.broker, deleteKey, { id: house.keyId });
    await until("the endpoint is gone", async () => (await house.call(webhook.getWebhook, {})).data === null);
    await house.append("a");
    await house.restart();
    expect(receiver.received).toEqual([]);
  });

  test("goes with its key, although it was away when the key was deleted", async () => {
    house = await openHouse();
    await registered();
    await house.append("a");
    await until("it arrived", () => receiver.received.length === 1);
    await house.restart(keys => call(keys, deleteKey, { id: house.keyId }));
    await until("the endpoint is gone", async () => (await house.call(webhook.getWebhook, {})).data === null);
    await house.append("a");
    await house.restart();
    expect(receiver.received).toHaveLength(1);
  });

  test("stays where the key does", async () => {
    house = await openHouse();
    await registered();
    await house.restart(async () => undefined);
    await house.append("a");
    await until("it arrived", () => receiver.received.length === 1);
    expect((await house.call(webhook.getWebhook, {})).data).not.toBeNull();
  });
});

describe("a delivery", () => {
  test("is signed, names the event, and begins with what comes after the registration", async () => {
    house = await openHouse();
    await house.append("a");
    await registered();
    const { data } = await house.call(webhook.testWebhook, {});
    await until("it arrived", () => receiver.received.length === 1);
    const [delivery] = receiver.received;
    expect(delivery).toMatchObject({ path: "/hook", id: data.event_id, verified: true });
    expect(delivery?.event).toMatchObject({ id: data.event_id, type: "webhook.test", seq: 2 });
    expect(delivery?.headers).toMatchObject({
      "content-type": "application/json",
      "user-agent": "Magpie/0.1",
    });
    await until("it is logged", async () => (await status()).length === 1);
    expect(await status()).toEqual([
      {
        id: expect.any(String),
        event_id: data.event_id,
        type: "webhook.test",
        attempt: 1,
        outcome: "succeeded",
        http_status: 200,
        error: null,
        duration_ms: expect.any(Number),
        answer: "",
        at: expect.any(String),
      },
    ]);
  });

  test("carries both signatures after a rotation", async () => {
    house = await openHouse();
    const old = await registered();
    const { data } = await house.call(webhook.changeWebhook, { rotate_secret: true });
    for (const secret of [old.secret, String(data.secret)]) {
      const before = receiver.received.length;
      receiver.trust(secret);
      await house.append("a");
      await until("it arrived", () => receiver.received.length > before);
      expect(receiver.received.at(-1)?.verified).toBe(true);
    }
  });

  test("keeps the order of each source, and many are under way at a time", async () => {
    house = await openHouse();
    await registered();
    receiver.behave({ status: 200, afterMs: 5 });
    const sources = Array.from({ length: 400 }, (_, n) => `source-${(n * 7) % 40}`);
    await house.append(...sources);
    await until("all arrived", () => receiver.received.length === 400);
    expect(new Set(seqs()).size).toBe(400);
    for (const source of new Set(sources)) {
      const own = receiver.received.filter(({ event }) => event.data.source?.id === source);
      expect(seqs(own)).toEqual(seqs(own).toSorted((a, b) => a - b));
    }
    expect(receiver.busiest()).toBe(16);
    // Connections are used again; a few more may be opened while one that just answered is not free yet.
    expect(receiver.connections()).toBeLessThan(40);
  });

  test.each<[string, Behaviour, object]>([
    [
      "500",
      { status: 500, body: "x".repeat(5000) },
      { http_status: 500, error: "http", answer: "x".repeat(2048) },
    ],
    ["a redirect", { status: 302, headers: { location: "/other" } }, { http_status: 302, error: "redirect" }],
    ["a reset", "reset", { http_status: null, error: "connection" }],
    ["silence", "hang", { http_status: null, error: "timeout" }],
    ["a body that never comes", "stall", { http_status: 200, error: "timeout" }],
  ])(
    "%s is a failure and tried again",
    async (_name, behaviour, row) => {
      house = await openHouse();
      await registered();
      receiver.behave(() => (receiver.received.length === 0 ? behaviour : 200));
      await house.append("a");
      await until("it was tried again", () => receiver.received.length === 2);
      await until("both are logged", async () => (await status()).length === 2);
      const [second, first] = await status();
      expect(first).toMatchObject({ attempt: 1, outcome: "failed", ...row });
      expect(second).toMatchObject({ attempt: 2, outcome: "succeeded" });
      expect(new Set(receiver.received.map(({ id, path }) => id + path)).size).toBe(1);
    },
    15_000,
  );

  test("an endless answer is taken after its first 2 KB", async () => {
    house = await openHouse();
    await registered();
    receiver.behave("endless");
    await house.append("a");
    await until("it is logged", async () => (await status()).length === 1);
    expect(await status()).toMatchObject([{ outcome: "succeeded", answer: "x".repeat(2048) }]);
  });

  test("a port that nobody listens on has its class", async () => {
    house = await openHouse();
    const gone = await startReceiver();
    await gone.close();
    await house.call(webhook.registerWebhook, { url: gone.url });
    await house.append("a");
    await until("FAILED", isFailed);
    expect((await status()).map(({ error }) => error)).toEqual(Array(5).fill("connection"));
  });
});

test("what waits is a metric of the node, until its end", async () => {
  house = await openHouse();
  await registered();
  const { broker } = house;
  const found = () => [...gaugesOf(broker)].find(({ name }) => name === "magpie_lane_lag_events");
  const gauge = found();
  const lag = async () => (await gauge?.read())?.map(({ value }) => value);
  expect(await lag()).toEqual([0]);
  receiver.behave({ status: 200, afterMs: 500 });
  await house.append("a", "b", "c");
  await until("all three wait", async () => (await lag())?.[0] === 3);
  await until("all is written down", async () => (await lag())?.[0] === 0);
  await house.restart();
  expect(found()).toBeUndefined();
});

describe("an endpoint that fails", () => {
  test("is FAILED after five attempts, gets nothing, and gets all when it is active again", async () => {
    house = await openHouse();
    await registered();
    receiver.behave(500);
    await house.append("a", "b", "a", "c");
    await until("FAILED", isFailed);
    const { findings } = await call(house.broker, health("webhook"), {});
    expect(findings).toEqual([
      { name: "journal", status: "ok" },
      { name: "lanes", status: "ok" },
      { name: "endpoints", status: "ok", detail: expect.stringContaining("1 FAILED") },
    ]);
    expect((await status()).map(({ outcome }) => outcome)).not.toContain("dead");
    const tried = receiver.received.length;
    await house.append("a");
    await house.restart();
    await house.append("d");
    await house.call(webhook.testWebhook, {});
    expect(receiver.received).toHaveLength(tried);
    receiver.behave(200);
    await house.call(webhook.changeWebhook, {});
    await until("all arrived", () => receiver.taken().length === 7);
    expect(seqs(receiver.taken()).toSorted((a, b) => a - b)).toEqual([1, 2, 3, 4, 5, 6, 7]);
    const ofA = receiver.taken().filter(({ event }) => event.data.source?.id === "a");
    expect(seqs(ofA)).toEqual([1, 3, 5]);
  });

  test.each([404, 410])("is FAILED at once by %d, and active when registered again", async code => {
    house = await openHouse();
    await registered();
    receiver.behave(code);
    await house.append("a", "a");
    await until("FAILED", isFailed);
    expect(receiver.received).toHaveLength(1);
    receiver.behave(200);
    await registered("/again");
    await until("both arrived", () => receiver.taken().length === 2);
    expect(receiver.taken().map(({ path, event }) => [path, event.seq])).toEqual([
      ["/again", 1],
      ["/again", 2],
    ]);
  });

  test("what the former URL answers after a new one was registered tells nothing of the new one", async () => {
    house = await openHouse();
    await registered("/old");
    const answered: string[] = [];
    receiver.behave(({ path }) => {
      answered.push(path);
      return path === "/old" ? { status: 410, headers: { "retry-after": "3600" }, afterMs: 300 } : 200;
    });
    await house.append("a", "b");
    await until("it is under way", () => answered.length > 0);
    await registered("/new");
    await until("all arrived at the new one", () => seqs(receiver.taken()).length === 2);
    expect(await isFailed()).toBe(false);
    expect(receiver.taken().map(({ path }) => path)).toEqual(["/new", "/new"]);
  });

  test("one poison event dies and fails no endpoint; a replay tries it again", async () => {
    house = await openHouse();
    const since = new Date().toISOString();
    await registered();
    receiver.behave(({ event }) => (event.seq === 1 ? 500 : 200));
    await house.append("a");
    const dead = async () =>
      (await house.call(webhook.listDeliveries, { status: "dead", limit: 10 })).data.length === 1;
    while (!(await dead())) {
      const taken = receiver.taken().length;
      await house.append("b");
      await until("the others arrive", () => receiver.taken().length > taken);
    }
    expect(await isFailed()).toBe(false);
    expect(receiver.received.filter(({ event }) => event.seq === 1)).toHaveLength(5);
    const others = receiver.taken().length;
    receiver.behave(200);
    const { data } = await house.call(webhook.replayWebhook, { since });
    expect(data.events).toBe(others + 1);
    await until("all arrived again", () => receiver.taken().length === 2 * others + 1);
    expect(seqs(receiver.taken())).toContain(1);
  });

  test("a lone poison event dies and fails no endpoint; the next failure does", async () => {
    house = await openHouse();
    await registered();
    receiver.behave(({ event }) => (event.seq === 2 ? 422 : 200));
    await house.append("a");
    await until("the first arrived", () => receiver.taken().length === 1);
    await house.append("b");
    const listed = async (wanted: "dead" | "succeeded") =>
      (await house.call(webhook.listDeliveries, { status: wanted, limit: 10 })).data.length;
    await until("it is dead", async () => (await listed("dead")) === 1);
    expect(seqs()).toEqual([1, 2, 2, 2, 2, 2]);
    expect(await isFailed()).toBe(false);
    await house.append("c");
    await until("the next one is delivered", async () => (await listed("succeeded")) === 2);
    receiver.behave(422);
    await house.append("d");
    await until("the lone one is dead", async () => (await listed("dead")) === 2);
    await house.append("e");
    await until("FAILED", isFailed);
    expect(seqs()).toEqual([1, 2, 2, 2, 2, 2, 3, 4, 4, 4, 4, 4, 5]);
    receiver.behave(200);
    await house.call(webhook.changeWebhook, {});
    await until("what was kept arrived", () => seqs(receiver.taken()).at(-1) === 5);
  });

  test("an endpoint that took events and then answers 500 is FAILED by a lone event, which is kept", async () => {
    house = await openHouse();
    await registered();
    await house.append("a");
    await until("the first arrived", () => receiver.taken().length === 1);
    receiver.behave(500);
    await house.append("b");
    await until("FAILED", isFailed);
    expect(seqs()).toEqual([1, 2, 2, 2, 2, 2]);
    expect((await house.call(webhook.getWebhook, {})).message).toContain("FAILED");
    expect((await house.call(webhook.testWebhook, {})).message).toContain("FAILED");
    const since = new Date(Date.now() - 60_000).toISOString();
    expect((await house.call(webhook.replayWebhook, { since })).message).toContain("FAILED");
    receiver.behave(200);
    await house.call(webhook.changeWebhook, {});
    expect((await house.call(webhook.getWebhook, {})).message).toBeUndefined();
    await until("what was kept arrived", () => seqs(receiver.taken()).at(-1) === 3);
  });

  test("Retry-After is heeded: nothing comes before the pause is over", async () => {
    house = await openHouse();
    await registered();
    receiver.behave(() =>
      receiver.received.length === 0 ? { status: 429, headers: { "retry-after": "1" } } : 200,
    );
    const began = Date.now();
    await house.append("a");
    await until("it arrived", () => receiver.taken().length === 1);
    expect(Date.now() - began).toBeGreaterThanOrEqual(1000);
  });

  test("does not hold up another endpoint", async () => {
    house = await openHouse();
    await registered();
    receiver.behave("hang");
    const other = await startReceiver();
    const { data } = await call(house.broker, createKey, { owner: "bob", name: "n" });
    const meta = { caller: { keyId: data.id, owner: "bob", limits: defaultLimits } };
    await call(house.broker, webhook.registerWebhook, { url: other.url }, { meta });
    await house.append("a", "b", "c");
    await until("the first one hangs", () => receiver.received.length > 0);
    await call(house.broker, webhook.testWebhook, {}, { meta });
    await until("the other one is served", () => other.taken().length === 1);
    await other.close();
  });
});

test("deliveries are paged newest first, and a cursor neither skips nor repeats", async () => {
  house = await openHouse();
  await registered();
  await house.append(...Array.from({ length: 25 }, (_, n) => `s${n}`));
  await until("all are logged", async () => (await status()).length === 25);
  const first = await house.call(webhook.listDeliveries, { limit: 20 });
  await house.append("new");
  await until("the new one is logged", async () => (await status()).length === 26);
  const cursor = String(first.next_cursor);
  const second = await house.call(webhook.listDeliveries, { limit: 20, cursor });
  expect(second.next_cursor).toBeNull();
  const ids = [...first.data, ...second.data].map(({ id }) => id);
  expect(ids).toEqual(ids.toSorted().reverse());
  expect(new Set(ids).size).toBe(25);
  await expect(house.call(webhook.listDeliveries, { limit: 20, cursor: "1 OR 1" })).rejects.toMatchObject({
    type: "validation_failed",
  });
});

test("a stop in the middle loses nothing, and the next start goes on", async () => {
  house = await openHouse();
  await registered();
  await house.append(...Array.from({ length: 300 }, (_, n) => `s${n % 30}`));
  await until("some arrived", () => receiver.received.length > 20);
  await house.restart();
  await until("all arrived", () => new Set(seqs()).size === 300);
  expect(receiver.received).toHaveLength(300);
});
