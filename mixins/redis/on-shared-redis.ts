import type { ClusterConfig } from "../config/cluster.ts";
import type { RedisConnection } from "./redis-connection.ts";
import { openSharedRedis } from "./shared-redis.ts";

/** What a driver is opened with. */
interface Place {
  redis: RedisConnection;
  /** Begins all keys. */
  namespace: string;
  onError: (error: unknown) => void;
}

/** A driver on the connection that this process has for all, which it lets go of when it closes. */
export function onSharedRedis<Driver extends { close(): Promise<void> }>(
  { redisUrl, namespace }: ClusterConfig,
  onError: (error: unknown) => void,
  open: (place: Place) => Driver,
): Driver {
  const { redis, tell, close } = openSharedRedis(redisUrl, onError);
  const driver = open({ redis, namespace, onError: tell });
  return {
    ...driver,
    close: async () => {
      await driver.close();
      close();
    },
  };
}
