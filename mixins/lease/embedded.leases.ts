import { resolve } from "node:path";
import { giveUp } from "./give-up.ts";
import { House } from "./house.ts";
import type { Lease, OpenLeases, Share, ShareWatch } from "./lease.ts";

const houses = new Map<string, { house: House; users: number }>();

/** The leases of the embedded mode, whose data folder is one process's alone: whoever opens them with it shares them. */
export function openEmbeddedLeases(folder: string): OpenLeases {
  const house = enter(resolve(folder));
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
    const lease = house.take(name);
    return lease && keep(lease);
  };
  return {
    take: async name => take(name),
    wait: (name, signal) => waited(house, name, AbortSignal.any([signal, closed.signal]), keep),
    share: async (pool, count, on) => {
      closed.signal.throwIfAborted();
      const share = shared(house, take, { pool, count, on });
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

function enter(folder: string): House {
  const entry = houses.get(folder) ?? { house: new House(), users: 0 };
  entry.users += 1;
  houses.set(folder, entry);
  return entry.house;
}

function leave(folder: string): void {
  const entry = houses.get(folder);
  if (!entry) return;
  entry.users -= 1;
  if (entry.users === 0) houses.delete(folder);
}

function waited(
  house: House,
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
    const stopWaiting = house.wait(name, lease => {
      signal.removeEventListener("abort", abort);
      resolve(keep(lease));
    });
  });
}

interface Wish {
  pool: string;
  count: number;
  on: ShareWatch;
}

/** In one process the first member of a pool has all of it; another one has what the first gives up. */
function shared(house: House, take: (name: string) => Lease | null, { pool, count, on }: Wish): Share {
  const held = new Map<number, Lease>();
  const takeFree = () => {
    for (let shard = 0; shard < count; shard += 1) {
      const lease = held.has(shard) ? null : take(`${pool}/${shard}`);
      if (!lease) continue;
      held.set(shard, lease);
      on.gained(shard, lease);
    }
  };
  house.onFree.add(takeFree);
  takeFree();
  return {
    close: async () => {
      house.onFree.delete(takeFree);
      await Promise.all([...held].map(([shard, lease]) => giveUp(shard, lease, on)));
      held.clear();
    },
  };
}
