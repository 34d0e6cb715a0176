/** Holds the only slot of the key `k` in a process of its own. Arguments: URL of Redis, namespace. */
import process from "node:process";
import { commandConnection } from "../../mixins/cluster/redis.ts";
import { redisLimiter } from "../../mixins/coordination/limiter/redis.limiter.ts";

const [url = "", namespace = ""] = process.argv.slice(2);
const onError = (error: unknown) => console.error(error);
process.on("disconnect", () => process.exit());

const limiter = redisLimiter({ redis: commandConnection(url, onError), namespace, onError });
const slot = await limiter.acquire("k", 1);
process.send?.(slot ? "holds" : "held by another");
