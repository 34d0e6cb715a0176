import { toConfig } from "../../mixins/config/config.ts";
import { logMixin, type WithLog } from "../../mixins/event-log/event-log.mixin.ts";
import { keysService } from "../../services/keys/keys.service.ts";
import { webhookDispatcherService } from "../../services/webhook-dispatcher/webhook-dispatcher.service.ts";
import { type Magpie, startMagpie } from "../support/magpie.ts";
import { type Receiver, startReceiver } from "../support/receiver.ts";
import { until } from "../support/until.ts";

interface Overview {
  ready: boolean;
  parts: { name: string; status: string; problem: string | null }[];
  counts: Record<string, number | null>;
  rates: { from: string; step_s: number; series: Record<string, number[]> };
  nodes: { id: string; services: string[]; answered: boolean }[];
}

let magpie: Magpie;
let receiver: Receiver;
let isBroken = false;

beforeEach(async () => {
  receiver = await startReceiver();
  isBroken = false;
  const { egressAllow, webhooks } = toConfig({
    EGRESS_ALLOW: "127.0.0.1/32",
    WEBHOOK_ALLOW_HTTP: "true",
    WEBHOOK_BACKOFF: "1h",
  });
  const findings = () => [
    { name: "tap", status: isBroken ? "degraded" : "ok", detail: "The tap drips. Close it." },
  ];
  magpie = await startMagpie({ egressAllow, webhooks }, config => [
    keysService(config),
    webhookDispatcherService(config),
    { name: "writer", mixins: [logMixin(config)] },
    { name: "tub", actions: { health: () => ({ findings: findings() }) } },
  ]);
});
afterEach(async () => {
  await magpie.stop();
  await receiver.close();
});

async function overview(): Promise<Overview> {
  const reply = await magpie.request("GET", "/internal/overview", { admin: true });
  expect(reply.status).toBe(200);
  return reply.json<{ data: Overview }>().data;
}

/** All minutes together: a test may run over the end of one. */
const sum = ({ rates }: Overview, name: string) => rates.series[name]?.reduce((all, each) => all + each, 0);

async function append(count: number): Promise<void> {
  const keys = await magpie.request("GET", "/internal/keys", { admin: true });
  const [key] = keys.json<{ data: { id: string }[] }>().data;
  const { log } = magpie.broker.getLocalService("writer") as unknown as WithLog;
  const timestamp = new Date().toISOString();
  await log.append(
    Array.from({ length: count }, (_, at) => ({
      bodyId: `body-${at}`,
      type: "rss.item.created" as const,
      timestamp,
      data: { source: null },
      keyIds: [key?.id ?? ""],
    })),
  );
}

test("it counts what is stored, and what happened and waits", async () => {
  const before = await overview();
  expect(before.counts).toEqual({
    keys: 1,
    sources: null,
    sources_failing: null,
    endpoints: 0,
    endpoints_failed: 0,
    events_waiting: 0,
    scrapes_running: 0,
    scrapes_waiting: null,
    crawls_running: null,
  });
  expect(before.rates.step_s).toBe(60);
  await magpie.request("POST", "/webhook", { body: { url: `${receiver.url}/hook` } });
  await magpie.request("GET", "/webhook");
  receiver.behave(({ event }) => (event.seq === 1 ? 200 : 500));
  await append(1);
  await until("it has arrived", async () => sum(await overview(), "delivered") === 1);
  await append(3);
  // The first of them is in the log already.
  await until("they fail", async () => (sum(await overview(), "failed") ?? 0) > 0);
  const after = await overview();
  expect(after.counts).toMatchObject({ endpoints: 1, endpoints_failed: 0, events_waiting: 2 });
  // The requests of an administrator are no key's.
  expect(["requests", "events", "polls", "scrapes"].map(name => sum(after, name))).toEqual([2, 3, 0, 0]);
  expect(Object.values(after.rates.series).map(({ length }) => length)).toEqual([60, 60, 60, 60, 60, 60]);
});

test("it says which parts are not well and which nodes answered", async () => {
  isBroken = true;
  const { ready, parts, nodes } = await overview();
  // The tracker, the scraper and others do not run here.
  expect(ready).toBe(false);
  expect(parts).toContainEqual({ name: "keys", status: "ready", problem: null });
  expect(parts).toContainEqual({ name: "tub", status: "degraded", problem: "The tap drips. Close it." });
  expect(parts.find(({ name }) => name === "tracker")).toMatchObject({ status: "unavailable" });
  expect(nodes).toEqual([
    { id: magpie.broker.nodeID, services: expect.arrayContaining(["api", "keys", "tub"]), answered: true },
  ]);
});

test("only an administrator sees it", async () => {
  expect((await magpie.request("GET", "/internal/overview")).status).toBe(401);
  expect((await magpie.request("GET", "/internal/overview", { key: null })).status).toBe(401);
});
