import type { NewEvent } from "../../../mixins/event-log/event-log.ts";
import type { EventType } from "../../../services/contracts/events.ts";
import type { Source } from "../../../services/contracts/source.ts";
import { newLane, reactivate, shardOf } from "../../../services/domain/delivery/lane.ts";
import type { StoredEndpoint } from "../../../services/webhook-dispatcher/webhooks.store.ts";
import { until } from "../../support/until.ts";
import { endpoint, type LaneFixture, lease, openLane } from "./one-lane.ts";

let fixture: LaneFixture;

afterEach(async () => {
  await fixture.close();
});

/** Another endpoint of the key, which is named by its path. */
function other(number: number, filter: Partial<StoredEndpoint> = {}): StoredEndpoint {
  const url = `https://hooks.example/${number}`;
  return { ...endpoint, _id: `k:${number}`, keyId: "k", webhookId: `w${number}`, url, ...filter };
}

const changes = (number: number) => other(number, { event_types: ["web.page.changed"] });

let appended = 0;
beforeEach(() => {
  appended = 0;
});

/** Appends events, and tells the dispatcher. */
async function append(...events: [type: EventType, source: string][]): Promise<void> {
  const made = events.map(([type, id]): NewEvent => {
    appended += 1;
    const data = { source: { id } as Source };
    return { bodyId: String(appended), type, timestamp: "2026-01-01T00:00:00.000Z", data, keyIds: ["k"] };
  });
  await fixture.log.append(made);
  fixture.dispatcher.wake(["k"]);
}

const items = (count: number): [EventType, string][] =>
  Array.from({ length: count }, (_, n) => ["rss.item.created", `s${n % 7}`]);
const page: [EventType, string] = ["web.page.changed", "p"];
const idOf = (seq: number) => `evt_${seq}`;
const idle = () => until("no lane is in memory", () => fixture.dispatcher.busy.length === 0);

test("each lane sends what its endpoint wants, and its position passes over the rest", async () => {
  fixture = await openLane({ others: [changes(1), other(2, { sources: ["s3", "p"] })] });
  await append(...items(10), page, ...items(5));
  await until("the first has all", () => fixture.sentTo("/").length === 16);
  await idle();
  expect(fixture.sentTo("/")).toHaveLength(16);
  expect(fixture.sentTo("/1")).toEqual([idOf(11)]);
  expect(fixture.sentTo("/2").sort()).toEqual([idOf(11), idOf(15), idOf(4)].sort());
  expect(await fixture.stored("k:1")).toMatchObject({ position: 16, settled: [], retries: [] });
  expect(await fixture.stored("k:2")).toMatchObject({ position: 16, settled: [], retries: [] });
});

test("a lane that wants nothing writes seldom, reads no event twice, and is not behind after a restart", async () => {
  fixture = await openLane({ lane: { status: "FAILED" }, others: [changes(1)] });
  const { readWithin } = fixture.log;
  const starts: number[] = [];
  fixture.log.readWithin = async (keyId, after, budget) => {
    starts.push(after);
    return await readWithin.call(fixture.log, keyId, after, budget);
  };
  const written = fixture.disk.written;
  for (let n = 0; n < 450; n += 1) {
    await append(...items(1));
    if (n % 3 === 0) await idle();
  }
  await idle();
  await until("it has read all", () => starts.includes(450) || starts.includes(449) || starts.includes(448));
  await fixture.journal.idle();
  const lane = await fixture.stored("k:1");
  if (!lane) throw new Error("it is gone");
  expect(lane.position).toBeGreaterThan(340);
  expect(fixture.disk.written - written).toBeLessThanOrEqual(5);
  expect(starts.every((start, at) => start >= (starts[at - 1] ?? 0))).toBe(true);
  expect(fixture.sent).toEqual([]);
  expect(fixture.dispatcher.passedTo(lane)).toBeGreaterThan(440);
  // A replay, or another filter, in the meantime: what was passed over does not hold.
  const moved = { position: 0, settled: [], epoch: lane.epoch + 1 };
  expect(fixture.dispatcher.passedTo({ ...lane, ...moved })).toBe(0);
  expect(fixture.dispatcher.passedTo({ ...lane, position: 0, revision: lane.revision + 1 })).toBe(0);
});

test("events that are not wanted do not count as waiting", async () => {
  fixture = await openLane({ others: [changes(1)] });
  const gate = Promise.withResolvers<void>();
  const held = fixture.agent.dispatch.bind(fixture.agent);
  fixture.agent.dispatch = (options, handler) => {
    void gate.promise.then(() => held(options, handler));
    return true;
  };
  await append(page, ...items(20));
  await until("it has read them", () => fixture.dispatcher.passedIn("k:1") === 20);
  gate.resolve();
  await until("the first has all", () => fixture.sentTo("/").length === 21);
  await idle();
  expect(fixture.sentTo("/1")).toEqual([idOf(1)]);
});

test("a lane in memory with its siblings needs the store for no event", async () => {
  fixture = await openLane({ others: [changes(1), changes(2)] });
  const retry = { seq: 1, conversation: "x", failures: 1, notBefore: Date.now() + 60_000, failedAt: 0 };
  await fixture.journal.write("k", batch => {
    const lane = batch.lane("k");
    if (lane) batch.setLane("k", { ...lane, position: 1, retries: [retry] });
  });
  await append(page);
  await until("they are in memory", () => fixture.dispatcher.busy.length === 3);
  await until("it came", () => fixture.sentTo("/2").length === 1);
  const { find } = fixture.store;
  let reads = 0;
  fixture.store.find = async options => {
    reads += 1;
    return await find(options);
  };
  for (let n = 1; n <= 20; n += 1) {
    await append(page);
    await until("it came to both", () => fixture.sentTo("/1").length > n && fixture.sentTo("/2").length > n);
  }
  expect(reads).toBe(0);
  expect(fixture.dispatcher.busy).toHaveLength(3);
});

test("a lane that is added, changed or removed is worked at once, whatever its siblings do", async () => {
  fixture = await openLane({ others: [changes(1)] });
  await append(page);
  await until("it came", () => fixture.sentTo("/1").length === 1);
  const added = other(2, { sources: ["p"] });
  await fixture.journal.write(added._id, batch => {
    batch.endpoints.insert(added);
    batch.setLane(added._id, newLane(1));
  });
  fixture.dispatcher.changed(added);
  await append(page);
  await until("it came to the new one", () => fixture.sentTo("/2").length === 1);
  const changed = await fixture.journal.write("k:1", batch => {
    const lane = batch.lane("k:1");
    if (!lane) return null;
    const next = reactivate(lane);
    batch.setLane("k:1", next);
    return batch.endpoints.updateById("k:1", { $set: { event_types: null, revision: next.revision } });
  });
  if (!changed) throw new Error("it is gone");
  fixture.dispatcher.changed(changed);
  await append(...items(2));
  await until("its new filter counts", () => fixture.sentTo("/1").length === 4);
  await fixture.journal.write(added._id, batch => {
    batch.setLane(added._id, null);
    batch.endpoints.removeById(added._id);
  });
  fixture.dispatcher.removed(added._id);
  await append(page);
  await until("the others have it", () => fixture.sentTo("/1").length === 5);
  await idle();
  expect(fixture.sentTo("/2")).toEqual([idOf(2)]);
});

test("while its tags cannot be looked up a lane waits, and loses nothing; its siblings go on", async () => {
  let isAway = true;
  let asked = 0;
  fixture = await openLane({
    others: [other(1, { tags: ["work"] })],
    tagged: async () => {
      asked += 1;
      if (isAway) throw new Error("the tracker is away");
      return new Set(["s1"]);
    },
  });
  await append(...items(7));
  await until("the sibling has all", () => fixture.sentTo("/").length === 7);
  await until("it was asked", () => asked > 0);
  expect(fixture.sentTo("/1")).toEqual([]);
  isAway = false;
  await until("its event came", () => fixture.sentTo("/1").length === 1);
  expect(fixture.sentTo("/1")).toEqual([idOf(2)]);
});

test("after the next node takes over, nothing that was passed over is sent", async () => {
  fixture = await openLane({ others: [changes(1)] });
  await append(...items(30), page);
  await until("it came", () => fixture.sentTo("/1").length === 1);
  await fixture.dispatcher.lose(shardOf("k"));
  fixture.dispatcher.gain(shardOf("k"), lease);
  await append(...items(30), page);
  await until("the first has all", () => new Set(fixture.sentTo("/")).size === 62);
  await idle();
  expect(fixture.sentTo("/1")).toEqual([idOf(31), idOf(62)]);
});
