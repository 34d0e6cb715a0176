import { type KeyObject, randomBytes } from "node:crypto";
import { mkdir, open, readFile, rename } from "node:fs/promises";
import { dirname } from "node:path";
import type { ITelegramStorageProvider } from "@mtcute/core";
import type { Store } from "../../../../mixins/store/store.ts";
import { seal, sealingKey, unseal } from "../../../domain/key/seal.ts";
import { refusal } from "../../social/social-connector.ts";

type Peers = ITelegramStorageProvider["peers"];
type Peer = Parameters<Peers["store"]>[0];

/** The stored parts of a session: its login, and the known channels, without which their ids mean nothing. */
interface Kept {
  keys: Map<number, Uint8Array>;
  values: Map<string, Uint8Array>;
  peers: Map<number, Peer>;
}

/** Stores the sealed session. */
export interface SessionStore {
  /** Null where there is none. */
  read(): Promise<string | null>;
  /** Replaces the session atomically. */
  write(sealed: string): Promise<void>;
}

const sealContext = ["telegram", "session"];

/**
 * The sealed session of the account: read at once, and written after every change that must not be lost. Stores channels
 * and groups only: people are not needed, and their number grows without limit.
 */
export async function openStoredSession(
  store: SessionStore,
  masterSecret: string,
): Promise<ITelegramStorageProvider> {
  const key = sealingKey(masterSecret, "telegram/session/v1");
  const kept = fromSealed(await store.read(), key);
  let isChanged = false;
  let writing: Promise<void> = Promise.resolve();
  const changed = () => {
    isChanged = true;
  };
  const save = () => {
    if (!isChanged) return writing;
    isChanged = false;
    // Writes are sequential, each with the latest content. A failed write rejects for its own callers.
    writing = writing
      .catch(() => undefined)
      .then(() => store.write(seal(key, toText(kept), sealContext, randomBytes(12))))
      .catch(error => {
        isChanged = true;
        throw error;
      });
    return writing;
  };
  return {
    driver: { save },
    kv: values(kept, changed),
    authKeys: authKeys(kept, () => {
      changed();
      return save();
    }),
    peers: peers(kept, changed),
    // References to people, which are not needed.
    refMessages: {
      store: () => undefined,
      getByPeer: () => null,
      delete: () => undefined,
      deleteByPeer: () => undefined,
      deleteAll: () => undefined,
    },
  };
}

function values({ values }: Kept, changed: () => void): ITelegramStorageProvider["kv"] {
  return {
    set: (name, value) => {
      values.set(name, value);
      changed();
    },
    get: name => values.get(name) ?? null,
    delete: name => {
      if (values.delete(name)) changed();
    },
    deleteAll: () => {
      values.clear();
      changed();
    },
  };
}

/** Temporary keys are kept in memory only. */
function authKeys({ keys }: Kept, keep: () => Promise<void>): ITelegramStorageProvider["authKeys"] {
  const temporary = new Map<string, { key: Uint8Array; expires: number }>();
  return {
    set: async (dc, key) => {
      if (key) keys.set(dc, key);
      else keys.delete(dc);
      await keep();
    },
    get: dc => keys.get(dc) ?? null,
    setTemp: (dc, index, key, expires) => {
      if (key) temporary.set(`${dc}:${index}`, { key, expires });
      else temporary.delete(`${dc}:${index}`);
    },
    getTemp: (dc, index, now) => {
      const found = temporary.get(`${dc}:${index}`);
      return found && now < found.expires ? found.key : null;
    },
    deleteByDc: async dc => {
      keys.delete(dc);
      for (const name of temporary.keys()) if (name.startsWith(`${dc}:`)) temporary.delete(name);
      await keep();
    },
    deleteAll: async () => {
      keys.clear();
      temporary.clear();
      await keep();
    },
  };
}

function peers({ peers }: Kept, changed: () => void): Peers {
  const named = new Map([...peers.values()].flatMap(byName));
  return {
    store: peer => {
      const known = peers.get(peer.id);
      // A partial description has no usable access hash.
      if (peer.id > 0 || (peer.isMin && known)) return;
      for (const [name, id] of known ? byName(known) : []) if (named.get(name) === id) named.delete(name);
      for (const [name, id] of byName(peer)) named.set(name, id);
      peers.set(peer.id, peer);
      if (!known || known.accessHash !== peer.accessHash || `${known.usernames}` !== `${peer.usernames}`)
        changed();
    },
    getById: id => peers.get(id) ?? null,
    getByUsername: name => {
      const peer = peers.get(named.get(name) ?? 0);
      return peer && !peer.isMin ? peer : null;
    },
    getByPhone: () => null,
    deleteAll: () => {
      peers.clear();
      named.clear();
      changed();
    },
  };
}

function byName({ id, usernames }: Peer): [string, number][] {
  return usernames.map(name => [name.toLowerCase(), id]);
}

function fromSealed(sealed: string | null, key: KeyObject): Kept {
  return sealed === null
    ? { keys: new Map(), values: new Map(), peers: new Map() }
    : fromText(opened(sealed, key));
}

function opened(sealed: string, key: KeyObject): string {
  try {
    return unseal(key, sealed, sealContext);
  } catch (cause) {
    const message =
      "The session of Telegram was sealed with another MASTER_SECRET: restore that, or run `npx magpie telegram:login` again.";
    throw refusal(message, cause);
  }
}

function toText({ keys, values, peers }: Kept): string {
  return JSON.stringify({
    keys: [...keys].map(([dc, key]) => [dc, base64(key)]),
    values: [...values].map(([name, value]) => [name, base64(value)]),
    peers: [...peers.values()].map(peer => ({ ...peer, complete: base64(peer.complete) })),
  });
}

function fromText(text: string): Kept {
  const { keys, values, peers } = JSON.parse(text) as {
    keys: [number, string][];
    values: [string, string][];
    peers: (Omit<Peer, "complete"> & { complete: string })[];
  };
  return {
    keys: new Map(keys.map(([dc, key]) => [dc, bytes(key)])),
    values: new Map(values.map(([name, value]) => [name, bytes(value)])),
    peers: new Map(peers.map(peer => [peer.id, { ...peer, complete: bytes(peer.complete) }])),
  };
}

function base64(data: Uint8Array): string {
  return Buffer.from(data).toString("base64");
}

/** A copy: the library reads whole buffers, and Node's pool would show bytes of others. */
function bytes(text: string): Uint8Array {
  return new Uint8Array(Buffer.from(text, "base64"));
}

/** `_id` is `telegram`. */
export interface StoredSession {
  _id: string;
  sealed: string;
}

export const sessionsCollection = "social_sessions";

const id = "telegram";

/** In a file (mode 0600), for a single process. */
export function sessionInFile(path: string): SessionStore {
  return {
    read: () =>
      readFile(path, "utf8").catch((error: NodeJS.ErrnoException) => {
        if (error.code === "ENOENT") return null;
        throw error;
      }),
    write: sealed => replace(path, sealed),
  };
}

/** In the store, for the processes of a cluster. */
export function sessionInStore(sessions: Store<StoredSession>): SessionStore {
  return {
    read: async () => (await sessions.findById(id))?.sealed ?? null,
    async write(sealed) {
      await sessions.upsert(id, { $set: { sealed } });
    },
  };
}

/** Writes a draft to disk, then renames it over the old file. */
async function replace(path: string, sealed: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const draft = `${path}.${process.pid}`;
  const file = await open(draft, "w", 0o600);
  try {
    await file.writeFile(sealed);
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(draft, path);
}
