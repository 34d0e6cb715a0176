import { type KeyObject, randomBytes } from "node:crypto";
import type { ITelegramStorageProvider } from "@mtcute/node";
import { seal, unseal } from "../../../domain/key/seal.ts";
import { sealingKey } from "../../../domain/key/sub-key.ts";
import { refusal } from "../../social/refusal.ts";

type Peers = ITelegramStorageProvider["peers"];
type Peer = Parameters<Peers["store"]>[0];

/** What is kept of an account: its login, and the channels that it knows, without which their ids mean nothing. */
interface Kept {
  keys: Map<number, Uint8Array>;
  values: Map<string, Uint8Array>;
  peers: Map<number, Peer>;
}

/** Where the sealed session lies. */
export interface SessionPlace {
  /** Null where there is none. */
  read(): Promise<string | null>;
  /** The former one stands until the new one does, whole. */
  write(sealed: string): Promise<void>;
}

const sealContext = ["telegram", "session"];

/**
 * The session of the account, sealed, read at once and written anew when something changed that must not be lost. Of whom it meets it keeps channels and groups: people are of no use here, and grow without end.
 */
export async function openSession(
  place: SessionPlace,
  masterSecret: string,
): Promise<ITelegramStorageProvider> {
  const key = sealingKey(masterSecret, "telegram/session/v1");
  const kept = fromSealed(await place.read(), key);
  let isChanged = false;
  let writing: Promise<void> = Promise.resolve();
  const changed = () => {
    isChanged = true;
  };
  const save = () => {
    if (!isChanged) return writing;
    isChanged = false;
    // One after another, each with what is known by then; a failed one is told to whoever waited for it.
    writing = writing
      .catch(() => undefined)
      .then(() => place.write(seal(key, toText(kept), sealContext, randomBytes(12))))
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
    // They lead to people whom nobody asks for.
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

/** Temporary keys live as long as the process. */
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
      // A partial description has no access hash that is of use.
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
    const sentence =
      "The session of Telegram was sealed with another MASTER_SECRET: restore that, or run `npm run telegram:login` again.";
    throw refusal(sentence, cause);
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

/** A copy of its own: the library reads whole buffers, of which Node's pool would show others' bytes. */
function bytes(text: string): Uint8Array {
  return new Uint8Array(Buffer.from(text, "base64"));
}
