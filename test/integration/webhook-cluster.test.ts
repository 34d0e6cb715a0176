import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { ServiceBroker } from "moleculer";
import { toConfig } from "../../mixins/config/config.ts";
import { logMixin, type WithLog } from "../../mixins/log/log.mixin.ts";
import { brokerOptions } from "../../moleculer.config.ts";
import { call } from "../../services/contracts/action.ts";
import { defaultLimits } from "../../services/contracts/caller.ts";
import { createKey } from "../../services/contracts/keys.contract.ts";
import { changeWebhook, registerWebhook } from "../../services/contracts/webhook.contract.ts";
import { keysService } from "../../services/keys/keys.service.ts";
import { someEvents } from "../fakes/memory-log.ts";
import { startMongo } from "../support/mongo.ts";
import { startNats } from "../support/nats.ts";
import { type Receiver, startReceiver } from "../support/receiver.ts";
import { startRedis } from "../support/redis.ts";
import { until } from "../support/until.ts";

const lanes = 12;
const patienceMs = 60_000;
/** Longer than a lease lasts without renewal. */
const pausedMs = 14_000;

test("whoever dies or sleeps, each lane is worked by one node at a time, and all arrives", async () => {
  const mongo = await startMongo();
  if (!mongo) return;
  const [nats, redis, receiver] = await Promise.all([startNats(), startRedis(), startReceiver()]);
  const dataDir = mkdtempSync(join(tmpdir(), "magpie-webhook-cluster-"));
  const env = {
    NATS_URL: nats.url,
    REDIS_URL: redis.url,
    MONGO_URL: mongo.url,
    DATA_DIR: dataDir,
    HEALTH_PORT: "0",
    ADMIN_KEY: "the-admin-key-of-the-tests",
    MASTER_SECRET: "the-master-secret-of-the-tests-32",
    KEYS_PER_OWNER: String(lanes + 1),
    EGRESS_ALLOW: "127.0.0.1/32",
    WEBHOOK_ALLOW_HTTP: "true",
    WEBHOOK_BACKOFF: "200ms,200ms,200ms,200ms",
  };
  const children: ChildProcess[] = [];
  const start = async (name: string) => {
    const child = await startChild(name, env);
    children.push(child);
    return child;
  };
  const config = toConfig(env);
  const broker = new ServiceBroker({
    ...brokerOptions(config),
    logger: false,
    skipProcessEventRegistration: true,
  });
  broker.createService(keysService(config));
  const writer = broker.createService({ name: "writer", mixins: [logMixin(config)] }) as unknown as WithLog;
  const stop = new AbortController();
  let writing = Promise.resolve(0);
  try {
    await broker.start();
    const [first, second] = [await start("first"), await start("second")];
    await broker.waitForServices("webhook", patienceMs);
    const overlaps = noteOverlaps(receiver);
    const keys = await register(broker, receiver);
    writing = write(writer, keys, stop.signal);
    const nodes = (since = 0) =>
      new Set(receiver.received.slice(since).map(({ headers }) => headers["x-node"]));
    const allAtWork = (count: number, since = 0) =>
      until(`${count} nodes are at work`, () => nodes(since).size === count, patienceMs);
    const soFar = async () => {
      const { latest } = await writer.log.bounds(keys[0] ?? "");
      await until("what there is has arrived", () => missing(receiver, keys, latest) === 0, patienceMs);
    };
    await allAtWork(2);
    await start("third");
    await allAtWork(3);
    await soFar();
    expect(duplicates(receiver)).toBe(0);

    const moved = keys[0] ?? "";
    await call(broker, changeWebhook, { url: `${receiver.url}/${moved}/moved` }, { meta: metaOf(moved) });
    const isMoved = () => receiver.received.some(({ path }) => path === `/${moved}/moved`);
    await until("it goes to the new URL", isMoved, patienceMs);

    first.kill("SIGKILL");
    await soFar();
    second.kill("SIGSTOP");
    await delay(pausedMs);
    await soFar();
    const before = duplicates(receiver);
    const since = receiver.received.length;
    second.kill("SIGCONT");
    await allAtWork(2, since);
    stop.abort();
    const count = await writing;
    await until("all arrived", () => missing(receiver, keys, count) === 0, patienceMs);
    expect(duplicates(receiver)).toBe(before);
    expect(overlaps).toEqual([]);
    for (const keyId of keys) expectWhole(receiver, keyId);
  } finally {
    stop.abort();
    await writing.catch(() => undefined);
    for (const child of children) child.kill("SIGKILL");
    await broker.stop();
    await Promise.all([nats.stop(), redis.stop(), mongo.stop(), receiver.close()]);
    rmSync(dataDir, { recursive: true });
  }
}, 300_000);

async function startChild(name: string, env: object): Promise<ChildProcess> {
  const file = join(import.meta.dirname, "webhook-node.process.ts");
  const child = fork(file, [name, JSON.stringify(env)], { execArgv: ["--no-warnings"] });
  const ended = once(child, "exit").then(() => {
    throw new Error(`${name} ended before it was ready`);
  });
  await Promise.race([once(child, "message"), ended]);
  ended.catch(() => undefined);
  return child;
}

const metaOf = (keyId: string) => ({ caller: { keyId, owner: "ann", limits: defaultLimits } });

async function register(broker: ServiceBroker, receiver: Receiver): Promise<string[]> {
  const keys: string[] = [];
  for (let n = 0; n < lanes; n += 1) {
    const { data } = await call(broker, createKey, { owner: "ann", name: `n${n}` });
    const meta = metaOf(data.id);
    await call(broker, registerWebhook, { url: `${receiver.url}/${data.id}` }, { meta });
    keys.push(data.id);
  }
  return keys;
}

/** One event for all keys, again and again; tells how many. */
async function write({ log }: WithLog, keyIds: string[], signal: AbortSignal): Promise<number> {
  let count = 0;
  for (; !signal.aborted; count += 1) {
    const [event] = someEvents("all", count + 1, 1);
    if (event) await log.append([{ ...event, timestamp: new Date().toISOString(), keyIds }]);
    await delay(100);
  }
  return count;
}

const laneOf = (path: string) => path.split("/")[1] ?? "";

/** Notes lanes to which two nodes have attempts under way at a time. */
function noteOverlaps(receiver: Receiver): string[] {
  const underWay = new Map<string, string[]>();
  const overlaps: string[] = [];
  receiver.behave(({ path, headers }) => {
    const [lane, node] = [laneOf(path), String(headers["x-node"])];
    const others = underWay.get(lane) ?? [];
    if (others.some(other => other !== node)) overlaps.push(`${lane}: ${[...others, node]}`);
    const afterMs = 20 + Math.random() * 100;
    underWay.set(lane, [...others, node]);
    setTimeout(() => {
      const left = underWay.get(lane) ?? [];
      underWay.set(lane, left.toSpliced(left.indexOf(node), 1));
    }, afterMs);
    return { status: 200, afterMs };
  });
  return overlaps;
}

function seqsOf(receiver: Receiver, keyId: string): number[] {
  return receiver.received.filter(({ path }) => laneOf(path) === keyId).map(({ event }) => event.seq);
}

function missing(receiver: Receiver, keys: string[], count: number): number {
  const arrived = keys.map(keyId => seqsOf(receiver, keyId).filter(seq => seq <= count));
  return arrived.reduce((left, seqs) => left + count - new Set(seqs).size, 0);
}

function duplicates(receiver: Receiver): number {
  return receiver.received.length - new Set(receiver.received.map(({ id }) => id)).size;
}

/** No lane skips an event: every number up to the last is there. */
function expectWhole(receiver: Receiver, keyId: string): void {
  const seqs = [...new Set(seqsOf(receiver, keyId))].toSorted((a, b) => a - b);
  expect(seqs).toEqual(seqs.map((_, at) => at + 1));
}
