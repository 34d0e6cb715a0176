import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ServiceBroker } from "moleculer";
import { toConfig } from "../../mixins/config/config.ts";
import { product } from "../../mixins/egress/identity.ts";
import { logMixin, type WithLog } from "../../mixins/event-log/event-log.mixin.ts";
import { gaugesOf } from "../../mixins/runtime/metrics.ts";
import { type Action, call } from "../../services/contracts/action.ts";
import { defaultLimits } from "../../services/contracts/caller.ts";
import { listDeliveries } from "../../services/contracts/deliveries.contract.ts";
import { codeOf } from "../../services/contracts/errors.ts";
import type { Event } from "../../services/contracts/events.ts";
import { health } from "../../services/contracts/health.contract.ts";
import { createKey, deleteKey } from "../../services/contracts/keys.contract.ts";
import * as webhook from "../../services/contracts/webhook-dispatcher.contract.ts";
import { keysService } from "../../services/keys/keys.service.ts";
import { webhookDispatcherService } from "../../services/webhook-dispatcher/webhook-dispatcher.service.ts";
import { removeFolder } from "../support/folders.ts";
import { type Behaviour, type Receiver, startReceiver } from "../support/receiver.ts";
import { until } from "../support/until.ts";

interface App {
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
let app: App;

beforeEach(async () => {
  receiver = await startReceiver();
});
afterEach(async () => {
  await app.stop();
  await receiver.close();
});

async function startApp({ backoff = fast, allowHttp = true } = {}): Promise<App> {
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
      await removeFolder(dataDir);
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
  broker.createService(webhookDispatcherService(config));
  const writer = broker.createService({ name: "writer", mixins: [logMixin(config)] });
  await broker.start();
  return { broker, log: (writer as unknown as WithLog).log };
}

function sourceOf(id: string) {
  return { id, source: "RSS", externalId: `https://${id}.test/feed`, username: id, name: id };
}

async function registered(path = "/hook") {
  const { data } = await app.call(webhook.registerWebhook, { url: receiver.url + path });
  receiver.trust(data.secret);
  return data;
}

/** Of one endpoint. */
const mostUnderWay = 64;

/**
 * Holds the deliveries after the first ones, with which the window grows; the function waits until as many are held as
 * may be under way, and answers each from then on.
 */
function manyAtATime(): () => Promise<void> {
  let gate = Promise.withResolvers<void>();
  let heldSince: number | undefined;
  receiver.behave(() => {
    if (receiver.received.length < 200) return 200;
    heldSince ??= performance.now();
    return { status: 200, after: gate.promise };
  });
  const letGo = () => {
    gate.resolve();
    gate = Promise.withResolvers();
    heldSince = undefined;
  };
  return async () => {
    await until("many are under way", () => {
      // On a machine that takes so long for many, the first ones would fail for want of an answer.
      if (heldSince !== undefined && performance.now() - heldSince > 3500) letGo();
      return receiver.busiest() >= mostUnderWay;
    });
    receiver.behave(200);
    letGo();
  };
}

interface Batch {
  id: string;
  type: string;
  timestamp: string;
  events: Event[];
}

const seqs = (deliveries = receiver.received) => deliveries.map(({ event }) => event.seq);
const status = async () => {
  const page = await app.call(listDeliveries, { limit: 100 });
  return page.data;
};

/** Attempts without an answer in time, which a busy machine may have, and after which an event comes again. */
async function failedAttempts(): Promise<number> {
  const { data } = await app.call(listDeliveries, { status: "failed", limit: 100 });
  return data.length;
}

async function isFailed(): Promise<boolean> {
  const lanes = app.broker.getLocalService("webhook-dispatcher") as unknown as {
    context: { lanes: { findById(id: string): Promise<{ status: string } | null> } };
  };
  return (await lanes.context.lanes.findById(app.keyId))?.status === "FAILED";
}

describe("the endpoint", () => {
  test("is registered, shown, changed and removed", async () => {
    app = await startApp();
    expect(await app.call(webhook.getWebhook, {})).toEqual({ data: null, message: expect.any(String) });
    const first = await app.call(webhook.registerWebhook, { url: `${receiver.url}/a`, name: "mine" });
    expect(first.data).toEqual({
      id: expect.any(String),
      apiKey: app.key,
      name: "mine",
      url: `${receiver.url}/a`,
      status: "ACTIVE",
      ordering: "conversation",
      batch: null,
      secret: expect.stringMatching(/^whsec_[A-Za-z0-9+/]{43}=$/),
    });
    const second = await app.call(webhook.registerWebhook, { url: `${receiver.url}/b` });
    expect(second.data).toEqual({ ...first.data, url: `${receiver.url}/b` });
    expect(await app.call(webhook.getWebhook, {})).toEqual({ data: `${receiver.url}/b` });
    const changed = await app.call(webhook.changeWebhook, { name: "other" });
    expect(changed.data).toEqual({ ...second.data, name: "other", secret: undefined });
    const rotated = await app.call(webhook.changeWebhook, { rotate_secret: true });
    expect(rotated.data.secret).not.toBe(first.data.secret);
    await app.call(webhook.removeWebhook, {});
    expect((await app.call(webhook.getWebhook, {})).data).toBeNull();
  });

  test("keeps its options until they are changed", async () => {
    app = await startApp();
    const url = `${receiver.url}/a`;
    const first = await app.call(webhook.registerWebhook, { url, ordering: "none" });
    expect(first.data).toMatchObject({ ordering: "none", batch: null });
    const batched = await app.call(webhook.changeWebhook, { batch: {} } as never);
    expect(batched.data).toMatchObject({ ordering: "none", batch: { max_events: 100, max_wait_ms: 1_000 } });
    const again = await app.call(webhook.registerWebhook, { url });
    expect(again.data).toMatchObject({ ordering: "none", batch: { max_events: 100, max_wait_ms: 1_000 } });
    const plain = await app.call(webhook.changeWebhook, { ordering: "conversation", batch: null });
    expect(plain.data).toMatchObject({ ordering: "conversation", batch: null });
  });

  test.each<[string, object, string]>([
    ["an ordering that there is not", { ordering: "source" }, "ordering"],
    ["a batch that is none", { batch: 5 }, "batch"],
    ["an empty batch", { batch: { max_events: 0 } }, "batch.max_events"],
    ["a batch beyond measure", { batch: { max_events: 1001 } }, "batch.max_events"],
    ["a part of an event", { batch: { max_events: 1.5 } }, "batch.max_events"],
    ["a wait beyond measure", { batch: { max_wait_ms: 60_001 } }, "batch.max_wait_ms"],
    ["an option that there is not", { batch: { max_bytes: 5 } }, "batch"],
  ])("refuses %s, by its name", async (_, options, field) => {
    app = await startApp();
    await registered();
    const changing = app.call(webhook.changeWebhook, options as never);
    await expect(changing).rejects.toMatchObject({ data: [expect.objectContaining({ field })] });
  });

  test("keeps its secret where the answer to a rotation cannot be given", async () => {
    app = await startApp();
    await registered();
    const { broker } = app;
    await broker.destroyService(broker.getLocalService("keys"));
    await expect(app.call(webhook.changeWebhook, { rotate_secret: true })).rejects.toThrow();
    await app.append("a");
    await until("it arrived", () => receiver.received.length === 1);
    expect(receiver.received[0]?.headers["webhook-signature"]).toMatch(/^v1,\S+$/);
    expect(receiver.received[0]?.verified).toBe(true);
  });

  test("without one there is nothing to change, remove, test or replay", async () => {
    app = await startApp();
    const since = new Date().toISOString();
    const calls = [
      app.call(webhook.changeWebhook, {}),
      app.call(webhook.removeWebhook, {}),
      app.call(webhook.testWebhook, {}),
      app.call(webhook.replayWebhook, { since }),
    ];
    const codes = (await Promise.allSettled(calls)).map(
      each => each.status === "rejected" && codeOf(each.reason),
    );
    expect(codes).toEqual(["not_found", "not_found", "not_found", "not_found"]);
  });

  test.each([
    ["ftp://example.com/", "url_not_allowed", ["scheme"]],
    ["http://example.com/", "url_not_allowed", ["https_only"]],
    ["https://user:password@example.com/", "url_not_allowed", ["credentials"]],
    ["https://10.0.0.1/", "url_not_allowed", ["private_address"]],
    ["https://laptop.local/", "url_not_allowed", ["internal_name"]],
    ["http://192.168.0.2:8080/", "url_not_allowed", ["private_address", "https_only"]],
    ["not a url", "invalid_url", undefined],
  ])("%s is refused with %s, by %j", async (url, code, rules) => {
    app = await startApp({ allowHttp: false });
    const error = await app.call(webhook.registerWebhook, { url }).catch(thrown => thrown);
    expect([error.type, error.data.rules]).toEqual([code, rules]);
    expect(error.data.details).toEqual([{ field: "url", code, message: error.message }]);
    expect((await app.call(webhook.getWebhook, {})).data).toBeNull();
  });

  test("goes with its key", async () => {
    app = await startApp();
    await registered();
    await call(app.broker, deleteKey, { id: app.keyId });
    await until("the endpoint is gone", async () => (await app.call(webhook.getWebhook, {})).data === null);
    await app.append("a");
    await app.restart();
    expect(receiver.received).toEqual([]);
  });

  test("goes with its key, although it was away when the key was deleted", async () => {
    app = await startApp();
    await registered();
    await app.append("a");
    await until("it arrived", () => receiver.received.length === 1);
    await app.restart(keys => call(keys, deleteKey, { id: app.keyId }));
    await until("the endpoint is gone", async () => (await app.call(webhook.getWebhook, {})).data === null);
    await app.append("a");
    await app.restart();
    expect(receiver.received).toHaveLength(1);
  });

  test("stays where the key does", async () => {
    app = await startApp();
    await registered();
    await app.restart(async () => undefined);
    await app.append("a");
    await until("it arrived", () => receiver.received.length === 1);
    expect((await app.call(webhook.getWebhook, {})).data).not.toBeNull();
  });
});

describe("a delivery", () => {
  test("is signed, names the event, and begins with what comes after the registration", async () => {
    app = await startApp();
    await app.append("a");
    await registered();
    const { data } = await app.call(webhook.testWebhook, {});
    await until("it arrived", () => receiver.received.length === 1);
    const [delivery] = receiver.received;
    expect(delivery).toMatchObject({ path: "/hook", id: data.event_id, verified: true });
    expect(delivery?.event).toMatchObject({ id: data.event_id, type: "webhook.test", seq: 2 });
    expect(delivery?.headers).toMatchObject({
      "content-type": "application/json",
      "user-agent": product,
    });
    await until("it is logged", async () => (await status()).length === 1);
    expect(await status()).toEqual([
      {
        id: expect.any(String),
        webhook_id: expect.any(String),
        event_id: data.event_id,
        type: "webhook.test",
        seq: 2,
        url: `${receiver.url}/hook`,
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
    app = await startApp();
    const old = await registered();
    const { data } = await app.call(webhook.changeWebhook, { rotate_secret: true });
    for (const secret of [old.secret, String(data.secret)]) {
      const before = receiver.received.length;
      receiver.trust(secret);
      await app.append("a");
      await until("it arrived", () => receiver.received.length > before);
      expect(receiver.received.at(-1)?.verified).toBe(true);
    }
  });

  test("keeps the order of each source, and many are under way at a time", async () => {
    app = await startApp();
    await registered();
    const allUnderWay = manyAtATime();
    const sources = Array.from({ length: 1000 }, (_, n) => `source-${(n * 7) % 100}`);
    await app.append(...sources);
    await allUnderWay();
    await until("all arrived", () => new Set(seqs()).size === 1000);
    expect(new Set(seqs()).size).toBe(1000);
    for (const source of new Set(sources)) {
      const own = receiver.received.filter(({ event }) => event.data.source?.id === source);
      // An answer that was late is a failed attempt: its event comes once more.
      const first = [...new Set(seqs(own))];
      expect(first).toEqual(first.toSorted((a, b) => a - b));
    }
    expect(receiver.busiest()).toBe(mostUnderWay);
    // Connections are used again; a few more may be opened while one that just answered is not free yet.
    expect(receiver.connections()).toBeLessThan(160);
  });

  test("without order, many events of one source are under way at a time", async () => {
    app = await startApp();
    await registered();
    await app.call(webhook.changeWebhook, { ordering: "none" });
    const allUnderWay = manyAtATime();
    await app.append(...Array.from({ length: 300 }, () => "a"));
    await allUnderWay();
    await until("all arrived", () => new Set(seqs()).size === 300);
    expect(receiver.received).toHaveLength(300);
    expect(receiver.busiest()).toBe(mostUnderWay);
  });

  test("in batches, carries several events in order, and lists each", async () => {
    app = await startApp();
    await registered();
    const batch = { max_events: 50, max_wait_ms: 200 };
    const { data } = await app.call(webhook.changeWebhook, { batch });
    expect(data).toMatchObject({ batch, ordering: "conversation" });
    await app.append(...Array.from({ length: 120 }, (_, n) => `source-${n % 7}`));
    const batches = () => receiver.received.map(({ body }) => JSON.parse(body) as Batch);
    await until("all arrived", () => batches().flatMap(({ events }) => events).length === 120);
    const numbers = Array.from({ length: 120 }, (_, n) => n + 1);
    expect(batches().flatMap(({ events }) => events.map(({ seq }) => seq))).toEqual(numbers);
    expect(batches().map(({ events }) => events.length)).toEqual([50, 50, 20]);
    for (const [at, { id, type, timestamp, events }] of batches().entries()) {
      expect(receiver.received[at]).toMatchObject({ id, verified: true });
      expect({ id, type, timestamp }).toEqual({
        id: expect.stringMatching(/^bat_[\w-]{24}$/),
        type: "batch",
        timestamp: events.at(-1)?.timestamp,
      });
    }
    const page = (cursor?: string) => app.call(listDeliveries, { limit: 100, ...(cursor && { cursor }) });
    const listed = async () => {
      const first = await page();
      return [...first.data, ...(first.next_cursor ? (await page(first.next_cursor)).data : [])];
    };
    await until("all are listed", async () => (await listed()).length === 120);
    expect(new Set((await listed()).map(({ event_id }) => event_id)).size).toBe(120);
    expect((await listed()).every(({ outcome, attempt }) => outcome === "succeeded" && attempt === 1)).toBe(
      true,
    );
  });

  test("a batch that fails comes again with the same id and body, and in halves until one event is refused alone", async () => {
    app = await startApp();
    await registered();
    await app.call(webhook.changeWebhook, { batch: { max_events: 4, max_wait_ms: 5_000 } });
    receiver.behave(({ body }) =>
      (JSON.parse(body) as Batch).events.some(({ seq }) => seq === 2) ? 500 : 200,
    );
    await app.append("a", "a", "a", "a");
    const arrived = () => receiver.taken().flatMap(({ body }) => (JSON.parse(body) as Batch).events);
    await until("the innocent arrived", () => arrived().length === 3);
    const [first, second] = receiver.received;
    expect([second?.id, second?.body]).toEqual([first?.id, first?.body]);
    await app.append("b", "b", "b", "b");
    await until("the refused one is set aside", async () =>
      (await status()).some(({ outcome }) => outcome === "dead"),
    );
    const dead = (await status()).filter(({ outcome }) => outcome === "dead");
    const refused = (JSON.parse(first?.body ?? "") as Batch).events[1];
    expect(dead.map(({ event_id }) => event_id)).toEqual([refused?.id]);
    // It is tried on until the endpoint takes another.
    expect(dead[0]?.attempt).toBeGreaterThanOrEqual(5);
    await until("all others arrived", () => arrived().length === 7);
  });

  test.each<[string, Behaviour, object]>([
    [
      "500",
      { status: 500, body: "x".repeat(5000) },
      { http_status: 500, error: "status_500", answer: "x".repeat(2048) },
    ],
    [
      "a redirect",
      { status: 302, headers: { location: "/other" } },
      { http_status: 302, error: "status_302" },
    ],
    ["a reset", "reset", { http_status: null, error: "reset" }],
    ["silence", "hang", { http_status: null, error: "timeout_answer" }],
    ["a body that never comes", "stall", { http_status: 200, error: "timeout_answer" }],
  ])("%s is a failure and tried again", async (_name, behaviour, row) => {
    app = await startApp();
    await registered();
    receiver.behave(() => (receiver.received.length === 0 ? behaviour : 200));
    await app.append("a");
    await until("it was tried again", () => receiver.received.length === 2);
    await until("both are logged", async () => (await status()).length === 2);
    const [second, first] = await status();
    expect(first).toMatchObject({ attempt: 1, outcome: "failed", ...row });
    expect(second).toMatchObject({ attempt: 2, outcome: "succeeded" });
    expect(new Set(receiver.received.map(({ id, path }) => id + path)).size).toBe(1);
  });

  test("an endless answer is taken after its first 2 KB", async () => {
    app = await startApp();
    await registered();
    receiver.behave("endless");
    await app.append("a");
    await until("it is logged", async () => (await status()).length === 1);
    expect(await status()).toMatchObject([{ outcome: "succeeded", answer: "x".repeat(2048) }]);
  });

  test("a port that nobody listens on has its class", async () => {
    app = await startApp();
    const gone = await startReceiver();
    await gone.close();
    await app.call(webhook.registerWebhook, { url: gone.url });
    await app.append("a");
    await until("FAILED", isFailed);
    const errors = (await status()).map(({ error }) => error);
    expect([errors.length >= 5, ...new Set(errors)]).toEqual([true, "refused"]);
  });
});

test("what waits is a metric of the node, until its end", async () => {
  app = await startApp();
  await registered();
  const { broker } = app;
  const found = () => [...gaugesOf(broker)].find(({ name }) => name === "magpie_lane_lag_events");
  const gauge = found();
  const lag = async () => (await gauge?.read())?.map(({ value }) => value);
  expect(await lag()).toEqual([0]);
  const gate = Promise.withResolvers<void>();
  receiver.behave({ status: 200, after: gate.promise });
  await app.append("a", "b", "c");
  await until("all three wait", async () => (await lag())?.[0] === 3);
  gate.resolve();
  await until("all is written down", async () => (await lag())?.[0] === 0);
  await app.restart();
  expect(found()).toBeUndefined();
});

describe("an endpoint that fails", () => {
  test("is FAILED after five attempts, gets nothing, and gets all when it is active again", async () => {
    app = await startApp();
    await registered();
    receiver.behave(500);
    await app.append("a", "b", "a", "c");
    await until("FAILED", isFailed);
    const { findings } = await call(app.broker, health("webhook-dispatcher"), {});
    expect(findings).toEqual([
      { name: "journal", status: "ok" },
      { name: "lanes", status: "ok" },
      { name: "endpoints", status: "ok", detail: expect.stringContaining("1 FAILED") },
    ]);
    expect((await status()).map(({ outcome }) => outcome)).not.toContain("dead");
    const tried = receiver.received.length;
    await app.append("a");
    await app.restart();
    await app.append("d");
    await app.call(webhook.testWebhook, {});
    expect(receiver.received).toHaveLength(tried);
    receiver.behave(200);
    await app.call(webhook.changeWebhook, {});
    await until("all arrived", () => receiver.taken().length === 7);
    expect(seqs(receiver.taken()).toSorted((a, b) => a - b)).toEqual([1, 2, 3, 4, 5, 6, 7]);
    const ofA = receiver.taken().filter(({ event }) => event.data.source?.id === "a");
    expect(seqs(ofA)).toEqual([1, 3, 5]);
  });

  test.each([404, 410])("is FAILED at once by %d, and active when registered again", async code => {
    app = await startApp();
    await registered();
    receiver.behave(code);
    await app.append("a", "a");
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
    app = await startApp();
    await registered("/old");
    const gate = Promise.withResolvers<void>();
    const gone = { status: 410, headers: { "retry-after": "3600" }, after: gate.promise };
    receiver.behave(({ path }) => (path === "/old" ? gone : 200));
    await app.append("a", "b");
    await until("it is under way", () => receiver.received.length > 0);
    await registered("/new");
    gate.resolve();
    await until("all arrived at the new one", () => seqs(receiver.taken()).length === 2);
    expect(await isFailed()).toBe(false);
    expect(receiver.taken().map(({ path }) => path)).toEqual(["/new", "/new"]);
  });

  test("one poison event dies and fails no endpoint; a replay tries it again", async () => {
    app = await startApp();
    const since = new Date().toISOString();
    await registered();
    receiver.behave(({ event }) => (event.seq === 1 ? 500 : 200));
    await app.append("a");
    const dead = async () =>
      (await app.call(listDeliveries, { status: "dead", limit: 10 })).data.length === 1;
    while (!(await dead())) {
      const taken = receiver.taken().length;
      await app.append("b");
      await until("the others arrive", () => receiver.taken().length > taken);
    }
    expect(await isFailed()).toBe(false);
    // Until another event arrives, a failure may be the endpoint's own: of several such only one counts.
    expect(receiver.received.filter(({ event }) => event.seq === 1).length).toBeGreaterThanOrEqual(5);
    const others = receiver.taken().length;
    receiver.behave(200);
    const { data } = await app.call(webhook.replayWebhook, { since });
    expect(data.events).toBe(others + 1);
    await until("all arrived again", () => receiver.taken().length === 2 * others + 1);
    expect(seqs(receiver.taken())).toContain(1);
  });

  test("a lone poison event dies and fails no endpoint; the next failure does", async () => {
    app = await startApp();
    await registered();
    receiver.behave(({ event }) => (event.seq === 2 ? 422 : 200));
    await app.append("a");
    await until("the first arrived", () => receiver.taken().length === 1);
    await app.append("b");
    const listed = async (wanted: "dead" | "succeeded") =>
      (await app.call(listDeliveries, { status: wanted, limit: 10 })).data.length;
    await until("it is dead", async () => (await listed("dead")) === 1);
    expect(seqs()).toEqual([1, 2, 2, 2, 2, 2]);
    expect(await isFailed()).toBe(false);
    await app.append("c");
    await until("the next one is delivered", async () => (await listed("succeeded")) === 2);
    receiver.behave(422);
    await app.append("d");
    await until("the lone one is dead", async () => (await listed("dead")) === 2);
    await app.append("e");
    await until("FAILED", isFailed);
    expect(seqs()).toEqual([1, 2, 2, 2, 2, 2, 3, 4, 4, 4, 4, 4, 5]);
    receiver.behave(200);
    await app.call(webhook.changeWebhook, {});
    await until("what was kept arrived", () => seqs(receiver.taken()).at(-1) === 5);
  });

  test("an endpoint that took events and then answers 500 is FAILED by a lone event, which is kept", async () => {
    app = await startApp();
    await registered();
    await app.append("a");
    await until("the first arrived", () => receiver.taken().length === 1);
    receiver.behave(500);
    await app.append("b");
    await until("FAILED", isFailed);
    // Of two failures within one episode the second does not count.
    const [first, ...others] = seqs();
    expect([first, [...new Set(others)]]).toEqual([1, [2]]);
    expect(others.length).toBeGreaterThanOrEqual(5);
    expect((await app.call(webhook.getWebhook, {})).message).toContain("FAILED");
    expect((await app.call(webhook.testWebhook, {})).message).toContain("FAILED");
    const since = new Date(Date.now() - 60_000).toISOString();
    expect((await app.call(webhook.replayWebhook, { since })).message).toContain("FAILED");
    receiver.behave(200);
    await app.call(webhook.changeWebhook, {});
    expect((await app.call(webhook.getWebhook, {})).message).toBeUndefined();
    await until("what was kept arrived", () => seqs(receiver.taken()).at(-1) === 3);
  });

  test("Retry-After is heeded: nothing comes before the pause is over", async () => {
    app = await startApp();
    await registered();
    receiver.behave(() =>
      receiver.received.length === 0 ? { status: 429, headers: { "retry-after": "1" } } : 200,
    );
    const began = Date.now();
    await app.append("a");
    await until("it arrived", () => receiver.taken().length === 1);
    expect(Date.now() - began).toBeGreaterThanOrEqual(1000);
  });

  test("does not hold up another endpoint", async () => {
    app = await startApp();
    await registered();
    receiver.behave("hang");
    const other = await startReceiver();
    const { data } = await call(app.broker, createKey, { owner: "bob", name: "n" });
    const meta = { caller: { keyId: data.id, owner: "bob", limits: defaultLimits } };
    await call(app.broker, webhook.registerWebhook, { url: other.url }, { meta });
    await app.append("a", "b", "c");
    await until("the first one hangs", () => receiver.received.length > 0);
    await call(app.broker, webhook.testWebhook, {}, { meta });
    await until("the other one is served", () => other.taken().length === 1);
    await other.close();
  });
});

test("deliveries are paged newest first, and a cursor neither skips nor repeats", async () => {
  app = await startApp();
  await registered();
  await app.append(...Array.from({ length: 25 }, (_, n) => `s${n}`));
  await until("all are logged", async () => (await status()).length === 25);
  const first = await app.call(listDeliveries, { limit: 20 });
  await app.append("new");
  await until("the new one is logged", async () => (await status()).length === 26);
  const cursor = String(first.next_cursor);
  const second = await app.call(listDeliveries, { limit: 20, cursor });
  expect(second.next_cursor).toBeNull();
  const ids = [...first.data, ...second.data].map(({ id }) => id);
  expect(ids).toEqual(ids.toSorted().reverse());
  expect(new Set(ids).size).toBe(25);
  await expect(app.call(listDeliveries, { limit: 20, cursor: "1 OR 1" })).rejects.toMatchObject({
    data: [expect.objectContaining({ field: "cursor" })],
  });
});

test("a stop in the middle loses nothing, and the next start goes on", async () => {
  app = await startApp();
  await registered();
  await app.append(...Array.from({ length: 300 }, (_, n) => `s${n % 30}`));
  await until("some arrived", () => receiver.received.length > 20);
  await app.restart();
  await until("all arrived", () => new Set(seqs()).size === 300);
  await until("all are done", async () => (await failedAttempts()) + 300 === receiver.received.length);
});
