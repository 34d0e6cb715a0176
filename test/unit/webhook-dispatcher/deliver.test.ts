import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Agent } from "undici";
import { SqliteAdapter } from "../../../mixins/store/sqlite/sqlite.adapter.ts";
import { adapterStore } from "../../../mixins/store/sqlite/sqlite-store.ts";
import type { Doc, Store } from "../../../mixins/store/store.ts";
import { defaultDeliveryOptions } from "../../../services/domain/delivery/delivery-options.ts";
import { type Lane, newLane, reactivate, shardOf } from "../../../services/domain/delivery/lane.ts";
import { Journal } from "../../../services/webhook-dispatcher/journal/journal.ts";
import {
  type Delivery,
  type DeliveryResult,
  deliver,
} from "../../../services/webhook-dispatcher/lanes/deliver.ts";
import { ShardOwnership } from "../../../services/webhook-dispatcher/lanes/shard-ownership.ts";
import { sendBy } from "../../../services/webhook-dispatcher/sending/send.ts";
import {
  deliveriesCollection,
  lanesCollection,
  type StoredAttempts,
  type StoredEndpoint,
  type StoredLane,
} from "../../../services/webhook-dispatcher/webhooks.store.ts";
import { removeFolder } from "../../support/folders.ts";
import { noDestinations } from "../../support/no-destinations.ts";
import { type Receiver, startReceiver } from "../../support/receiver.ts";
import { lease } from "./one-lane.ts";

const keyId = "k";

let folder: string;
let adapters: Map<string, SqliteAdapter>;
let store: Store<StoredEndpoint>;
let agent: Agent;
let receiver: Receiver;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "magpie-deliver-"));
  const names = ["webhooks", lanesCollection, deliveriesCollection];
  adapters = new Map(names.map(name => [name, new SqliteAdapter(join(folder, "magpie.db"), name, [])]));
  for (const adapter of adapters.values()) await adapter.connect();
  store = adapterStore(adapters, "webhooks");
  agent = new Agent();
  receiver = await startReceiver();
});
afterEach(async () => {
  await agent.close();
  await receiver.close();
  for (const adapter of adapters.values()) await adapter.disconnect();
  await removeFolder(folder);
});

const lanes = () => store.collection<StoredLane>(lanesCollection);
const lane = async () => {
  const found = await lanes().findById(keyId);
  if (!found) throw new Error("the lane is gone");
  return found;
};

/** The endpoint and its lane, as it stands. */
async function begin(from: Lane): Promise<Lane> {
  const { href: url } = new URL(receiver.url);
  const secret = { sealed: "", previousSealed: null, previousUntil: 0 };
  const fixed = { name: null, addedAt: 0, ...defaultDeliveryOptions };
  await store.insert({ _id: keyId, webhookId: "w", ...fixed, url, revision: from.revision, ...secret });
  await lanes().insert({ _id: keyId, shard: shardOf(keyId), ...from });
  return from;
}

const none = { transform: async () => ({ problem: "There is none." }) };

/** One attempt, begun while the lane stood as told. */
function attempt(
  journal: Journal,
  seq: number,
  { missEpoch, epoch, revision }: Lane,
  onAnswer: Delivery["onAnswer"] = () => undefined,
  patienceMs = 20,
): Promise<DeliveryResult | null> {
  const context = {
    ...{ send: sendBy(agent), mail: undefined, destinations: noDestinations, journal, schedule: [100] },
    expressions: none,
    ...{ onStoreError: () => undefined, signal: new AbortController().signal },
  };
  return deliver(context, {
    target: { laneId: keyId, url: new URL(receiver.url), inBatches: false, signingKeys: [] },
    ownership: new ShardOwnership(shardOf(keyId), lease),
    attempt: { events: [{ seq, conversation: null }], missEpoch, epoch, revision },
    outgoing: [
      {
        id: `evt_${seq}`,
        seq,
        conversation: null,
        type: "webhook.test",
        timestamp: "",
        body: "{}",
      },
    ],
    passOver: lane => lane,
    isCurrent: () => true,
    onAnswer,
    patienceMs: () => patienceMs,
  });
}

test("an accepted attempt waits to be written for as long as its lane permits, and a failed one does not", async () => {
  const journal = new Journal(store, console);
  const before = await begin(newLane(0));
  const answered = Promise.withResolvers<boolean>();
  const accepted = attempt(journal, 1, before, answered.resolve, 3_600_000);
  expect(await answered.promise).toBe(true);
  expect(await lane()).toMatchObject({ position: 0, settled: [] });
  receiver.behave({ status: 500 });
  await attempt(journal, 2, before, undefined, 3_600_000);
  expect(await lane()).toMatchObject({ position: 2, retries: [{ seq: 2 }] });
  await accepted;
});

test.each([404, 410])(
  "a %d to what was sent before a change of the endpoint tells nothing of it",
  async status => {
    const journal = new Journal(store, console);
    const before = await begin({ ...newLane(0), window: 2 });
    receiver.behave({ status, headers: { "retry-after": "3600" } });
    await attempt(journal, 1, before);
    expect(await lane()).toMatchObject({ status: "FAILED" });
    const active = reactivate(await lane());
    await journal.write(keyId, batch => batch.setLane(keyId, active));
    await attempt(journal, 2, before);
    const { pausedUntil, ...after } = await lane();
    expect(after).toMatchObject({ status: "ACTIVE", streak: [], retries: [{ seq: 1 }, { seq: 2 }] });
    expect(pausedUntil).toBeLessThanOrEqual(Date.now());
    await attempt(journal, 2, await lane());
    expect(await lane()).toMatchObject({ status: "FAILED" });
  },
);

describe("in a shared store, an outcome whose writing was not answered", () => {
  /** A store that others write to as well; the answers to the first writes of it are lost. */
  const losing = (answers: number): Store<StoredEndpoint> => ({
    ...store,
    isShared: true,
    collection: <Other extends Doc>(name: string): Store<Other> => {
      const other = store.collection<Other>(name);
      return {
        ...other,
        change: async (...change) => {
          const result = await other.change(...change);
          answers -= 1;
          if (answers >= 0) throw new Error("connection reset");
          return result;
        },
      };
    },
  });
  const told = async () =>
    (await store.collection<StoredAttempts>(deliveriesCollection).find({ sort: ["_id"] })).map(
      ({ attempt, outcome }) => ({ attempt, outcome }),
    );

  test("is no second failure", async () => {
    const journal = new Journal(losing(2), console);
    const before = await begin(newLane(0));
    receiver.behave(500);
    await attempt(journal, 1, before);
    await journal.idle();
    const { streak, retries } = await lane();
    expect(retries).toMatchObject([{ seq: 1, failures: 1 }]);
    expect(streak).toHaveLength(1);
    expect(await told()).toEqual([{ attempt: 1, outcome: "failed" }]);
  });

  test("does not bring back what is dead", async () => {
    const journal = new Journal(losing(1), console);
    const retry = { seq: 1, conversation: null, failures: 4, notBefore: 0, failedAt: 0 };
    const before = await begin({ ...newLane(1), retries: [retry], takenAt: Date.now() });
    receiver.behave(422);
    await attempt(journal, 1, before);
    await journal.idle();
    expect(await lane()).toMatchObject({ status: "ACTIVE", position: 1, retries: [] });
    expect(await told()).toEqual([{ attempt: 5, outcome: "dead" }]);
  });

  test("does not undo a failure that came after a success", async () => {
    const journal = new Journal(losing(1), console);
    const before = await begin({ ...newLane(0), window: 2 });
    receiver.behave(({ id }) => (id === "evt_1" ? 200 : 500));
    const answered = Promise.withResolvers<void>();
    const first = attempt(journal, 1, before, () => answered.resolve());
    await answered.promise;
    await attempt(journal, 2, before);
    await first;
    await journal.idle();
    const { position, streak, retries } = await lane();
    expect({ position, failures: streak.length }).toEqual({ position: 2, failures: 1 });
    expect(retries).toMatchObject([{ seq: 2, failures: 1 }]);
  });
});

test("an outcome that was not written is tried again", async () => {
  let refused = 0;
  const refusing: Store<StoredEndpoint> = {
    ...store,
    collection: <Other extends Doc>(name: string): Store<Other> => {
      const other = store.collection<Other>(name);
      return {
        ...other,
        change: async (...change) => {
          refused += 1;
          if (refused === 1) throw new Error("away");
          return other.change(...change);
        },
      };
    },
  };
  const journal = new Journal(refusing, console);
  receiver.behave(500);
  await attempt(journal, 1, await begin(newLane(0)));
  expect(await lane()).toMatchObject({ retries: [{ seq: 1, failures: 1 }] });
});
