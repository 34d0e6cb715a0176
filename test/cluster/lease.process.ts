/** A holder in a process of its own: writes its fence down again and again, as long as it may. */
import process from "node:process";
import { commandConnection } from "../../mixins/cluster/redis.ts";
import { openRedisLeases } from "../../mixins/coordination/leases/redis.leases.ts";

/** What it is given as JSON. */
export interface Holding {
  url: string;
  namespace: string;
  ttlMs: number;
  /** A list in Redis. */
  written: string;
}

/** What it tells: that it has all, and then that it has noticed a loss. */
export type Told = "holds" | "lost";

const { url, namespace, ttlMs, written }: Holding = JSON.parse(process.argv[2] ?? "");
const redis = commandConnection(url, () => undefined);
const leases = openRedisLeases({ redis, namespace, onError: () => undefined, ttlMs });
const tell = (told: Told) => process.send?.(told);

process.on("disconnect", () => process.exit());

const lease = await leases.take("a");
if (!lease) throw new Error("held by another");
await leases.share("lanes", 8, { gained: () => undefined, lost: () => undefined });
lease.signal.addEventListener("abort", () => tell("lost"));
setInterval(() => {
  // What was sent before a stop is given up after it.
  if (lease.isHeld()) redis.rpush(written, lease.fence).catch(() => "late");
}, 1);
tell("holds");
