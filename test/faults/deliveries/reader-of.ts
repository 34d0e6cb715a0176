import { Follower } from "./follower.ts";
import { Puller } from "./puller.ts";
import type { Reader } from "./reader.ts";

/** One of each four keys pulls its events, the others follow a stream. */
export function readerOf(key: number, value: string, address: () => string): Reader {
  return key % 4 === 3 ? new Puller(value, address) : new Follower(value, address);
}
