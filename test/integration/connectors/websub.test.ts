import { mkdtempSync } from "node:fs";
import { request as httpRequest, type IncomingMessage, type ServerResponse } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Service, ServiceBroker } from "moleculer";
import { toConfig } from "../../../mixins/config/config.ts";
import { openEmbeddedHostPoliteness } from "../../../mixins/coordination/host-politeness/embedded.host-politeness.ts";
import { HostQueues } from "../../../mixins/coordination/host-politeness/host-queues.ts";
import { createEgress, type Egress } from "../../../mixins/egress/egress.ts";
import { storeMixin, type WithStore } from "../../../mixins/store/store.mixin.ts";
import { connectorsService } from "../../../services/connectors/connectors.service.ts";
import { receiveDelivery, verifyIntent } from "../../../services/connectors/websub/callbacks.ts";
import { openWebsubContext, type WebsubContext } from "../../../services/connectors/websub/context.ts";
import { keepSubscription, leaveHub } from "../../../services/connectors/websub/subscribe.ts";
import {
  type StoredHubSubscription,
  storeOptions,
} from "../../../services/connectors/websub/subscriptions.store.ts";
import type { IntentQuery } from "../../../services/contracts/connectors.contract.ts";
import { codeOf, errorStatus } from "../../../services/contracts/errors.ts";
import { keysService } from "../../../services/keys/keys.service.ts";
import type { TrackerContext } from "../../../services/tracker/context.ts";
import { leaseSource, pollSoon } from "../../../services/tracker/polling/due-sources.ts";
import type { StoredSource } from "../../../services/tracker/sources.store.ts";
import { trackerService } from "../../../services/tracker/tracker.service.ts";
import { type HubSubscription, signed, WebsubHub } from "../../fakes/websub-hub.ts";
import { removeFolder } from "../../support/folders.ts";
import { type Site, startSite } from "../../support/http-site.ts";
import { type Magpie, startMagpie } from "../../support/magpie.ts";
import { pollOne } from "../../support/poll-one.ts";
import { until } from "../../support/until.ts";

const minute = 60_000;
const day = 24 * 60 * minute;
const feed = "https://site.example/feed";
const topic = "https://site.example/feed?self";

let hub: WebsubHub;
beforeEach(async () => {
  hub = await new WebsubHub().start();
});
afterEach(() => hub.stop());

describe("a subscription, by a clock of the test", () => {
  let dataDir: string;
  let broker: ServiceBroker;
  let egress: Egress;
  let context: WebsubContext;
  let callbacks: Site;
  let now: number;
  let isTracked: boolean;
  let polled: string[];
  let store: WithStore<StoredHubSubscription>["store"];

  beforeEach(async () => {
    dataDir = mkdtempSync(join(tmpdir(), "magpie-websub-"));
    broker = new ServiceBroker({ logger: false });
    const service = broker.createService({
      name: "connectors",
      mixins: [storeMixin({ dataDir }, storeOptions)],
    }) as Service & WithStore<StoredHubSubscription>;
    await broker.start();
    store = service.store;
    egress = createEgress({ allow: ["127.0.0.1/32"] });
    callbacks = await startSite(answerHub);
    now = Date.now();
    isTracked = true;
    polled = [];
    context = await open();
  });
  afterEach(async () => {
    await hub.settled();
    await callbacks.close();
    await egress.close();
    await broker.stop();
    await removeFolder(dataDir);
  });

  const open = async (): Promise<WebsubContext> => {
    const config = { ...toConfig({ POLL_MIN_INTERVAL: "1m" }), dataDir };
    const outside = {
      store,
      egress,
      hosts: new HostQueues(openEmbeddedHostPoliteness(), { width: 2, purpose: "poll" }),
      closing: new AbortController().signal,
      logger: { info: () => undefined, warn: () => undefined },
      pollSoon: async ({ externalId }: { externalId: string }) => {
        polled.push(externalId);
        return { isTracked };
      },
    };
    return { ...(await openWebsubContext(config, callbacks.url, outside)), now: () => now };
  };

  /** What the gateway does for hubs, without it. */
  async function answerHub(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname, searchParams } = new URL(request.url ?? "", "http://x.example");
    const token = pathname.slice("/websub/".length);
    try {
      if (request.method === "GET") {
        const lease = searchParams.get("hub.lease_seconds");
        const query = { ...Object.fromEntries(searchParams), token } as unknown as IntentQuery;
        response.end(
          await verifyIntent(context, { ...query, ...(lease && { "hub.lease_seconds": Number(lease) }) }),
        );
        return;
      }
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk);
      const body = Buffer.concat(chunks).toString("base64");
      const header = request.headers["x-hub-signature"];
      await receiveDelivery(context, { token, body, ...(header && { signature: String(header) }) });
      response.writeHead(202).end();
    } catch (error) {
      response.writeHead(errorStatus[codeOf(error) ?? "internal_error"]).end();
    }
  }

  const keep = async (url = hub.url, of = topic) => {
    const lease = await keepSubscription(context, feed, { url, topic: of });
    await hub.settled();
    return lease;
  };
  /** Asked, verified, and looked at again. */
  const subscribed = async (): Promise<HubSubscription> => {
    await keep();
    const [subscription] = hub.subscriptions.values();
    if (!subscription) throw new Error("the hub has no subscription");
    return subscription;
  };
  const wanted = (subscription: HubSubscription, mode: string) => ({
    "hub.mode": mode,
    "hub.topic": subscription.topic,
    "hub.challenge": "x",
    "hub.lease_seconds": "864000",
  });

  test("is requested once, and valid when the hub has verified it", async () => {
    await keep();
    expect(hub.asked).toEqual([
      {
        "hub.mode": "subscribe",
        "hub.topic": topic,
        "hub.callback": expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/websub\/[\w-]{43}$/),
        "hub.secret": expect.stringMatching(/^[\w-]{43}$/),
        "hub.lease_seconds": "864000",
      },
    ]);
    expect(hub.subscriptions.size).toBe(1);
    expect(await keep()).toEqual({ renewInMs: 8 * day });
    expect(hub.asked).toHaveLength(1);
  });

  test("keeps its secret sealed", async () => {
    const { secret } = await subscribed();
    expect(JSON.stringify(await store.find())).not.toContain(secret);
  });

  test("is renewed when less than a fifth of the lease is left, at the same callback", async () => {
    const { callback } = await subscribed();
    now += 8 * day - 1;
    expect(await keep()).toEqual({ renewInMs: 1 });
    expect(hub.asked).toHaveLength(1);
    now += 1;
    await keep();
    expect(hub.asked.map(form => form["hub.callback"])).toEqual([callback, callback]);
    expect(await keep()).toEqual({ renewInMs: 8 * day });
  });

  test("lapses when the hub is down, which is asked less and less often; it comes back with the hub", async () => {
    await subscribed();
    hub.mode = "down";
    now += 9 * day;
    for (let n = 0; n < 24 * 60; n++, now += minute) expect(await keep()).toBeUndefined();
    // After 2, 4, 8 … minutes.
    expect(hub.asked).toHaveLength(1 + 10);
    hub.mode = "verifies";
    now += day;
    await keep();
    expect(await keep()).toEqual({ renewInMs: 8 * day });
  });

  test.each(["down", "silent", "denies"] as const)(
    "a subscription that was never verified leaves polling alone: %s",
    async mode => {
      hub.mode = mode;
      expect([await keep(), await keep()]).toEqual([undefined, undefined]);
      expect(hub.asked).toHaveLength(1);
    },
  );

  test("is written down before the hub is asked: one that dies in between does not ask at once again", async () => {
    const { post } = context;
    context.post = async () => {
      throw new Error("the process died here");
    };
    await keep();
    context = await open();
    expect(await keep()).toBeUndefined();
    expect(hub.asked).toEqual([]);
    now += 2 * minute;
    context.post = post;
    await keep();
    expect(await keep()).toEqual({ renewInMs: 8 * day });
  });

  test("is dropped when the hub denies it, at once or later, and asked for again after a day", async () => {
    const subscription = await subscribed();
    const { status } = await hub.challenge(subscription.callback, wanted(subscription, "denied"));
    expect([status, await keep()]).toEqual([200, undefined]);
    expect(await hub.deliver(subscription, "x")).toBe(202);
    expect(polled).toEqual([]);
    now += day - 1;
    await keep();
    expect(hub.asked).toHaveLength(1);
    now += 1;
    await keep();
    expect(await keep()).toEqual({ renewInMs: 8 * day });
  });

  test.each<[string, object, object, number]>([
    ["another topic", { "hub.topic": "https://else.example/" }, {}, 404],
    ["another token", {}, { callback: "/websub/nobody" }, 404],
    ["what was not asked for", { "hub.mode": "unsubscribe" }, {}, 404],
    ["a mode that nobody knows", { "hub.mode": "constructor" }, {}, 404],
    ["after an hour", {}, { laterMs: 60 * minute + 1 }, 404],
    ["within the hour, once more", {}, { laterMs: 59 * minute }, 200],
  ])(
    "a verification: %s",
    async (_, change, { callback, laterMs = 0 }: { callback?: string; laterMs?: number }, status) => {
      hub.mode = "silent";
      await keep();
      const [form] = hub.asked;
      now += laterMs;
      const asked = { callback: form?.["hub.callback"] ?? "", topic, secret: "" };
      const target = callback === undefined ? asked.callback : callbacks.url + callback;
      const answer = await hub.challenge(target, { ...wanted(asked, "subscribe"), ...change });
      expect(answer).toEqual({ status, text: status === 200 ? "x" : "" });
      expect((await keep()) !== undefined).toBe(status === 200);
    },
  );

  test("with a lease of less than an hour is not counted on, but listened to", async () => {
    hub.leaseSeconds = 3599;
    const subscription = await subscribed();
    expect(await keep()).toBeUndefined();
    expect(await hub.deliver(subscription, "x")).toBe(202);
    expect(polled).toEqual([feed]);
  });

  test.each<[string, (secret: string) => Record<string, string>, boolean]>([
    ["sha1", secret => ({ "x-hub-signature": signed("body ☃", secret, "sha1") }), true],
    ["sha256", secret => ({ "x-hub-signature": signed("body ☃", secret) }), true],
    ["sha384", secret => ({ "x-hub-signature": signed("body ☃", secret, "sha384") }), true],
    ["sha512", secret => ({ "x-hub-signature": signed("body ☃", secret, "sha512") }), true],
    ["another secret", secret => ({ "x-hub-signature": signed("body ☃", `${secret}x`) }), false],
    ["another body", secret => ({ "x-hub-signature": signed("body", secret) }), false],
    ["no signature", () => ({}), false],
  ])("a delivery, signed by %s", async (_, headersOf, isTaken) => {
    const subscription = await subscribed();
    expect(await hub.deliver(subscription, "body ☃", headersOf(subscription.secret))).toBe(202);
    expect(polled).toEqual(isTaken ? [feed] : []);
  });

  test("ends where nobody tracks the feed: verified once, and gone for later deliveries", async () => {
    const subscription = await subscribed();
    await leaveHub(context, feed);
    await hub.settled();
    expect(hub.asked.at(-1)).toEqual({
      "hub.mode": "unsubscribe",
      "hub.topic": topic,
      "hub.callback": subscription.callback,
    });
    expect(hub.subscriptions.size).toBe(0);
    expect(await store.count()).toBe(0);
    expect((await hub.challenge(subscription.callback, wanted(subscription, "unsubscribe"))).status).toBe(
      404,
    );
    expect(await hub.deliver(subscription, "x")).toBe(410);
  });

  test("whose unsubscribe was lost ends with the next delivery", async () => {
    const subscription = await subscribed();
    isTracked = false;
    expect(await hub.deliver(subscription, "x")).toBe(202);
    await hub.settled();
    expect([hub.subscriptions.size, await store.count()]).toEqual([0, 0]);
  });

  test("a subscription that was never verified is deleted without a request", async () => {
    hub.mode = "silent";
    await keep();
    await leaveHub(context, feed);
    expect([hub.asked.length, await store.count()]).toEqual([1, 0]);
  });

  test("of a feed that is tracked again at once is asked for again", async () => {
    await subscribed();
    hub.mode = "silent";
    await leaveHub(context, feed);
    hub.mode = "verifies";
    await keep();
    expect(await keep()).toEqual({ renewInMs: 8 * day });
    expect(await store.count()).toBe(1);
  });

  test("moves with the feed to another hub or topic, with another callback", async () => {
    const before = await subscribed();
    now += minute;
    await keep(hub.url, feed);
    expect(await keep(hub.url, feed)).toEqual({ renewInMs: 8 * day });
    expect(new Set(hub.asked.map(form => form["hub.callback"])).size).toBe(2);
    expect(await hub.deliver(before, "x")).toBe(410);
  });

  test("whose hub may not be gone to is as if there were none", async () => {
    expect(await keep("http://10.0.0.1/")).toBeUndefined();
    expect(await keep("http://10.0.0.1/")).toBeUndefined();
  });

  test("a subscription that lapsed long ago is forgotten at the start, a young one is not", async () => {
    hub.mode = "silent";
    await keep();
    await open();
    expect(await store.count()).toBe(1);
    const [subscription] = await store.find();
    await store.update(subscription?._id ?? "", { $set: { askedAt: Date.now() - 3 * day } });
    await open();
    expect(await store.count()).toBe(0);
  });
});

describe("from the hub to the log", () => {
  let site: Site;
  let front: Site;
  let magpie: Magpie;
  let tracker: Service & WithStore<StoredSource> & { context: TrackerContext };
  let items: number;
  let isBroken: boolean;
  let link: string;

  beforeEach(async () => {
    items = 1;
    isBroken = false;
    site = await startSite((_, response) => {
      if (isBroken) return response.writeHead(500).end();
      response
        .writeHead(200, { "content-type": "application/rss+xml", ...(link && { link }) })
        .end(document());
    });
    link = `<${hub.url}>; rel="hub", <${site.url}/self>; rel="self"`;
    // The public address: it leads to the gateway, whose port is not known before it listens.
    front = await startSite((request, response) => {
      const target = new URL(request.url ?? "/", magpie.url);
      const { method = "GET", headers } = request;
      request.pipe(
        httpRequest(target, { method, headers }, reply => {
          response.writeHead(reply.statusCode ?? 500, reply.headers);
          reply.pipe(response);
        }),
      );
    });
    magpie = await startMagpie(
      { egressAllow: ["127.0.0.1/32"], pollMinIntervalMs: 20, publicUrl: front.url },
      config => [keysService(config), trackerService(config), connectorsService(config)],
    );
    tracker = magpie.broker.getLocalService("tracker") as unknown as typeof tracker;
  });
  afterEach(async () => {
    await hub.settled();
    await magpie.stop();
    await front.close();
    await site.close();
  });

  const document = () => {
    const all = Array.from(
      { length: items },
      (_, n) => `<item><guid>i${items - n}</guid><title>t</title></item>`,
    );
    const hubLink = link ? "" : `<a:link xmlns:a="http://www.w3.org/2005/Atom" rel="hub" href="${hub.url}"/>`;
    return `<rss version="2.0"><channel><title>F</title>${hubLink}${all.join("")}</channel></rss>`;
  };
  const source = async () => {
    const found = await tracker.store.findOne({ externalId: `${site.url}/feed` });
    if (!found) throw new Error("not tracked");
    return found;
  };
  const track = async () => {
    const body = { sid: `${site.url}/feed` };
    expect((await magpie.request("POST", "/track/rss", { body })).status).toBe(201);
  };
  const isSlow = async () => (await source()).dueAt - Date.now() > 5 * 60 * minute;
  /** The feed is polled slowly, and the hub knows that it is subscribed, which it learns a moment later. */
  const tracked = async () => {
    await track();
    await until("backup polls", isSlow);
    await hub.settled();
  };
  const subscription = () => {
    const [first] = hub.subscriptions.values();
    if (!first) throw new Error("the hub has no subscription");
    return first;
  };
  const titles = async () => {
    const reply = await magpie.request("GET", "/users/me/api-keys");
    const { id } = reply.json<{ data: { apiKeys: { id: string }[] } }>().data.apiKeys[0] ?? { id: "" };
    const api = magpie.broker.getLocalService("api") as unknown as {
      log: {
        read(keyId: string, after: number, max: number): Promise<{ data: { item?: { id: string } } }[]>;
      };
    };
    return (await api.log.read(id, 0, 100)).map(({ data }) => data.item?.id);
  };

  test.each([
    ["Link headers", true],
    ["the document", false],
  ])(
    "a feed that names its hub in %s is polled slowly, and read when the hub says so",
    async (_, inHeaders) => {
      if (!inHeaders) link = "";
      await tracked();
      expect(subscription().topic).toBe(inHeaders ? `${site.url}/self` : `${site.url}/feed`);
      items = 2;
      expect(await hub.deliver(subscription(), "<rss>forged</rss>")).toBe(202);
      await until("the item", async () => (await titles()).length === 1);
      expect(await titles()).toEqual(["i2"]);
      await until("backup polls again", isSlow);
    },
  );

  test("a delivery without a good signature, or too large, moves nothing", async () => {
    await tracked();
    const { dueAt } = await source();
    expect(await hub.deliver(subscription(), "x", {})).toBe(202);
    expect(await hub.deliver(subscription(), "x".repeat(1024 * 1024 + 1))).toBe(413);
    expect(await hub.deliver({ ...subscription(), callback: `${front.url}/websub/nobody` }, "x")).toBe(410);
    expect((await source()).dueAt).toBe(dueAt);
  });

  test("the hub gets an unsubscribe when the last key untracks the feed", async () => {
    await tracked();
    const asked = subscription();
    await magpie.request("DELETE", "/track/rss", { body: { eid: `${site.url}/feed` } });
    await until("unsubscribed", () => hub.subscriptions.size === 0);
    // A hub that verifies late, by this test's hasty clock, has been asked anew meanwhile.
    const { callback } = asked;
    expect(hub.asked.filter(form => form["hub.mode"] === "unsubscribe")).toEqual([
      { "hub.mode": "unsubscribe", "hub.topic": asked.topic, "hub.callback": callback },
    ]);
    expect(new Set(hub.asked.map(form => form["hub.callback"]))).toEqual(new Set([callback]));
  });

  test("the challenge comes back as plain text; who does not know a token gets 404", async () => {
    await tracked();
    const path = new URL(subscription().callback).pathname;
    const query = new URLSearchParams({ "hub.mode": "subscribe", "hub.topic": subscription().topic });
    query.set("hub.challenge", "<b>&+ %");
    const good = await magpie.request("GET", `${path}?${query}`, { key: null });
    expect([good.status, good.headers.get("content-type"), good.text]).toEqual([
      200,
      "text/plain; charset=utf-8",
      "<b>&+ %",
    ]);
    expect((await magpie.request("GET", `/websub/x?${query}`, { key: null })).status).toBe(404);
    expect((await magpie.request("GET", path, { key: null })).status).toBe(400);
  });

  test("a hint during a poll is heeded after it, one for a source that fails is not, and none for nobody's", async () => {
    await tracked();
    const { context } = tracker;
    const { _id, kind, externalId } = await source();
    const leased = await leaseSource(context, _id);
    if (!leased) throw new Error("not leased");
    expect(await pollSoon(context, { kind, externalId })).toEqual({ isTracked: true });
    await pollOne(context, leased);
    expect(await isSlow()).toBe(false);
    isBroken = true;
    await tracker.store.update(_id, { $set: { failures: 9, dueAt: Date.now() + day } });
    expect(await pollSoon(context, { kind, externalId })).toEqual({ isTracked: true });
    expect(await isSlow()).toBe(true);
    expect(await pollSoon(context, { kind, externalId: "https://else.example/" })).toEqual({
      isTracked: false,
    });
  });
});

test("without a public address hubs are not asked, and nothing is kept", async () => {
  const site = await startSite({
    "/feed": {
      headers: { "content-type": "application/rss+xml", link: `<${hub.url}>; rel="hub"` },
      body: "<rss version='2.0'><channel><title>F</title><item><guid>1</guid></item></channel></rss>",
    },
  });
  const magpie = await startMagpie({ egressAllow: ["127.0.0.1/32"], pollMinIntervalMs: 20 }, config => [
    keysService(config),
    trackerService(config),
    connectorsService(config),
  ]);
  await magpie.request("POST", "/track/rss", { body: { sid: `${site.url}/feed` } });
  await until("some polls", () => site.hits.length > 3);
  expect(hub.asked).toEqual([]);
  expect((await magpie.request("POST", "/websub/x", { key: null, body: "x" })).status).toBe(404);
  await magpie.stop();
  await site.close();
});
