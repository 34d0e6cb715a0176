/** Holds the only slot of the key `k` in a process of its own. Arguments: URL of Redis, namespace. */
import process from "node:process";
import { redisLimiter } from "../../mixins/limiter/redis.limiter.ts";
import { askingConnection } from "../../mixins/redis/redis-connection.ts";

const [url = "", namespace = ""] = process.argv.slice(2);
const onError = (error: unknown) => console.error(error);
process.on("disconnect", () => process.exit());

const limiter = redisLimiter({ redis: askingConnection(url, onError), namespace, onError });
const slot = await limiter.acquire("k", 1);
process.send?.(slot ? "holds" : "held by another");
