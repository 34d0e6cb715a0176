import { listDeliveries } from "../../services/webhook-dispatcher/endpoints/deliveries.ts";
import {
  changeWebhook,
  registerWebhook,
  removeWebhook,
} from "../../services/webhook-dispatcher/endpoints/endpoints.ts";
import { replayWebhook } from "../../services/webhook-dispatcher/endpoints/replay.ts";
import { someEvents } from "../fakes/memory-log.ts";
import { startMongo, withMongo } from "../support/mongo.ts";
import { type Received, type Receiver, startReceiver } from "../support/receiver.ts";
import { until } from "../support/until.ts";
import { type Node, type Nodes, openNodes } from "./webhook-nodes.ts";

const keyIds = Array.from({ length: 24 }, (_, n) => `key-${n}`);
const mongo = await startMongo();
let nodes: Nodes;
let receiver: Receiver;

const nodeOf = ({ headers }: Received) => String(headers["x-node"]);
const laneOf = ({ path }: Received) => path.slice(1);
const register = (node: Node, keyId: string, path = keyId) =>
  registerWebhook(node.context, keyId, { url: `${receiver.url}/${path}` });
const append = async (from: number, count: number, keys = keyIds) => {
  for (const keyId of keys) await nodes.log.append(someEvents(keyId, from, count));
};
/** Every event that arrived for a lane, oldest first; those that came again are listed again. */
const seqsOf = (keyId: string) =>
  receiver.received.filter(each => laneOf(each) === keyId).map(({ event }) => event.seq);
const allArrived = (count: number, keys = keyIds) =>
  until("all events arrived", () => keys.every(keyId => new Set(seqsOf(keyId)).size === count), 200_000);

/** The key of a lane that this node works, and of one that it does not. */
function mineAndTheirs({ context }: Node): [string, string] {
  const mine = keyIds.find(keyId => context.dispatcher.works(keyId));
  const theirs = keyIds.find(keyId => !context.dispatcher.works(keyId));
  if (mine === undefined || theirs === undefined) throw new Error("the lanes are not shared out");
  return [mine, theirs];
}

/** Notes lanes to which two nodes have attempts under way at a time. */
function noteOverlaps(): string[] {
  const underWay = new Map<string, string[]>();
  const overlaps: string[] = [];
  receiver.behave(delivery => {
    const [lane, node] = [laneOf(delivery), nodeOf(delivery)];
    const others = underWay.get(lane) ?? [];
    if (others.some(other => other !== node)) overlaps.push(`${lane}: ${[...others, node]}`);
    const afterMs = 5 + Math.random() * 20;
    underWay.set(lane, [...others, node]);
    setTimeout(() => {
      const left = underWay.get(lane) ?? [];
      underWay.set(lane, left.toSpliced(left.indexOf(node), 1));
    }, afterMs);
    return { status: 200, afterMs };
  });
  return overlaps;
}

afterAll(async () => {
  await mongo.stop();
});

describe("on a store that is overtaken", () => onStore(undefined));
withMongo(mongo).describe("on MongoDB", () => onStore(mongo.url));

function onStore(url: string | undefined): void {
  beforeEach(async () => {
    receiver = await startReceiver();
    nodes = await openNodes(url);
  });
  afterEach(async () => {
    await nodes.close();
    await receiver.close();
  });

  test("each lane is worked by one node at a time while nodes come and go, and nothing comes twice", async () => {
    const overlaps = noteOverlaps();
    const first = await nodes.open("first");
    for (const keyId of keyIds) await register(first, keyId);
    const someArrived = (from: number) => {
      const before = receiver.received.length;
      // So few that what is under way at a time is answered in time on a slow machine, too.
      return append(from, 10).then(() =>
        until("they are at work", () => receiver.received.length > before + 60),
      );
    };
    await someArrived(1);
    await nodes.open("second");
    await someArrived(11);
    const third = await nodes.open("third");
    await someArrived(21);
    await nodes.shares.settled();
    await first.close();
    await someArrived(31);
    await allArrived(40);
    expect(overlaps).toEqual([]);
    expect(receiver.received).toHaveLength(40 * keyIds.length);
    expect(new Set(receiver.received.map(nodeOf))).toEqual(new Set(["first", "second", "third"]));
    const page = () => listDeliveries(third.context, "key-0", { limit: 200 });
    await until("all attempts are listed", async () => (await page()).data.length === 40);
  });

  test("the lanes of a node that is gone go on with the others, and it does nothing more", async () => {
    const first = await nodes.open("first");
    const second = await nodes.open("second");
    for (const keyId of keyIds) await register(second, keyId);
    receiver.behave({ status: 200, afterMs: 300 });
    await append(1, 20);
    await until("both are at work", () => new Set(receiver.received.map(nodeOf)).size === 2);
    first.lapse();
    receiver.behave(200);
    await append(21, 5);
    await allArrived(25);
    first.context.dispatcher.wake(keyIds);
    await append(26, 5);
    await allArrived(30);
    // What was appended by then may still have been on its way.
    const byFirst = receiver.received.filter(each => nodeOf(each) === "first");
    expect(Math.max(...byFirst.map(({ event }) => event.seq))).toBeLessThanOrEqual(20);
    first.hear();
    expect(first.context.dispatcher.busy).toEqual([]);
    expect(second.context.dispatcher.shards).toHaveLength(128);
  });

  describe.each([
    ["a hint tells of it", false],
    ["the hint is lost", true],
  ])("a change by a request to another node, when %s", (_, isLost) => {
    let owner: Node;
    let other: Node;
    let keyId: string;

    beforeEach(async () => {
      owner = await nodes.open("owner");
      other = await nodes.open("other");
      [keyId] = mineAndTheirs(owner);
      await register(owner, keyId);
      if (isLost) other.deafen();
    });
    /** What happens once a minute. */
    const minute = () => {
      if (!isLost) return;
      owner.context.dispatcher.reread(owner.context.dispatcher.busy);
      owner.context.dispatcher.wake([keyId]);
    };
    const paths = () => receiver.received.map(({ path }) => path);

    test("goes to the new URL, without waiting for the next probe", async () => {
      receiver.behave({ status: 503, headers: { "retry-after": "60" } });
      await append(1, 3, [keyId]);
      await until(
        "it fails",
        async () => ((await owner.context.lanes.findById(keyId))?.streak.length ?? 0) > 0,
      );
      receiver.behave(200);
      await changeWebhook(other.context, keyId, { url: `${receiver.url}/moved` }, Date.now());
      minute();
      await until(
        "all are at the new URL",
        () => new Set(paths().filter(path => path === "/moved")).size === 1,
      );
      await until(
        "the lane is through",
        async () => (await owner.context.lanes.findById(keyId))?.position === 3,
      );
      expect(receiver.received.filter(({ path }) => path === "/moved").map(({ event }) => event.seq)).toEqual(
        [1, 2, 3],
      );
    });

    test("is not undone by an attempt that was under way", async () => {
      const gate = Promise.withResolvers<void>();
      receiver.behave({ status: 410, after: gate.promise });
      await append(1, 1, [keyId]);
      await until("it is under way", () => receiver.received.length === 1);
      await changeWebhook(other.context, keyId, { url: `${receiver.url}/moved` }, Date.now());
      receiver.behave(200);
      gate.resolve();
      await until("it arrived at the new URL", () => paths().includes("/moved"));
      expect((await owner.context.lanes.findById(keyId))?.status).toBe("ACTIVE");
    });

    test("removes it for good", async () => {
      receiver.behave({ status: 503, headers: { "retry-after": "30" } });
      await append(1, 3, [keyId]);
      await until(
        "it fails",
        async () => ((await owner.context.lanes.findById(keyId))?.streak.length ?? 0) > 0,
      );
      await removeWebhook(other.context, keyId);
      const tried = receiver.received.length;
      minute();
      await until("it is let go", () => owner.context.dispatcher.busy.length === 0);
      await register(other, keyId, "again");
      receiver.behave(200);
      await append(4, 1, [keyId]);
      await until("the new one has it", () => paths().includes("/again"));
      expect(receiver.received.slice(tried).map(({ path, event }) => [path, event.seq])).toEqual([
        ["/again", 4],
      ]);
      expect(await owner.context.lanes.findById(keyId)).toMatchObject({ streak: [], retries: [] });
    });

    test("delivers again what is replayed", async () => {
      await append(1, 3, [keyId]);
      await until("all arrived", () => receiver.received.length === 3);
      await owner.context.journal.idle();
      await replayWebhook(other.context, keyId, "2026-01-01", Date.now());
      minute();
      await until("all arrived again", () => receiver.received.length === 6);
      await until(
        "the lane is through",
        async () => (await owner.context.lanes.findById(keyId))?.position === 3,
      );
      expect(new Set(receiver.received.map(nodeOf))).toEqual(new Set(["owner"]));
    });
  });
}
