import type { ChildProcess } from "node:child_process";
import { createHmac } from "node:crypto";
import { mkdtempSync, readdirSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ServiceBroker } from "moleculer";
import { toConfig } from "../../mixins/config/config.ts";
import { closeDatabase, type Database, openDatabase } from "../../mixins/store/sqlite/database.ts";
import type { WithStore } from "../../mixins/store/store.mixin.ts";
import type { Doc } from "../../mixins/store/store.ts";
import { type Action, call } from "../../services/contracts/action.ts";
import { defaultLimits } from "../../services/contracts/caller.ts";
import { type Delivery, listDeliveries } from "../../services/contracts/deliveries.contract.ts";
import { codeOf, type ErrorExtras } from "../../services/contracts/errors.ts";
import { createKey, deleteKey } from "../../services/contracts/keys.contract.ts";
import * as webhook from "../../services/contracts/webhook-dispatcher.contract.ts";
import { keysService } from "../../services/keys/keys.service.ts";
import { webhookDispatcherService } from "../../services/webhook-dispatcher/webhook-dispatcher.service.ts";
import { killed, order, startChild } from "../support/child-process.ts";
import { removeFolder } from "../support/folders.ts";
import { type Behaviour, type Received, type Receiver, startReceiver } from "../support/receiver.ts";
import { until } from "../support/until.ts";

interface App {
  keyId: string;
  dataDir: string;
  newKey(): Promise<string>;
  call<Params, Result>(action: Action<Params, Result>, params: Params, keyId?: string): Promise<Result>;
  /** Notices that the service still keeps. */
  pending(): Promise<number>;
  announce(id: string, notice?: Partial<webhook.JobNotice>): Promise<null>;
  /** Between stop and start, `meanwhile` has the folder to itself. */
  restart(meanwhile?: () => void): Promise<void>;
  stop(): Promise<void>;
}

const fast = ["20ms", "20ms", "20ms", "20ms"];
const time = "2026-07-01T12:00:00.000Z";
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
  const dataDir = mkdtempSync(join(tmpdir(), "magpie-notices-"));
  const env = {
    EGRESS_ALLOW: "127.0.0.1/32",
    WEBHOOK_ALLOW_HTTP: String(allowHttp),
    WEBHOOK_BACKOFF: backoff.join(","),
  };
  const config = { ...toConfig(env), dataDir };
  let broker = await startNode(config);
  const newKey = async () => (await call(broker, createKey, { owner: "ann", name: "n" })).data.id;
  const keyId = await newKey();
  return {
    keyId,
    dataDir,
    newKey,
    call: (action, params, key = keyId) =>
      call(broker, action, params, { meta: { caller: { keyId: key, owner: "ann", limits: defaultLimits } } }),
    announce: (id, notice) => call(broker, webhook.announceJob, noticeOf(id, keyId, notice)),
    pending: () => {
      const { store } = broker.getLocalService("webhook-dispatcher") as unknown as WithStore<Doc>;
      return store.collection("webhook_notices").count();
    },
    restart: async meanwhile => {
      await broker.stop();
      meanwhile?.();
      broker = await startNode(config);
    },
    stop: async () => {
      await broker.stop();
      await removeFolder(dataDir);
    },
  };
}

async function startNode(config: ReturnType<typeof toConfig>): Promise<ServiceBroker> {
  const broker = new ServiceBroker({ logger: false, skipProcessEventRegistration: true });
  broker.createService(keysService(config));
  broker.createService(webhookDispatcherService(config));
  await broker.start();
  return broker;
}

function noticeOf(id: string, keyId: string, notice: Partial<webhook.JobNotice> = {}): webhook.JobNotice {
  return {
    id,
    type: "scrape.completed",
    keyId,
    url: `${receiver.url}/job`,
    headers: {},
    job: { scrape_id: id.split(".")[0], status: "completed" },
    timestamp: time,
    ...notice,
  };
}

/** Prepares the receiver's URL; the secret is the one that deliveries are checked with. */
async function prepared(keyId = app.keyId): Promise<string | undefined> {
  const { secret } = await app.call(webhook.prepareJobWebhook, { keyId, url: receiver.url });
  if (secret !== undefined) receiver.trust(secret);
  return secret;
}

/** Has a file of the app's store to itself for a moment. */
function inFile<Result>(name: "magpie.db" | "webhooks.db", work: (database: Database) => Result): Result {
  const path = join(app.dataDir, name);
  const database = openDatabase(path);
  try {
    return work(database);
  } finally {
    closeDatabase(path);
  }
}

async function deliveries(keyId?: string): Promise<Delivery[]> {
  return (await app.call(listDeliveries, { limit: 100 }, keyId)).data;
}

async function listed(count: number): Promise<Delivery[]> {
  await until(`${count} attempts are listed`, async () => (await deliveries()).length >= count);
  return await deliveries();
}

describe("a job's webhook is prepared", () => {
  test("with a secret that is shown once, and kept sealed", async () => {
    app = await startApp();
    const secret = await prepared();
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(await prepared()).toBeUndefined();
    await app.restart();
    expect(await prepared()).toBeUndefined();
    for (const file of readdirSync(app.dataDir).filter(name => name.includes(".db")))
      expect(readFileSync(join(app.dataDir, file)).includes(String(secret).slice(6))).toBe(false);
  });

  test("once, however many are prepared at a time", async () => {
    app = await startApp();
    const answers = await Promise.all(Array.from({ length: 5 }, () => prepared()));
    expect(answers.filter(secret => secret !== undefined)).toHaveLength(1);
  });

  test("without one where the key has an endpoint, whose secret it knows", async () => {
    app = await startApp();
    await app.call(webhook.registerWebhook, { url: receiver.url });
    expect(await prepared()).toBeUndefined();
  });

  test.each([
    ["ftp://example.com/", "url_not_allowed"],
    ["http://example.com/", "url_not_allowed"],
    ["https://user:password@example.com/", "url_not_allowed"],
    ["https://10.0.0.1/", "url_not_allowed"],
    ["not a url", "invalid_url"],
  ])("not to go to %s", async (url, code) => {
    app = await startApp({ allowHttp: false });
    expect(await refusal({ url })).toEqual([code, "webhook.url", code]);
  });

  test.each([
    ["Host", "a.test", "forbidden_header"],
    ["content-type", "text/plain", "forbidden_header"],
    ["Content-Length", "1", "forbidden_header"],
    ["transfer-encoding", "chunked", "forbidden_header"],
    ["Connection", "close", "forbidden_header"],
    ["keep-alive", "1", "forbidden_header"],
    ["expect", "100-continue", "forbidden_header"],
    ["proxy-authorization", "a", "forbidden_header"],
    ["Webhook-Signature", "v1,x", "forbidden_header"],
    ["webhook-id", "1", "forbidden_header"],
    ["a b", "1", "invalid_name"],
    ["", "1", "invalid_name"],
    ["x-a", "1\r\nx-b: 2", "invalid_value"],
  ])("not with the header %p: %p", async (name, value, code) => {
    app = await startApp();
    const headers = { "x-good": "1", [name]: value };
    expect(await refusal({ url: receiver.url, headers })).toEqual([
      "validation_failed",
      `webhook.headers.${name}`,
      code,
    ]);
  });

  test("more headers than fifty are refused", async () => {
    app = await startApp();
    const headers = Object.fromEntries(Array.from({ length: 51 }, (_, n) => [`x-${n}`, "1"]));
    expect(await refusal({ url: receiver.url, headers })).toEqual([
      "validation_failed",
      "webhook.headers",
      "too_many",
    ]);
  });

  async function refusal(job: { url: string; headers?: Record<string, string> }) {
    const { keyId } = app;
    const error = await app.call(webhook.prepareJobWebhook, { keyId, ...job }).catch(reason => reason);
    const [detail] = (error as { data: ErrorExtras }).data.details ?? [];
    return [codeOf(error), detail?.field, detail?.code];
  }
});

describe("a notice", () => {
  test("is an event of no log, signed, with the job's headers, and listed", async () => {
    app = await startApp();
    await prepared();
    const headers = { Authorization: "Bearer abc", "User-Agent": "mine", "X-A": "1" };
    const job = { scrape_id: "scr_1", status: "completed", data: { markdown: "# ü" } };
    await app.announce("scr_1.completed", { headers, job });
    const [delivery] = await listed(1);
    expect(receiver.received).toHaveLength(1);
    const [received] = receiver.received;
    expect(received).toMatchObject({ path: "/job", verified: true, id: delivery?.event_id });
    expect(received?.headers).toMatchObject({
      authorization: "Bearer abc",
      "user-agent": "mine",
      "x-a": "1",
      "content-type": "application/json",
    });
    expect(received?.event).toEqual({
      id: expect.stringMatching(/^evt_[0-9A-HJKMNP-TV-Z]{26}$/),
      type: "scrape.completed",
      timestamp: time,
      seq: null,
      data: { source: null, job },
    });
    expect(delivery).toEqual({
      id: expect.any(String),
      event_id: received?.event.id,
      type: "scrape.completed",
      seq: null,
      url: received && `${receiver.url}/job`,
      webhook_id: null,
      attempt: 1,
      outcome: "succeeded",
      http_status: 200,
      error: null,
      duration_ms: expect.any(Number),
      answer: "",
      at: expect.any(String),
    });
  });

  test("a notice that is announced again goes out once: at the same time, later, and after a restart", async () => {
    app = await startApp();
    await prepared();
    await Promise.all([1, 2, 3].map(() => app.announce("scr_1:completed")));
    await listed(1);
    await app.announce("scr_1:completed");
    await app.restart();
    await app.announce("scr_1:completed");
    await app.announce("scr_2:completed");
    await listed(2);
    const jobs = receiver.received.map(({ event }) => (event.data.job as { scrape_id: string }).scrape_id);
    expect(jobs).toEqual(["scr_1:completed", "scr_2:completed"]);
    expect(await app.pending()).toBe(0);
  });

  test.each<[string, Behaviour, object]>([
    ["500", 500, { http_status: 500, error: "status_500" }],
    [
      "a redirect",
      { status: 302, headers: { location: "/other" } },
      { http_status: 302, error: "status_302" },
    ],
    ["a reset", "reset", { http_status: null, error: "reset" }],
    ["silence", "hang", { http_status: null, error: "timeout_answer" }],
  ])("that is met with %s is sent again, the same", async (_name, behaviour, row) => {
    app = await startApp();
    await prepared();
    receiver.behave(() => (receiver.received.length === 0 ? behaviour : 200));
    await app.announce("scr_1.completed");
    const [second, first] = await listed(2);
    expect(first).toMatchObject({ attempt: 1, outcome: "failed", ...row });
    expect(second).toMatchObject({ attempt: 2, outcome: "succeeded" });
    expect(new Set(receiver.received.map(({ id, path, body }) => id + path + body)).size).toBe(1);
    expect(receiver.received.every(({ verified }) => verified)).toBe(true);
  });

  test("ends after five attempts", async () => {
    app = await startApp();
    await prepared();
    receiver.behave(500);
    await app.announce("scr_1.completed");
    const rows = await listed(5);
    expect(rows.map(({ attempt, outcome }) => `${attempt} ${outcome}`)).toEqual([
      "5 dead",
      "4 failed",
      "3 failed",
      "2 failed",
      "1 failed",
    ]);
    expect(await app.pending()).toBe(0);
    await app.announce("scr_2.completed");
    await listed(10);
    expect(receiver.received).toHaveLength(10);
  });

  test.each([404, 410])("ends at once with a %d", async status => {
    app = await startApp();
    await prepared();
    receiver.behave(status);
    await app.announce("scr_1.completed");
    expect(await listed(1)).toMatchObject([{ attempt: 1, outcome: "dead", http_status: status }]);
    expect(await app.pending()).toBe(0);
  });

  test("waits as long as Retry-After asks", async () => {
    app = await startApp();
    await prepared();
    receiver.behave(() =>
      receiver.received.length === 0 ? { status: 503, headers: { "retry-after": "1" } } : 200,
    );
    const began = Date.now();
    await app.announce("scr_1.completed");
    await listed(2);
    expect(Date.now() - began).toBeGreaterThanOrEqual(1000);
  });

  test("of 256 KB or more has its longest texts cut", async () => {
    app = await startApp();
    await prepared();
    const data = {
      markdown: "ä".repeat(300_000),
      html: "<p>".repeat(200_000),
      links: Array.from({ length: 20_000 }, (_, n) => `https://a.test/${n}`),
      metadata: { title: "t".repeat(1000) },
    };
    await app.announce("scr_1.completed", { job: { scrape_id: "scr_1", data } });
    await listed(1);
    const [received] = receiver.received;
    const size = Buffer.byteLength(received?.body ?? "");
    expect([size > 250 * 1024, size < 256 * 1024]).toEqual([true, true]);
    const job = received?.event.data.job as { scrape_id: string; truncated: boolean; data: typeof data };
    expect(job).toMatchObject({ scrape_id: "scr_1", truncated: true, data: { metadata: data.metadata } });
    expect(data.markdown.startsWith(job.data.markdown)).toBe(true);
    expect(data.links.slice(0, job.data.links.length)).toEqual(job.data.links);
    for (const part of [job.data.markdown, job.data.html, job.data.links])
      expect(Buffer.byteLength(JSON.stringify(part))).toBeGreaterThan(80 * 1024);
  });

  test("goes nowhere that is not public, and that is a failure", async () => {
    app = await startApp();
    await prepared();
    await app.announce("scr_1.completed", { url: "http://10.0.0.1/" });
    expect(await listed(5)).toMatchObject(Array.from({ length: 5 }, () => ({ error: "not_allowed" })));
  });
});

describe("the secret that signs", () => {
  const arrives = async (id: string, notice?: Partial<webhook.JobNotice>): Promise<Received | undefined> => {
    const before = receiver.received.length;
    await app.announce(id, notice);
    await until("it arrived", () => receiver.received.length > before);
    return receiver.received.at(-1);
  };
  const isSignedBy = async (id: string, secret: string) => {
    receiver.trust(secret);
    return (await arrives(id))?.verified;
  };

  test("is that of the job once it was issued, and the endpoint's, before and after a rotation", async () => {
    app = await startApp();
    const own = String(await prepared());
    expect(await isSignedBy("1.completed", own)).toBe(true);
    const { data } = await app.call(webhook.registerWebhook, { url: receiver.url });
    expect(await isSignedBy("2.completed", data.secret)).toBe(true);
    expect(await isSignedBy("3.completed", own)).toBe(true);
    const rotated = (await app.call(webhook.changeWebhook, { rotate_secret: true })).data.secret ?? "";
    expect(await isSignedBy("4.completed", rotated)).toBe(true);
    expect(await isSignedBy("5.completed", data.secret)).toBe(true);
    await prepared();
    await app.call(webhook.removeWebhook, {});
    expect(await isSignedBy("6.completed", rotated)).toBe(true);
  });

  test("stays what it was when a monitor gets a webhook, and /webhook is another one", async () => {
    app = await startApp();
    const own = String(await prepared());
    const options = { monitor: "mon_1", url: "https://example.com/monitor", format: "firecrawl" } as const;
    const { id, secret } = await app.call(webhook.createMonitorEndpoint, options);
    expect(await prepared()).toBeUndefined();
    expect(await isSignedBy("1.completed", own)).toBe(true);
    expect(await isSignedBy("2.completed", secret)).toBe(false);
    expect((await app.call(webhook.getWebhook, {})).data).toBeNull();
    const { data } = await app.call(webhook.registerWebhook, { url: receiver.url });
    expect(data.id).not.toBe(id);
    expect(await isSignedBy("3.completed", own)).toBe(true);
    const sent = await arrives("4.completed", { format: "firecrawl" });
    const signature = createHmac("sha256", own)
      .update(sent?.body ?? "")
      .digest("hex");
    expect(sent?.headers["x-firecrawl-signature"]).toBe(`sha256=${signature}`);
    await app.call(webhook.removeMonitorEndpoints, { keyId: app.keyId, monitor: "mon_1" });
    const { data: left } = await app.call(webhook.listWebhooks, {});
    expect(left.map(({ id, monitor }) => ({ id, monitor }))).toEqual([{ id: data.id, monitor: null }]);
  });

  test("is that of the last endpoint when it is gone, whatever was rotated in the one before", async () => {
    app = await startApp();
    const first = (await app.call(webhook.registerWebhook, { url: receiver.url })).data;
    for (const _ of [1, 2]) await app.call(webhook.changeWebhook, { rotate_secret: true });
    await prepared();
    await app.call(webhook.removeWebhook, {});
    expect(await isSignedBy("1.completed", first.secret)).toBe(true);
    const second = (await app.call(webhook.registerWebhook, { url: receiver.url })).data;
    await prepared();
    await app.call(webhook.removeWebhook, {});
    expect(await isSignedBy("2.completed", second.secret)).toBe(true);
  });

  test("goes with its key, and so do the notices that wait", async () => {
    app = await startApp({ backoff: ["10m"] });
    await prepared();
    receiver.behave(500);
    await app.announce("scr_1.completed");
    await listed(1);
    await app.call(deleteKey, { id: app.keyId });
    await until("the notice is gone", async () => (await app.pending()) === 0);
    await app.announce("scr_2.completed");
    await until("the other is gone", async () => (await app.pending()) === 0);
    expect(receiver.received).toHaveLength(1);
    expect(await prepared()).toBeDefined();
  });
});

test("a receiver that does not answer holds up no other key's", async () => {
  app = await startApp();
  await prepared();
  receiver.behave("hang");
  await Promise.all(Array.from({ length: 100 }, (_, n) => app.announce(`scr_${n}.completed`)));
  await until("some hang", () => receiver.received.length >= 8);
  const other = await startReceiver();
  const keyId = await app.newKey();
  await app.call(webhook.prepareJobWebhook, { keyId, url: other.url });
  await app.announce("scr_other.completed", { keyId, url: other.url });
  await until("the other one is served", () => other.taken().length === 1);
  // Those that hang give up in time, and others take their places.
  expect(receiver.busiest()).toBe(8);
  await other.close();
});

test("a burst for one receiver arrives whole, in no more than eight exchanges at a time", async () => {
  app = await startApp();
  await prepared();
  receiver.behave({ status: 200, afterMs: 2 });
  await Promise.all(Array.from({ length: 200 }, (_, n) => app.announce(`scr_${n}.completed`)));
  await until("all arrived", () => receiver.received.length >= 200);
  await until("none waits", async () => (await app.pending()) === 0);
  expect(new Set(receiver.received.map(({ id }) => id)).size).toBe(200);
  expect(receiver.received).toHaveLength(200);
  expect(receiver.busiest()).toBeLessThanOrEqual(8);
});

test("a run whose process died twice, the second time before it queued the next one, is followed by that one", async () => {
  app = await startApp({ backoff: ["5s"] });
  await prepared();
  receiver.behave(({ id }) => (receiver.received.some(earlier => earlier.id === id) ? 200 : 500));
  await app.announce("scr_1.completed");
  await listed(1);
  await app.restart(() => {
    inFile("magpie.db", database =>
      database.exec(`DELETE FROM queue_jobs WHERE id = 'scr_1.completed.2';
        UPDATE queue_jobs SET state = 'active', deaths = 1 WHERE id = 'scr_1.completed.1'`),
    );
  });
  expect((await listed(2)).map(({ attempt, outcome }) => [attempt, outcome])).toEqual([
    [2, "succeeded"],
    [1, "failed"],
  ]);
});

describe("a notice whose run the queue has lost or given up", () => {
  /** Each was sent once, and its second run is due in ten minutes. */
  const waiting = async (...ids: string[]) => {
    app = await startApp({ backoff: ["10m"] });
    await prepared();
    receiver.behave(({ id }) => (receiver.received.some(earlier => earlier.id === id) ? 200 : 500));
    await Promise.all(ids.map(id => app.announce(id)));
    await listed(ids.length);
  };
  const sentTwice = () => {
    const jobs = receiver.taken().map(({ event }) => (event.data.job as { scrape_id: string }).scrape_id);
    return jobs.toSorted();
  };

  test("goes out when it is announced again, unless that was complete", async () => {
    await waiting("lost", "failed", "done");
    await app.restart(() =>
      inFile("magpie.db", database =>
        database.exec(`DELETE FROM queue_jobs WHERE id = 'lost.2';
          UPDATE queue_jobs SET state = 'failed' WHERE id = 'failed.2';
          UPDATE queue_jobs SET state = 'completed' WHERE id = 'done.2'`),
      ),
    );
    // What is due in ten minutes is queued for then.
    inFile("webhooks.db", database =>
      database.exec("UPDATE webhook_notices SET doc = json_set(doc, '$.dueAt', 0)"),
    );
    for (const id of ["lost", "failed", "done"]) await app.announce(id);
    await until("none waits", async () => (await app.pending()) === 0);
    expect(sentTwice()).toEqual(["failed", "lost"]);
  });

  test("goes out by itself some time after it was due", async () => {
    const lost = Array.from({ length: 30 }, (_, n) => `lost_${n + 10}`);
    await waiting("failed", "done", "early", "queued", ...lost);
    await app.restart(() => {
      inFile("magpie.db", database =>
        database.exec(`DELETE FROM queue_jobs WHERE id LIKE 'lost%' OR id LIKE 'early%';
          UPDATE queue_jobs SET state = 'failed' WHERE id LIKE 'failed%';
          UPDATE queue_jobs SET state = 'completed' WHERE id = 'done.2'`),
      );
      inFile("webhooks.db", database =>
        database.exec(
          "UPDATE webhook_notices SET doc = json_set(doc, '$.dueAt', 1) WHERE _id NOT LIKE 'early%'",
        ),
      );
    });
    await until("the others wait", async () => (await app.pending()) === 2);
    expect(sentTwice()).toEqual(["failed", ...lost]);
  });
});

describe("while the store refuses what is written", () => {
  const refused = ["INSERT ON webhook_attempts", "UPDATE ON webhook_notices", "DELETE ON webhook_notices"];
  const refuse = () =>
    inFile("webhooks.db", database => {
      for (const [n, what] of refused.entries())
        database.exec(`CREATE TRIGGER refuse_${n} BEFORE ${what} BEGIN SELECT RAISE(ABORT, 'refused'); END`);
    });
  const permit = () =>
    inFile("webhooks.db", database => {
      for (const n of refused.keys()) database.exec(`DROP TRIGGER refuse_${n}`);
    });
  const failures = () =>
    inFile("magpie.db", database => {
      const [row] = database.prepare("SELECT failures FROM queue_jobs WHERE id = 'scr_1.completed.1'").all();
      return Number(row?.failures);
    });

  test("a notice is sent once, and again when that is over, however often it was tried meanwhile", async () => {
    app = await startApp();
    await prepared();
    refuse();
    await app.announce("scr_1.completed");
    await until("it was tried again", () => failures() >= 2);
    expect(receiver.received).toHaveLength(1);
    await app.restart(() =>
      inFile("magpie.db", database => database.exec("UPDATE queue_jobs SET failures = 100, at = 0")),
    );
    await until("it failed once more", () => failures() > 100);
    expect(receiver.received).toHaveLength(1);
    await app.restart(() => {
      permit();
      inFile("magpie.db", database => database.exec("UPDATE queue_jobs SET at = 0"));
    });
    expect(await listed(1)).toMatchObject([{ attempt: 1, outcome: "succeeded" }]);
    expect(receiver.received.map(({ id }) => id)).toEqual([
      receiver.received[0]?.id,
      receiver.received[0]?.id,
    ]);
    expect(await app.pending()).toBe(0);
  });
});

test("kill -9 loses no notice and ends none of them twice", async () => {
  app = await startApp();
  await app.stop();
  const dataDir = mkdtempSync(join(tmpdir(), "magpie-notices-kill-"));
  // A third of them fail once.
  const isFirst = (id: string) => !receiver.received.some(earlier => earlier.id === id);
  receiver.behave(({ id }) => ({ status: /[0-9A]$/.test(id) && isFirst(id) ? 500 : 200, afterMs: 3 }));
  let child = await start(dataDir);
  const [kills, each] = [6, 60];
  try {
    for (let kill = 0; kill < kills; kill += 1) {
      const before = receiver.received.length;
      await order(
        child,
        Array.from({ length: each }, (_, n) => `scr_${kill}_${n}.completed`),
      );
      await until("some arrived", () => receiver.received.length > before + each / 3);
      await killed(child);
      child = await start(dataDir);
    }
    const taken = () => new Set(receiver.taken().map(({ id }) => id)).size;
    // What a kill found in work is found stalled within 10 s, and then waits its turn.
    await until("all arrived", () => taken() === kills * each);
    // What a kill found in flight is sent again; nothing else is.
    expect(receiver.taken().length).toBeLessThanOrEqual(kills * each + kills * 8);
  } finally {
    await killed(child);
    await removeFolder(dataDir);
    app = await startApp();
  }

  function start(folder: string): Promise<ChildProcess> {
    return startChild(join(import.meta.dirname, "notices.process.ts"), [folder, receiver.url]);
  }
});
