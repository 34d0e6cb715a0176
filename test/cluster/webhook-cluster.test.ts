import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { ServiceBroker } from "moleculer";
import { toConfig } from "../../mixins/config/config.ts";
import { logMixin, type WithLog } from "../../mixins/event-log/event-log.mixin.ts";
import { brokerOptions } from "../../moleculer.config.ts";
import { call } from "../../services/contracts/action.ts";
import { defaultLimits } from "../../services/contracts/caller.ts";
import { createKey } from "../../services/contracts/keys.contract.ts";
import { changeWebhook, registerWebhook } from "../../services/contracts/webhook-dispatcher.contract.ts";
import { keysService } from "../../services/keys/keys.service.ts";
import { someEvents } from "../fakes/memory-log.ts";
import { removeFolder } from "../support/folders.ts";
import { startMongo, withMongo } from "../support/mongo.ts";
import { startNats } from "../support/nats.ts";
import { type Receiver, startReceiver } from "../support/receiver.ts";
import { startRedis } from "../support/redis.ts";
import { until } from "../support/until.ts";

/** So many that none of three nodes is left without one: of twelve, chance left a node none once in 130 runs. */
const lanes = 24;
/** Events that may be on their way: a machine that cannot keep up is given no more. */
const mostUnderWay = 20 * lanes;
/** Longer than a lease lasts without renewal. */
const pausedMs = 14_000;

const mongo = await startMongo();

withMongo(mongo).test(
  "while nodes die or sleep each lane is worked by one node at a time, and all arrives",
  async () => {
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
      await broker.waitForServices("webhook-dispatcher");
      const { overlaps, missing, handedOn } = follow(receiver);
      const keys = await register(broker, receiver);
      writing = write(writer, keys, count => missing(keys, count) < mostUnderWay, stop.signal);
      const nodes = (since = 0) =>
        new Set(receiver.received.slice(since).map(({ headers }) => headers["x-node"]));
      const allAtWork = (count: number, since = 0) =>
        until(`${count} nodes are at work`, () => nodes(since).size === count);
      const soFar = async () => {
        const { latest } = await writer.log.bounds(keys[0] ?? "");
        await until("what there is has arrived", () => missing(keys, latest) === 0, 200_000);
      };
      await allAtWork(2);
      await start("third");
      await allAtWork(3);
      await soFar();
      expect(handedOn()).toBe(0);

      const moved = keys[0] ?? "";
      await call(broker, changeWebhook, { url: `${receiver.url}/${moved}/moved` }, callOf(moved));
      const isMoved = () => receiver.received.some(({ path }) => path === `/${moved}/moved`);
      await until("it goes to the new URL", isMoved);

      first.kill("SIGKILL");
      await soFar();
      second.kill("SIGSTOP");
      await delay(pausedMs);
      await soFar();
      const since = receiver.received.length;
      second.kill("SIGCONT");
      await allAtWork(2, since);
      stop.abort();
      const count = await writing;
      await until("all arrived", () => missing(keys, count) === 0, 200_000);
      expect(repeatedBy(receiver, "second", since)).toEqual([]);
      expect(overlaps).toEqual([]);
      for (const keyId of keys) expectWhole(receiver, keyId);
    } finally {
      stop.abort();
      await writing.catch(() => undefined);
      for (const child of children) child.kill("SIGKILL");
      await broker.stop();
      await Promise.all([nats.stop(), redis.stop(), mongo.stop(), receiver.close()]);
      await removeFolder(dataDir);
    }
  },
);

async function startChild(name: string, env: object): Promise<ChildProcess> {
  const file = join(import.meta.dirname, "./webhook-node.process.ts");
  const child = fork(file, [name, JSON.stringify(env)], { execArgv: ["--no-warnings"] });
  const ended = once(child, "exit").then(() => {
    throw new Error(`${name} ended before it was ready`);
  });
  await Promise.race([once(child, "message"), ended]);
  ended.catch(() => undefined);
  return child;
}

/** Of a key, to a node that may be slow. */
const callOf = (keyId: string) => ({
  meta: { caller: { keyId, owner: "ann", limits: defaultLimits } },
  timeout: 120_000,
});

async function register(broker: ServiceBroker, receiver: Receiver): Promise<string[]> {
  const keys: string[] = [];
  for (let n = 0; n < lanes; n += 1) {
    const { data } = await call(broker, createKey, { owner: "ann", name: `n${n}` });
    await call(broker, registerWebhook, { url: `${receiver.url}/${data.id}` }, callOf(data.id));
    keys.push(data.id);
  }
  return keys;
}

/** One event for all keys, again and again, whenever there is room for it; tells how many. */
async function write(
  { log }: WithLog,
  keyIds: string[],
  hasRoom: (count: number) => boolean,
  signal: AbortSignal,
): Promise<number> {
  let count = 0;
  while (!signal.aborted) {
    await delay(100);
    if (!hasRoom(count)) continue;
    const [event] = someEvents("all", count + 1, 1);
    if (event) await log.append([{ ...event, timestamp: new Date().toISOString(), keyIds }]);
    count += 1;
  }
  return count;
}

const laneOf = (path: string) => path.split("/")[1] ?? "";

/** What arrives, and from whom. */
interface Followed {
  /** Lanes to which two nodes had attempts under way at a time. */
  overlaps: string[];
  /** Events up to a number that have not arrived. */
  missing(keys: string[], count: number): number;
  /** Events that came from more than one node; one node sends again what it has no answer to in time. */
  handedOn(): number;
}

function follow(receiver: Receiver): Followed {
  const underWay = new Map<string, string[]>();
  const arrived = new Map<string, Set<number>>();
  const senders = new Map<string, Set<string>>();
  const overlaps: string[] = [];
  receiver.behave(({ id, path, headers, event }) => {
    const [lane, node] = [laneOf(path), String(headers["x-node"])];
    arrived.set(lane, (arrived.get(lane) ?? new Set()).add(event.seq));
    senders.set(id, (senders.get(id) ?? new Set()).add(node));
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
  const arrivedOf = (keyId: string, count: number) =>
    [...(arrived.get(keyId) ?? [])].filter(seq => seq <= count).length;
  return {
    overlaps,
    missing: (keys, count) => keys.reduce((left, keyId) => left + count - arrivedOf(keyId, count), 0),
    handedOn: () => [...senders.values()].filter(({ size }) => size > 1).length,
  };
}

/** Ids of events that a node sent after so many deliveries, although they had arrived by then. */
function repeatedBy({ received }: Receiver, node: string, since: number): string[] {
  const before = new Set(received.slice(0, since).map(({ id }) => id));
  const sent = received.slice(since).filter(({ headers }) => headers["x-node"] === node);
  return sent.flatMap(({ id }) => (before.has(id) ? [id] : []));
}

function seqsOf(receiver: Receiver, keyId: string): number[] {
  return receiver.received.filter(({ path }) => laneOf(path) === keyId).map(({ event }) => event.seq);
}

/** No lane skips an event: every number up to the last is there. */
function expectWhole(receiver: Receiver, keyId: string): void {
  const seqs = [...new Set(seqsOf(receiver, keyId))].toSorted((a, b) => a - b);
  expect(seqs).toEqual(seqs.map((_, at) => at + 1));
}
