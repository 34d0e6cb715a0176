import { defaultLimits } from "../../../services/contracts/caller.ts";
import { CallerCache } from "../../../services/keys/caller-cache.ts";

const caller = (keyId: string) => ({ keyId, owner: "ann", limits: defaultLimits });

test("holds no more than its capacity, the least recently used dropped first", () => {
  const cache = new CallerCache(2);
  cache.remember("a", caller("a"), cache.version);
  cache.remember("b", caller("b"), cache.version);
  cache.get("a");
  cache.remember("c", caller("c"), cache.version);
  expect(["a", "b", "c"].map(lookup => cache.get(lookup)?.keyId)).toEqual(["a", undefined, "c"]);
});

test("a read that began before a key changed is not kept", () => {
  const cache = new CallerCache();
  const { version } = cache;
  cache.forget("a");
  cache.remember("a", caller("a"), version);
  expect(cache.get("a")).toBeUndefined();
});
