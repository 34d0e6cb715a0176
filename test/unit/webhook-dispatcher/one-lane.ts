import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Dispatcher as Agent } from "undici";
import type { Quotas } from "../../../mixins/clients/quotas.ts";
import type { TaggedSources } from "../../../mixins/clients/tagged-sources.ts";
import type { Lease } from "../../../mixins/coordination/leases/lease.ts";
import { openSqliteStore } from "../../../mixins/store/sqlite/sqlite-store.ts";
import type { Doc, Store } from "../../../mixins/store/store.ts";
import { defaultDeliveryOptions } from "../../../services/domain/delivery/delivery-options.ts";
import { type Lane, newLane, shardOf } from "../../../services/domain/delivery/lane.ts";
import type { Vault } from "../../../services/webhook-dispatcher/endpoints/vault.ts";
import { Journal } from "../../../services/webhook-dispatcher/journal/journal.ts";
import { Dispatcher } from "../../../services/webhook-dispatcher/lanes/dispatcher.ts";
import { wantedEvents } from "../../../services/webhook-dispatcher/lanes/wanted-events.ts";
import { sendBy } from "../../../services/webhook-dispatcher/sending/send.ts";
import {
  lanesCollection,
  type StoredEndpoint,
  type StoredLane,
  storeOptions,
} from "../../../services/webhook-dispatcher/webhooks.store.ts";
import { MemoryLog } from "../../fakes/memory-log.ts";
import { removeFolder } from "../../support/folders.ts";
import { noDestinations } from "../../support/no-destinations.ts";
import { noQuotas } from "../../support/no-quotas.ts";

export const endpoint: StoredEndpoint = {
  _id: "k",
  webhookId: "w",
  name: null,
  url: "https://hooks.example/",
  addedAt: 0,
  ...defaultDeliveryOptions,
  sealed: "",
  previousSealed: null,
  previousUntil: 0,
  revision: 0,
};

export const lease: Lease = {
  name: "",
  fence: 1,
  isHeld: () => true,
  signal: new AbortController().signal,
  release: async () => undefined,
};

/** The dispatcher with one lane, whose receiver takes everything. */
export interface LaneFixture {
  log: MemoryLog;
  journal: Journal;
  agent: Agent;
  dispatcher: Dispatcher;
  /** The identities of the events that were sent, in order. */
  sent: string[];
  /** The same by the path of the endpoint. */
  sentTo(path: string): string[];
  troubles: unknown[];
  /** Changes of lanes are refused as long as there is a fault, and counted. */
  disk: { fault?: Error; refused: number; written: number };
  store: Store<StoredEndpoint>;
  stored(laneId?: string): Promise<StoredLane | null>;
  close(): Promise<void>;
}

const { collection, indexes = [], extraCollections = {} } = storeOptions;
const declared = Object.entries({ [collection]: indexes, ...extraCollections });
const silent = () => undefined;

export async function openLane({
  lane = {},
  manner = {},
  signingKeys = () => [],
  others = [],
  tagged = refuse,
  onExpired = silent,
  quotas = noQuotas,
  threads,
}: {
  lane?: Partial<Lane>;
  /** What differs from `endpoint`. */
  manner?: Partial<StoredEndpoint>;
  signingKeys?: Vault["signingKeys"];
  /** More endpoints of the same key. */
  others?: StoredEndpoint[];
  tagged?: TaggedSources["of"];
  onExpired?: (events: number) => void;
  quotas?: Quotas;
  threads?: number;
} = {}): Promise<LaneFixture> {
  const folder = mkdtempSync(join(tmpdir(), "magpie-lane-"));
  const opened = await openSqliteStore(join(folder, "magpie.db"), declared);
  const disk: LaneFixture["disk"] = { refused: 0, written: 0 };
  const store = breakable(opened.store as unknown as Store<StoredEndpoint>, disk);
  const lanes = store.collection<StoredLane>(lanesCollection);
  await store.insert({ ...endpoint, ...manner });
  await lanes.insert({ _id: "k", shard: shardOf("k"), ...newLane(0), ...lane });
  for (const other of others) {
    await store.insert(other);
    await lanes.insert({ _id: other._id, shard: shardOf(other._id), ...newLane(0) });
  }
  const [log, journal] = [new MemoryLog(), new Journal(store, { error: silent })];
  const [sent, troubles]: [string[], unknown[]] = [[], []];
  const byPath = new Map<string, string[]>();
  const sentTo = (path: string) => byPath.get(path) ?? [];
  const agent = receiving((id, path) => {
    sent.push(id);
    byPath.set(path, [...sentTo(path), id]);
  });
  const dispatcher = new Dispatcher({
    onExpired,
    onAttempted: silent,
    mail: undefined,
    journal,
    log,
    send: sendBy(agent),
    destinations: noDestinations,
    vault: {
      issue: refuse,
      reveal: refuse,
      signingKeys,
      publicKeys: () => [],
      sealHeaders: refuse,
      unsealHeaders: refuse,
      sealDestination: refuse,
      unsealDestination: refuse,
    },
    schedule: [20, 20, 20, 20],
    wanted: wantedEvents({ of: tagged }, { match: async () => [] }),
    expressions: { transform: async () => ({ problem: "There is none." }) },
    quotas,
    threads,
    notifyOtherNodes: silent,
    logger: { debug: silent, info: silent, error: (_, trouble) => troubles.push(trouble) },
  });
  dispatcher.gain(shardOf("k"), lease);
  return {
    ...{ log, journal, agent, dispatcher, sent, sentTo, troubles, disk, store },
    stored: (laneId = "k") => lanes.findById(laneId),
    close: async () => {
      await dispatcher.stop();
      await opened.close();
      await removeFolder(folder);
    },
  };
}

function breakable(store: Store<StoredEndpoint>, disk: LaneFixture["disk"]): Store<StoredEndpoint> {
  return {
    ...store,
    collection: <Other extends Doc>(name: string): Store<Other> => {
      const other = store.collection<Other>(name);
      return {
        ...other,
        change: async (...change) => {
          if (!disk.fault) {
            disk.written += 1;
            return await other.change(...change);
          }
          disk.refused += 1;
          throw disk.fault;
        },
      };
    },
  };
}

/** Answers each request with 200. */
function receiving(onRequest: (id: string, path: string) => void): Agent {
  const controller = { abort: silent } as unknown as Agent.DispatchController;
  const dispatch: Agent["dispatch"] = ({ headers, path }, handler) => {
    onRequest((headers as Record<string, string>)["webhook-id"] ?? "", path);
    setImmediate(() => {
      handler.onRequestStart?.(controller, undefined);
      handler.onResponseStart?.(controller, 200, {});
      handler.onResponseEnd?.(controller, {});
    });
    return true;
  };
  return { dispatch } as Agent;
}

function refuse(): never {
  throw new Error("nobody asks for this");
}
