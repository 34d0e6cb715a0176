import { toConfig } from "../../mixins/config/config.ts";
import { logMixin, type WithLog } from "../../mixins/event-log/event-log.mixin.ts";
import type { EventLog, NewEvent } from "../../mixins/event-log/event-log.ts";
import { keysService } from "../../services/keys/keys.service.ts";
import type { WebhookContext } from "../../services/webhook-dispatcher/context.ts";
import { rowsOf } from "../../services/webhook-dispatcher/journal/attempt-rows.ts";
import { webhookDispatcherService } from "../../services/webhook-dispatcher/webhook-dispatcher.service.ts";
import type { Attempted, StoredAttempts } from "../../services/webhook-dispatcher/webhooks.store.ts";
import { type Magpie, startMagpie } from "../support/magpie.ts";
import { type Receiver, startReceiver } from "../support/receiver.ts";
import { until } from "../support/until.ts";

interface Attempt {
  id: string;
  event_id: string;
  seq: number | null;
  url: string | null;
  attempt: number;
  outcome: string;
  http_status: number | null;
}
interface Page<Row> {
  data: Row[];
  next_cursor: string | null;
}

let magpie: Magpie;
let receiver: Receiver;
let log: EventLog;

beforeEach(async () => {
  receiver = await startReceiver();
  const { egressAllow, webhooks } = toConfig({
    EGRESS_ALLOW: "127.0.0.1/32",
    WEBHOOK_ALLOW_HTTP: "true",
    WEBHOOK_BACKOFF: "20ms,20ms,20ms,20ms",
  });
  magpie = await startMagpie({ egressAllow, webhooks }, config => [
    keysService(config),
    webhookDispatcherService(config),
    { name: "writer", mixins: [logMixin(config)] },
  ]);
  log = (magpie.broker.getLocalService("writer") as unknown as WithLog).log;
});
afterEach(async () => {
  await magpie.stop();
  await receiver.close();
});

const bootstrapKey = async () =>
  (await magpie.request("GET", "/internal/keys", { admin: true })).json<{ data: { id: string }[] }>().data[0]
    ?.id ?? "";

async function otherKey(): Promise<string> {
  const reply = await magpie.request("POST", "/internal/keys", {
    admin: true,
    body: { owner: "bob", name: "n" },
  });
  return reply.json<{ data: { key: string } }>().data.key;
}

async function register(body: object = {}): Promise<string> {
  const url = `${receiver.url}/hook?token=secret`;
  const reply = await magpie.request("POST", "/webhook", { body: { url, ...body } });
  receiver.trust(reply.json<{ data: { secret: string } }>().data.secret);
  return url;
}

async function append(number: number): Promise<void> {
  const event: NewEvent = {
    bodyId: `body-${number}`,
    type: "rss.item.created",
    timestamp: new Date().toISOString(),
    data: { source: null, item: { number } },
    keyIds: [await bootstrapKey()],
  };
  await log.append([event]);
}

async function attempts(query = ""): Promise<Attempt[]> {
  return (await magpie.request("GET", `/webhook/deliveries?${query}`)).json<Page<Attempt>>().data;
}

const webhooks = async () => (await magpie.request("GET", "/webhooks")).json<Page<object>>();

/** One event that arrived and one that the receiver refused until it was dead; the receiver takes everything now. */
async function oneDead(): Promise<Attempt> {
  receiver.behave(({ event }) => (event.seq === 2 ? 422 : 200));
  await append(1);
  await until("the first has arrived", () => receiver.taken().length === 1);
  await append(2);
  await until("the second is dead", async () => (await attempts("status=dead")).length === 1);
  receiver.behave(200);
  return (await attempts("status=dead"))[0] as Attempt;
}

test("the webhooks of a key are none, or one with its progress", async () => {
  expect(await webhooks()).toMatchObject({ data: [], next_cursor: null });
  const url = await register({ name: "mine", batch: { max_events: 5, max_wait_ms: 0 } });
  const same = {
    id: expect.any(String),
    name: "mine",
    url,
    ordering: "conversation",
    batch: { max_events: 5, max_wait_ms: 0 },
    ...{ enabled: true, event_types: null, sources: null, tags: null, meaningful: false, headers: {} },
    ...{ format: "standard", template: null, metadata: null, digest: null, monitor: null },
    ...{ asymmetric: false, public_keys: [], timeout_ms: 5000, destination: null, client_certificate: null },
    ...{ filter: null, filter_problem: null, transform: null, rate: null },
    ...{ fallback: null, falls_back: false },
  };
  const well = { status: "ACTIVE", waiting: 0, failures: 0, next_attempt_at: null, held: null };
  expect((await webhooks()).data).toEqual([{ ...same, ...well }]);
  receiver.behave(410);
  await append(1);
  const failed = { status: "FAILED", waiting: 1, failures: 1, next_attempt_at: null, held: null };
  await until("it has failed", async () => JSON.stringify(await webhooks()).includes("FAILED"));
  expect((await webhooks()).data).toEqual([{ ...same, ...failed }]);
});

test("an endpoint that is well again has no next attempt", async () => {
  await register();
  await oneDead();
  await append(3);
  await until("the third has arrived", () => receiver.taken().some(({ event }) => event.seq === 3));
  const state = { failures: 0, waiting: 0, next_attempt_at: null };
  await until("all are done", async () => {
    const { data } = (await webhooks()) as Page<typeof state>;
    return data[0]?.waiting === 0 && data[0].failures === 0;
  });
  expect((await webhooks()).data).toMatchObject([state]);
});

test("an attempt is shown with what was sent, to its own key", async () => {
  const url = await register({ batch: { max_events: 5, max_wait_ms: 0 } });
  await append(1);
  await until("it is listed", async () => (await attempts()).length === 1);
  const [listed] = await attempts();
  const shown = await magpie.request("GET", `/webhook/deliveries/${listed?.id}`);
  const [sent] = (JSON.parse(receiver.received[0]?.body ?? "") as { events: object[] }).events;
  expect(shown.json<{ data: object }>().data).toEqual({ ...listed, seq: 1, url, body: sent });
  const others = await magpie.request("GET", `/webhook/deliveries/${listed?.id}`, { key: await otherKey() });
  expect([others.status, others.json().code]).toEqual([404, "not_found"]);
});

test("attempts that were written together are listed, shown and retried one by one", async () => {
  await register({ batch: { max_events: 5, max_wait_ms: 60_000 } });
  const keyIds = [await bootstrapKey()];
  const timestamp = new Date().toISOString();
  const event = (n: number): NewEvent => ({
    ...{ bodyId: `body-${n}`, type: "rss.item.created", timestamp, keyIds },
    data: { source: null, item: { number: n } },
  });
  await log.append([1, 2, 3, 4, 5].map(event));
  await until("all are listed", async () => (await attempts()).length === 5);
  const listed = await attempts();
  expect(listed.map(({ seq }) => seq)).toEqual([5, 4, 3, 2, 1]);
  const first = (await magpie.request("GET", "/webhook/deliveries?limit=2")).json<Page<Attempt>>();
  expect([...first.data, ...(await attempts(`cursor=${first.next_cursor}`))]).toEqual(listed);
  const third = listed[2] as Attempt;
  const shown = await magpie.request("GET", `/webhook/deliveries/${third.id}`);
  expect(shown.json()).toMatchObject({ data: { ...third, body: { id: third.event_id, seq: 3 } } });
  const reply = await magpie.request("POST", `/webhook/deliveries/${third.id}/retry`);
  expect(reply.json()).toMatchObject({ data: { event_id: third.event_id, outcome: "succeeded" } });
  expect((await attempts(`event_id=${third.event_id}`)).map(({ attempt }) => attempt)).toEqual([2, 1]);
  expect((await attempts()).map(({ seq }) => seq)).toEqual([3, 5, 4, 3, 2, 1]);
});

test("a retry by hand sends a dead event once more, and then it is dead no longer", async () => {
  await register();
  const dead = await oneDead();
  const before = await webhooks();
  const sent = receiver.received.length;
  const reply = await magpie.request("POST", `/webhook/deliveries/${dead.id}/retry`);
  expect([reply.status, reply.json().data]).toEqual([
    202,
    { event_id: dead.event_id, delivery_id: expect.any(String), outcome: "succeeded" },
  ]);
  expect(receiver.received.slice(sent)).toMatchObject([
    { id: dead.event_id, verified: true, body: receiver.received[1]?.body },
  ]);
  const [newest, ...former] = await attempts(`event_id=${dead.event_id}`);
  expect(newest).toMatchObject({ seq: 2, outcome: "succeeded", attempt: dead.attempt + 1 });
  expect(former.map(({ outcome }) => outcome)).toEqual(Array(dead.attempt).fill("failed"));
  expect(await attempts("status=dead")).toEqual([]);
  expect(await webhooks()).toEqual(before);
  await append(3);
  await until("the next one arrives", () => receiver.received.at(-1)?.event.seq === 3);
});

test("a retry by hand knows its event among any number of others of the same minutes", async () => {
  await register();
  const dead = await oneDead();
  const { context } = magpie.broker.getLocalService("webhook-dispatcher") as unknown as {
    context: Pick<WebhookContext, "deliveries">;
  };
  const [row] = await context.deliveries.find({ query: { failedAs: "dead" } });
  const { events: _, each: _each, at: startedAt, failedAs: _failed, ...common } = row as StoredAttempts;
  const others = Array.from({ length: 30_000 }, (_, n): Attempted => {
    const event_id = dead.event_id.slice(0, 14) + String(n).padStart(dead.event_id.length - 14, "0");
    return { ...common, event_id, seq: n, outcome: "succeeded", duration_ms: 1, startedAt };
  });
  await context.deliveries.insertMany(rowsOf(others, Date.now()));
  const reply = await magpie.request("POST", `/webhook/deliveries/${dead.id}/retry`);
  const { delivery_id } = reply.json<{ data: { delivery_id: string } }>().data;
  const shown = await magpie.request("GET", `/webhook/deliveries/${delivery_id}`);
  expect(shown.json()).toMatchObject({ data: { attempt: dead.attempt + 1, outcome: "succeeded" } });
  expect(await attempts("status=dead")).toEqual([]);
});

test("a retry that fails leaves the event dead", async () => {
  await register();
  const dead = await oneDead();
  receiver.behave(500);
  const reply = await magpie.request("POST", `/webhook/deliveries/${dead.id}/retry`);
  expect(reply.json()).toMatchObject({ data: { outcome: "failed" }, message: "The receiver answered 500." });
  expect((await attempts("status=dead")).map(({ id }) => id)).toEqual([dead.id]);
  expect((await attempts("limit=1"))[0]).toMatchObject({ event_id: dead.event_id, outcome: "failed" });
});

test("a FAILED webhook can be tried with one event, which changes nothing of its lane", async () => {
  await register({ batch: { max_events: 5, max_wait_ms: 0 } });
  receiver.behave(410);
  await append(1);
  await until("it has failed", async () => JSON.stringify(await webhooks()).includes("FAILED"));
  const before = await webhooks();
  receiver.behave(200);
  const [attempt] = await attempts();
  const reply = await magpie.request("POST", `/webhook/deliveries/${attempt?.id}/retry`);
  expect(reply.json<{ message: string }>().message).toContain("still FAILED");
  expect(receiver.taken()).toMatchObject([
    { id: receiver.received[0]?.id, body: receiver.received[0]?.body },
  ]);
  expect(await webhooks()).toEqual(before);
  // The lane sends what it kept when its owner makes it active.
  await magpie.request("PATCH", "/webhook", { body: {} });
  await until("the lane continues", () => receiver.taken().length === 2);
});

test("an event that is no longer kept has no body and no retry", async () => {
  await register();
  await append(1);
  await until("it is listed", async () => (await attempts()).length === 1);
  await log.drop(await bootstrapKey());
  const [{ id } = { id: "" }] = await attempts();
  const shown = await magpie.request("GET", `/webhook/deliveries/${id}`);
  expect(shown.json()).toMatchObject({ data: { id, body: null } });
  const reply = await magpie.request("POST", `/webhook/deliveries/${id}/retry`);
  expect([reply.status, reply.json().code]).toEqual([410, "expired"]);
  // Another event has its position now.
  await append(2);
  await until("the log has grown", async () => (await log.bounds(await bootstrapKey())).latest === 1);
  expect((await magpie.request("POST", `/webhook/deliveries/${id}/retry`)).status).toBe(410);
});

test("nothing is retried for another key, without a webhook, or of an unknown attempt", async () => {
  await register();
  const { id } = await oneDead();
  const sent = receiver.received.length;
  const retry = (key?: string, of = id) =>
    magpie.request("POST", `/webhook/deliveries/${of}/retry`, key ? { key } : {});
  expect([(await retry(await otherKey())).status, (await retry(undefined, "nothing")).status]).toEqual([
    404, 404,
  ]);
  await magpie.request("DELETE", "/webhook");
  expect((await retry()).json<{ message: string }>().message).toContain("No webhook is registered");
  expect(receiver.received.length).toBe(sent);
});

test("an administrator lists the attempts of all keys, newest first, a page at a time", async () => {
  await register();
  const dead = await oneDead();
  const list = async (query: string) =>
    (await magpie.request("GET", `/internal/deliveries?${query}`, { admin: true })).json<
      Page<Attempt & { key_id: string }>
    >();
  const all = await list("limit=200");
  const key_id = await bootstrapKey();
  expect(all.data).toEqual((await attempts("limit=100")).map(attempt => ({ ...attempt, key_id })));
  expect((await list("status=dead")).data).toEqual([{ ...dead, key_id }]);
  const first = await list("limit=2");
  const second = await list(`limit=200&cursor=${first.next_cursor}`);
  expect([...first.data, ...second.data]).toEqual(all.data);
  expect((await list(`key_id=${key_id}&status=succeeded`)).data.map(({ seq }) => seq)).toEqual([1]);
  expect((await list("key_id=another")).data).toEqual([]);
  expect((await magpie.request("GET", "/internal/deliveries")).status).toBe(401);
  const wrong = await magpie.request("GET", "/internal/deliveries?status=lost", { admin: true });
  expect(wrong.json()).toMatchObject({ code: "validation_failed", details: [{ field: "status" }] });
});
