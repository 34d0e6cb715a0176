import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Service, ServiceBroker } from "moleculer";
import type { WithLeases } from "../../mixins/coordination/leases/lease.mixin.ts";
import type { Leases } from "../../mixins/coordination/leases/lease.ts";
import type { WithLog } from "../../mixins/event-log/event-log.mixin.ts";
import { call } from "../../services/contracts/action.ts";
import { defaultLimits } from "../../services/contracts/caller.ts";
import { keyDeleted } from "../../services/contracts/events.ts";
import { pollSourceNow } from "../../services/contracts/source-lists.contract.ts";
import { track } from "../../services/contracts/tracker.contract.ts";
import type { TrackerContext } from "../../services/tracker/context.ts";
import { reapDeadSessions } from "../../services/tracker/maintenance/dead-sessions.ts";
import { WorkerSession } from "../../services/tracker/maintenance/worker-session.ts";
import { leaseDueSources } from "../../services/tracker/polling/due-sources.ts";
import { trackerService } from "../../services/tracker/tracker.service.ts";
import { Upstream, upstreamService } from "../fakes/upstream.ts";
import { removeFolder } from "../support/folders.ts";
import { pollOne } from "../support/poll-one.ts";
import { retention } from "../support/retention.ts";
import { until } from "../support/until.ts";

type Tracker = Service & WithLog & WithLeases & { context: TrackerContext };

const hour = 3_600_000;
const feed = (n: number) => `https://host-${n}.example/feed`;

let dataDir: string;
let upstream: Upstream;
let brokers: ServiceBroker[];
let trackers: Tracker[];

/** Two trackers on one store. */
beforeEach(async () => {
  dataDir = mkdtempSync(join(tmpdir(), "magpie-tracker-nodes-"));
  upstream = new Upstream();
  upstream.nextInMs = hour;
  brokers = [new ServiceBroker({ logger: false }), new ServiceBroker({ logger: false })];
  trackers = brokers.map(broker => {
    broker.createService(upstreamService(upstream));
    return broker.createService(trackerService({ dataDir, pollMinIntervalMs: 50, ...retention })) as Tracker;
  });
  await Promise.all(brokers.map(broker => broker.start()));
});
afterEach(async () => {
  await Promise.all(brokers.map(broker => broker.stop()));
  await removeFolder(dataDir);
});

/** Tracks through one of the nodes or the other. */
async function begin(keyId: string, n: number): Promise<void> {
  const [broker] = n % 2 ? brokers : brokers.toReversed();
  const meta = { caller: { keyId, owner: "ann", limits: defaultLimits } };
  if (broker) await call(broker, track, { source: "rss", sid: feed(n) }, { meta });
}

function node(at: number): Tracker {
  const tracker = trackers[at];
  if (!tracker) throw new Error(`There is no tracker ${at}`);
  return tracker;
}

test("every source is polled once when it is due, and every post told once", async () => {
  const sources = 150;
  const resolve = upstream.resolve.bind(upstream);
  // After it began to be tracked a source may be polled at any moment.
  upstream.resolve = (kind, sid) => {
    const source = resolve(kind, sid);
    upstream.publish(sid);
    return source;
  };
  for (let n = 0; n < sources; n += 1) await begin("k1", n);
  await until("all are told", async () => (await node(0).log.bounds("k1")).latest === sources);
  expect(new Set(upstream.polled).size).toBe(sources);
  expect(upstream.polled.length).toBe(sources);
  await node(0).context.sources.updateMany({}, { $set: { dueAt: Date.now() } });
  await until("all are polled again", () => upstream.polled.length >= 2 * sources);
  await until(
    "all are free",
    async () => (await node(0).context.sources.count({ lease: { $gt: "" } })) === 0,
  );
  expect(upstream.polled.length).toBe(2 * sources);
  expect((await node(0).log.bounds("k1")).latest).toBe(sources);
});

test("a source that both nodes are asked to poll now is polled once", async () => {
  await begin("k1", 1);
  const [source] = await node(0).context.sources.find({ limit: 1 });
  const id = source?._id ?? "";
  await until("it is free", async () => {
    const [free] = await node(0).context.sources.find({ limit: 1 });
    return free?.lease === undefined && (free?.dueAt ?? 0) > Date.now() + hour / 2;
  });
  const polled = upstream.polled.length;
  await node(0).context.sources.update(id, { $set: { polledAt: 0 } });
  const asked = await Promise.all(brokers.map(broker => call(broker, pollSourceNow, { id })));
  expect(asked.map(({ data }) => Date.parse(data.due_at) <= Date.now())).toEqual([true, true]);
  await until("it is polled", async () => ((await node(0).context.sources.findById(id))?.polledAt ?? 0) > 0);
  expect(upstream.polled.length).toBe(polled + 1);
  await expect(call(node(1).broker, pollSourceNow, { id })).rejects.toMatchObject({ type: "rate_limited" });
});

test("many keys that begin with one source at once, here and there, track one source", async () => {
  await Promise.all(
    Array.from({ length: 20 }, (_, n) => begin(`k${n}`, n < 10 ? 1 : 2).then(() => begin(`k${n}`, 3))),
  );
  const { context } = node(0);
  expect([await context.sources.count(), await context.subscriptions.count()]).toEqual([3, 40]);
});

test("a key that is deleted is forgotten once, whoever hears of it", async () => {
  for (let n = 0; n < 30; n += 1) await begin("k1", n);
  await begin("k2", 1);
  await Promise.all(brokers.map(broker => broker.broadcast(keyDeleted.name, { keyId: "k1" })));
  await until("it is forgotten", async () => (await node(0).context.tallies.count()) === 1);
  expect(await node(1).context.sources.count()).toBe(1);
});

test("a node that stops leaves its sources free at once; one that is gone has no bearer left", async () => {
  await begin("k1", 1);
  const { context } = node(1);
  expect(await context.workerSessions.count()).toBe(2);
  await brokers.shift()?.stop();
  expect(await context.workerSessions.count()).toBe(1);
  await context.sources.updateMany({}, { $set: { dueAt: Date.now() } });
  const { length } = upstream.polled;
  await until("the other polls on", () => upstream.polled.length > length);
});

test("one that was stopped for long and wakes neither polls nor tells what it has read", async () => {
  const { context, leases } = node(0);
  await begin("k1", 1);
  await until("it is polled", () => upstream.polled.length === 1);
  const paused = { isHeld: true };
  const sleeper = new WorkerSession(context.workerSessions, pausing(leases, paused));
  await sleeper.start();
  const asleep = { ...context, leaseTokens: sleeper };
  upstream.publish(feed(1));
  // Far from now for the nodes that run, which are to leave it to the test.
  const later = () => Date.now() + 2 * hour;
  const [first] = await leaseDueSources({ ...asleep, now: later }, 1);
  if (!first) throw new Error("Nothing was due");
  paused.isHeld = false;
  expect(await pollOne(asleep, first)).toBe("lost");
  expect(upstream.polled.length).toBe(1);
  expect([await leaseDueSources({ ...asleep, now: later }, 1), sleeper.isGood(first.lease)]).toEqual([
    [],
    false,
  ]);

  paused.isHeld = true;
  const look: TrackerContext["pollConnector"] = async (source, state) => {
    const read = upstream.poll(source.externalId, state);
    await reapDeadSessions(context, awake);
    return read;
  };
  const awake = new WorkerSession(context.workerSessions, { take: name => leases.take(`other of ${name}`) });
  expect(await pollOne({ ...asleep, pollConnector: look }, first)).toBe("ok");
  expect((await node(0).log.bounds("k1")).latest).toBe(0);
  await until("whoever has it now tells it", async () => (await node(1).log.bounds("k1")).latest === 1);
});

/** Leases of a process that may be stopped: it finds out when it wakes. */
function pausing({ take }: Pick<Leases, "take">, paused: { isHeld: boolean }): Pick<Leases, "take"> {
  return {
    async take(name) {
      const lease = await take(name);
      return lease && { ...lease, isHeld: () => paused.isHeld };
    },
  };
}
