import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Agent } from "undici";
import { adapterStore } from "../../../mixins/store/adapter-store.ts";
import { SqliteAdapter } from "../../../mixins/store/sqlite/sqlite.adapter.ts";
import type { Store } from "../../../mixins/store/store.ts";
import { type Lane, newLane, reactivate } from "../../../services/domain/delivery/lane.ts";
import { shardOf } from "../../../services/domain/delivery/shard.ts";
import { type Delivered, deliver } from "../../../services/webhook-dispatcher/engine/deliver.ts";
import { Journal } from "../../../services/webhook-dispatcher/engine/journal.ts";
import { Tenure } from "../../../services/webhook-dispatcher/engine/tenure.ts";
import {
  deliveriesCollection,
  lanesCollection,
  type StoredEndpoint,
  type StoredLane,
} from "../../../services/webhook-dispatcher/room.ts";
import { type Receiver, startReceiver } from "../../support/receiver.ts";

const keyId = "k";
const lease = {
  name: "lanes",
  fence: 1,
  isHeld: () => true,
  signal: new AbortController().signal,
  release: async () => undefined,
};

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
  rmSync(folder, { recursive: true });
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
  await store.insert({ _id: keyId, webhookId: "w", name: null, url, revision: from.revision, ...secret });
  return lanes().insert({ _id: keyId, shard: shardOf(keyId), ...from });
}

/** One attempt, begun while the lane stood as told. */
function attempt(journal: Journal, seq: number, { turn, epoch, revision }: Lane): Promise<Delivered | null> {
  return deliver({
    agent,
    journal,
    schedule: [100],
    target: { keyId, url: new URL(receiver.url), revision, signingKeys: [] },
    tenure: new Tenure(shardOf(keyId), lease),
    attempt: { seq, source: null, turn, epoch },
    parcel: { id: `evt_${seq}`, type: "webhook.test", body: "{}" },
    stillThere: () => true,
    onAnswer: () => undefined,
    onTrouble: () => undefined,
    signal: new AbortController().signal,
  });
}

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
