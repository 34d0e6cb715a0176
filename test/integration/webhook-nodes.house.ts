import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";
import type { Dispatcher as Agent } from "undici";
import { createEgress } from "../../mixins/egress/egress.ts";
import { adapterStore } from "../../mixins/store/adapter-store.ts";
import { SqliteAdapter } from "../../mixins/store/sqlite/sqlite.adapter.ts";
import type { Doc, Store } from "../../mixins/store/store.ts";
import { laneShards } from "../../services/domain/delivery/shard.ts";
import { openRoom } from "../../services/webhook-dispatcher/open-room.ts";
import {
  type StoredEndpoint,
  storeOptions,
  type WebhookRoom,
} from "../../services/webhook-dispatcher/room.ts";
import { MemoryLog } from "../fakes/memory-log.ts";
import { type Member, SharedOut } from "../fakes/shared-out.ts";

/** One node of the dispatcher, which signs its requests with its name as `x-node`. */
export interface Node extends Member {
  name: string;
  room: WebhookRoom;
  /** It neither hears hints nor gives any. */
  deafen(): void;
  close(): Promise<void>;
}

export interface Nodes {
  log: MemoryLog;
  shares: SharedOut;
  open(name: string): Promise<Node>;
  close(): Promise<void>;
}

const backoffMs = [20, 20, 20, 20];

/** Several nodes in one process, on one store that behaves as if others wrote to it. */
export async function openNodes(): Promise<Nodes> {
  const folder = mkdtempSync(join(tmpdir(), "magpie-webhook-nodes-"));
  const { collection, indexes = [], extraCollections = {} } = storeOptions;
  const declared = Object.entries({ [collection]: indexes, ...extraCollections });
  const path = join(folder, "magpie.db");
  const adapters = new Map(declared.map(([name, of]) => [name, new SqliteAdapter(path, name, of)]));
  for (const adapter of adapters.values()) await adapter.connect();
  const store = asShared(adapterStore<StoredEndpoint>(adapters, collection));
  const [log, shares, nodes] = [new MemoryLog(), new SharedOut(laneShards), new Map<string, Node>()];
  return {
    log,
    shares,
    open: async name => {
      const node = await openNode(name, { store, log, shares, nodes });
      nodes.set(name, node);
      return node;
    },
    close: async () => {
      await Promise.all([...nodes.values()].map(node => node.close()));
      for (const adapter of adapters.values()) await adapter.disconnect();
      rmSync(folder, { recursive: true });
    },
  };
}

interface Common {
  store: Store<StoredEndpoint>;
  log: MemoryLog;
  shares: SharedOut;
  nodes: Map<string, Node>;
}

async function openNode(name: string, { store, log, shares, nodes }: Common): Promise<Node> {
  const egress = createEgress({ allow: ["127.0.0.1/32"] });
  const member = shares.member();
  let isDeaf = false;
  const tellOthers = (keyId: string) => {
    const others = [...nodes.values()].filter(other => other.name !== name);
    if (!isDeaf) for (const { room } of others) room.dispatcher.reread([keyId]);
  };
  const silent = () => undefined;
  const capabilities = {
    store,
    log,
    leases: member.leases,
    egress: { admit: egress.admit, agent: () => signed(egress.agent(), name) },
    logger: { debug: silent, info: silent, error: silent },
  };
  const webhooks = { allowHttp: true, backoffMs };
  const room = await openRoom(capabilities, "a master secret of 32 characters!", webhooks, tellOthers);
  return {
    ...member,
    name,
    room,
    deafen: () => {
      isDeaf = true;
    },
    close: async () => {
      await room.close();
      await egress.close();
    },
  };
}

function signed(agent: Agent, name: string): Agent {
  return agent.compose(
    dispatch => (options, handler) =>
      dispatch({ ...options, headers: { ...(options.headers as object), "x-node": name } }, handler),
  );
}

/** Commits on what it finds at the second look, as a store does whose first look was overtaken. */
function asShared<D extends Doc>(store: Store<D>): Store<D> {
  return {
    ...store,
    isShared: true,
    collection: name => asShared(store.collection(name)),
    transaction: async work => {
      const overtaken = new Error("overtaken");
      const first = store.transaction(transaction => {
        work(transaction);
        throw overtaken;
      });
      await first.catch(error => {
        if (error !== overtaken) throw error;
      });
      await nextTurn();
      return await store.transaction(work);
    },
  };
}
