import { randomBytes } from "node:crypto";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setImmediate as yieldToLoop } from "node:timers/promises";
import type { Dispatcher as Agent } from "undici";
import { createEgress } from "../../mixins/egress/egress.ts";
import { openMongoStore } from "../../mixins/store/mongo/mongo-store.ts";
import { openSqliteStore } from "../../mixins/store/sqlite/sqlite-store.ts";
import type { Doc, Store } from "../../mixins/store/store.ts";
import { laneShards } from "../../services/domain/delivery/lane.ts";
import { openContext, type WebhookContext } from "../../services/webhook-dispatcher/context.ts";
import type { StoredEndpoint } from "../../services/webhook-dispatcher/webhooks.store.ts";
import { storeOptions } from "../../services/webhook-dispatcher/webhooks.store.ts";
import { MemoryLog } from "../fakes/memory-log.ts";
import { type Member, SharedOut } from "../fakes/shared-out.ts";
import { removeFolder } from "../support/folders.ts";
import { noQuotas } from "../support/no-quotas.ts";

/** One node of the dispatcher, which signs its requests with its name as `x-node`. */
export interface Node extends Member {
  name: string;
  context: WebhookContext;
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

/** Several nodes in one process, on one store: of MongoDB, or one that behaves as if others wrote to it. */
export async function openNodes(mongoUrl: string | undefined): Promise<Nodes> {
  const { store, close } = mongoUrl === undefined ? await openFile() : await openDatabase(mongoUrl);
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
      await close();
    },
  };
}

const { collection, indexes = [], extraCollections = {} } = storeOptions;
const declared = Object.entries({ [collection]: indexes, ...extraCollections });

async function openFile() {
  const folder = mkdtempSync(join(tmpdir(), "magpie-webhook-nodes-"));
  const opened = await openSqliteStore(join(folder, "magpie.db"), declared);
  const close = async () => {
    await opened.close();
    await removeFolder(folder);
  };
  return { store: asShared(opened.store as unknown as Store<StoredEndpoint>), close };
}

async function openDatabase(mongoUrl: string) {
  const namespace = `nodes-${randomBytes(4).toString("hex")}`;
  const opened = await openMongoStore({ mongoUrl, namespace }, declared);
  return { store: opened.store as unknown as Store<StoredEndpoint>, close: () => opened.close() };
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
  const notifyOtherNodes = (keyId: string) => {
    const others = [...nodes.values()].filter(other => other.name !== name);
    if (!isDeaf) for (const { context } of others) context.dispatcher.reread([keyId]);
  };
  const silent = () => undefined;
  const capabilities = {
    store,
    log,
    leases: member.leases,
    tagged: { of: async () => new Set<string>() },
    egress: { admit: egress.admit, vet: egress.vet, agent: () => signed(egress.agent(), name) },
    logger: { debug: silent, info: silent, error: silent },
    ...{ quotas: noQuotas, mail: undefined, confirmations: undefined },
    ...{ onAttempted: silent, onExpired: silent, threading: undefined, trace: (agent: Agent) => agent },
  };
  const webhooks = { allowHttp: true, backoffMs };
  const context = await openContext(
    capabilities,
    "a master secret of 32 characters!",
    { webhooks, deliveryRetentionMs: 72 * 3_600_000 },
    notifyOtherNodes,
  );
  return {
    ...member,
    name,
    context,
    deafen: () => {
      isDeaf = true;
    },
    close: async () => {
      await context.close();
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
    change: async (id, work, survives) => {
      work(await store.findById(id));
      await yieldToLoop();
      return await store.change(id, work, survives);
    },
  };
}
