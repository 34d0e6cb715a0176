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

interface Entry {
  redis: RedisConnection;
  /** One for each who has it open. */
  tells: Set<(error: unknown) => void>;
}

const opened = new Map<string, Entry>();

/** The one connection of this process on which it asks a Redis and waits for no work; shared by all who open it. */
export function openSharedRedis(url: string, onError: (error: unknown) => void): SharedRedis {
  const entry = opened.get(url) ?? open(url);
  const { redis, tells } = entry;
  const tell = quiet(onError);
  tells.add(tell);
  opened.set(url, entry);
  let isOpen = true;
  return {
    redis,
    tell,
    close: () => {
      if (!isOpen) return;
      isOpen = false;
      tells.delete(tell);
      if (tells.size > 0) return;
      opened.delete(url);
      redis.disconnectAll();
    },
  };
}

function open(url: string): Entry {
  const tells: Entry["tells"] = new Set();
  const redis = askingConnection(url, error => {
    for (const tell of tells) tell(error);
  });
  return { redis: redis.setMaxListeners(mostListeners), tells };
}
