/** Into how many shards the lanes are dealt out; stored with each lane, so it never changes. */
export const laneShards = 128;

/** Whoever works the lanes of this one does what one node has to do for all. */
export const leadingShard = 0;

/** The shard of a key's lane, 0 to `laneShards - 1`: FNV-1a of its characters, its halves folded. */
export function shardOf(keyId: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < keyId.length; at += 1) hash = Math.imul(hash ^ keyId.charCodeAt(at), 0x01000193);
  return ((hash ^ (hash >>> 16)) >>> 0) % laneShards;
}
