import { resolve } from "node:path";
import { giveUpShard, type Lease, type OpenLeases, type Share, type ShareWatch } from "./lease.ts";

const lockTables = new Map<string, { locks: LockTable; users: number }>();

/** The leases of the embedded mode. One process has the data folder, and all who open its leases there share them. */
export function openEmbeddedLeases(folder: string): OpenLeases {
  const locks = enter(resolve(folder));
  const mine = new Set<Lease>();
  const shares = new Set<Share>();
  const closed = new AbortController();
  const keep = (lease: Lease) => {
    mine.add(lease);
    lease.signal.addEventListener("abort", () => mine.delete(lease));
    return lease;
  };
  const take = (name: string) => {
    closed.signal.throwIfAborted();
    const lease = locks.take(name);
    return lease && keep(lease);
  };
  return {
    take: async name => take(name),
    wait: (name, signal) => waited(locks, name, AbortSignal.any([signal, closed.signal]), keep),
    share: async (pool, count, on) => {
      closed.signal.throwIfAborted();
      const share = shared(locks, take, { pool, count, on });
      shares.add(share);
      return share;
    },
    close: async () => {
      if (closed.signal.aborted) return;
      closed.abort(new Error("The leases are closed"));
      await Promise.all([...shares].map(share => share.close()));
      await Promise.all([...mine].map(lease => lease.release()));
      leave(resolve(folder));
    },
  };
}

function enter(folder: string): LockTable {
  const entry = lockTables.get(folder) ?? { locks: new LockTable(), users: 0 };
  entry.users += 1;
  lockTables.set(folder, entry);
  return entry.locks;
}

function leave(folder: string): void {
  const entry = lockTables.get(folder);
  if (!entry) return;
  entry.users -= 1;
  if (entry.users === 0) lockTables.delete(folder);
}

function waited(
  locks: LockTable,
  name: string,
  signal: AbortSignal,
  keep: (lease: Lease) => Lease,
): Promise<Lease> {
  return new Promise((resolve, reject) => {
    signal.throwIfAborted();
    const abort = () => {
      stopWaiting();
      reject(signal.reason);
    };
    signal.addEventListener("abort", abort);
    const stopWaiting = locks.wait(name, lease => {
      signal.removeEventListener("abort", abort);
      resolve(keep(lease));
    });
  });
}

interface ShareRequest {
  pool: string;
  count: number;
  on: ShareWatch;
}

/** In one process, the first member of a pool holds all shards; another one gets those that the first gives up. */
function shared(
  locks: LockTable,
  take: (name: string) => Lease | null,
  { pool, count, on }: ShareRequest,
): Share {
  const held = new Map<number, Lease>();
  const takeFree = () => {
    for (let shard = 0; shard < count; shard += 1) {
      const lease = held.has(shard) ? null : take(`${pool}/${shard}`);
      if (!lease) continue;
      held.set(shard, lease);
      on.gained(shard, lease);
    }
  };
  locks.onFree.add(takeFree);
  takeFree();
  return {
    close: async () => {
      locks.onFree.delete(takeFree);
      await Promise.all([...held].map(([shard, lease]) => giveUpShard(shard, lease, on)));
      held.clear();
    },
  };
}

type Grant = (lease: Lease) => void;

/** Follows the clock, so that it rises over restarts too. */
let fence = 0;

/** The leases of one process. A released name goes to the request that has waited longest. */
class LockTable {
  /** Called when a name becomes free. */
  readonly onFree = new Set<() => void>();
  readonly #held = new Set<string>();
  readonly #waiting = new Map<string, Set<Grant>>();

  take(name: string): Lease | null {
    return this.#held.has(name) ? null : this.#lease(name);
  }

  /** Calls `grant` once, as soon as the name is free; the returned function cancels that. */
  wait(name: string, grant: Grant): () => void {
    const lease = this.take(name);
    if (lease) {
      grant(lease);
      return () => undefined;
    }
    const waiting = this.#waiting.get(name) ?? new Set();
    this.#waiting.set(name, waiting.add(grant));
    return () => waiting.delete(grant);
  }

  #lease(name: string): Lease {
    this.#held.add(name);
    fence = Math.max(fence + 1, Date.now());
    const ended = new AbortController();
    const { signal } = ended;
    const release = async () => {
      if (signal.aborted) return;
      ended.abort();
      this.#pass(name);
    };
    return { name, fence, signal, isHeld: () => !signal.aborted, release };
  }

  #pass(name: string): void {
    const waiting = this.#waiting.get(name);
    const [next] = waiting ?? [];
    if (next) {
      waiting?.delete(next);
      next(this.#lease(name));
      return;
    }
    this.#waiting.delete(name);
    this.#held.delete(name);
    for (const call of this.onFree) call();
  }
}
