import { quiet } from "./quiet.ts";
import { askingConnection, type RedisConnection } from "./redis-connection.ts";

export interface SharedRedis {
  redis: RedisConnection;
  /** Tells `onError`, of one trouble once in a while. */
  tell(error: unknown): void;
  /** Takes no part in it any more; the last one closes it. */
  close(): void;
}

/** BullMQ counts up and down from it, so it cannot be 0 for any number. */
const mostListeners = 1000;

const opened = new Map<string, { redis: RedisConnection; users: number }>();

/** The one connection of this process on which it asks a Redis and waits for no work; shared by all who open it. */
export function openSharedRedis(url: string, onError: (error: unknown) => void): SharedRedis {
  const entry = opened.get(url) ?? { redis: askingConnection(url).setMaxListeners(mostListeners), users: 0 };
  const { redis } = entry;
  const tell = quiet(onError);
  entry.users += 1;
  opened.set(url, entry);
  redis.on("error", tell);
  let isOpen = true;
  return {
    redis,
    tell,
    close: () => {
      if (!isOpen) return;
      isOpen = false;
      redis.off("error", tell);
      entry.users -= 1;
      if (entry.users > 0) return;
      opened.delete(url);
      redis.disconnectAll();
    },
  };
}
