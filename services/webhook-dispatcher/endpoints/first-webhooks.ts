import type { Doc, Store } from "../../../mixins/store/store.ts";
import { keyOf, type Lane } from "../../domain/delivery/lane.ts";
import { firstEndpoint, lanesCollection, type StoredEndpoint, type StoredLane } from "../webhooks.store.ts";

/** What `GET /webhook` says of a key. */
interface FirstWebhook {
  url: string;
  /** Undefined while its lane is not written yet. */
  status: Lane["status"] | undefined;
}

interface Entry {
  answer: Promise<FirstWebhook | null>;
  readAt: number;
}

/** A lane that works elsewhere than in this thread may stop: then the answer is old for so long. API keys are kept as long. */
const maxAgeMs = 800;
const mostKeys = 10_000;

/**
 * The first webhook of each key, which programs ask for again and again to see whether it is still theirs. It is kept for a
 * moment, and no longer than until this process changes it. Nodes of a cluster keep nothing: a client may change it at one of
 * them and ask another one right after.
 */
export class FirstWebhooks {
  /** The collections for those who change them: each write is noticed here. */
  readonly store: Store<StoredEndpoint>;
  readonly #lanes: Pick<Store<StoredLane>, "findById">;
  readonly #entries = new Map<string, Entry>();
  readonly #now: () => number;

  constructor(store: Store<StoredEndpoint>, now: () => number = () => performance.now()) {
    const lanes = this.#noticing(store.collection<StoredLane>(lanesCollection));
    const collection = ((name: string) =>
      name === lanesCollection ? lanes : store.collection(name)) as typeof store.collection;
    this.store = { ...this.#noticing(store), collection };
    this.#lanes = lanes;
    this.#now = now;
  }

  /** Null where a key has none. */
  of(keyId: string): Promise<FirstWebhook | null> {
    if (this.store.isShared) return this.#read(keyId);
    const known = this.#entries.get(keyId);
    if (known && this.#now() - known.readAt < maxAgeMs) return known.answer;
    if (this.#entries.size >= mostKeys) this.#entries.clear();
    const entry = { answer: this.#read(keyId), readAt: this.#now() };
    this.#entries.set(keyId, entry);
    // A failure is the answer of those who wait for it, and of nobody else.
    entry.answer.catch(() => this.forget(keyId));
    return entry.answer;
  }

  forget(keyId: string): void {
    this.#entries.delete(keyId);
  }

  async #read(keyId: string): Promise<FirstWebhook | null> {
    const endpoint = await firstEndpoint(this.store, keyId);
    if (!endpoint) return null;
    const lane = await this.#lanes.findById(endpoint._id);
    return { url: endpoint.url, status: lane?.status };
  }

  /** The journal writes both by `change` alone; what is read before a write ends may be of before. */
  #noticing<D extends Doc>(store: Store<D>): Store<D> {
    const change: Store<D>["change"] = async (id, work, survives) => {
      this.forget(keyOf(id));
      try {
        return await store.change(id, work, survives);
      } finally {
        this.forget(keyOf(id));
      }
    };
    return { ...store, change };
  }
}
