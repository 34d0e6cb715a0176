import { ulid } from "ulid";
import { laneShards, shardOf } from "../../../../services/domain/delivery/shard.ts";

test.each([
  ["k", 102],
  ["key-0", 57],
  ["01J9ZQ7W3N5T8K2M4P6R9S1V3X", 106],
])("%s has a shard that is stored, so it stays what it is", (keyId, shard) => {
  expect(shardOf(keyId)).toBe(shard);
});

test.each([
  ["numbered", (n: number) => `key-${n}`],
  ["the service's own", () => ulid()],
])("%s keys spread evenly", (_, keyOf) => {
  const shards = Array.from({ length: laneShards * 100 }, (_, n) => shardOf(keyOf(n)));
  const counts = [...Map.groupBy(shards, shard => shard).values()].map(({ length }) => length);
  expect(counts).toHaveLength(laneShards);
  expect(Math.min(...counts)).toBeGreaterThan(40);
  expect(Math.max(...counts)).toBeLessThan(200);
});
