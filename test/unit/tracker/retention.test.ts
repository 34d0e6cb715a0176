import { changesSourcesOf } from "../../../services/domain/page-changes/changes-source.ts";
import { changesOf, fairShare } from "../../../services/tracker/maintenance/retention.ts";

const all = Number.MAX_SAFE_INTEGER;

test.each([
  [[], 100, all],
  [[10, 20, 30], 60, all],
  [[10, 20, 31], 60, 30],
  [[100, 100, 100], 60, 20],
  [[1, 1, 1000], 100, 98],
  [[50], 40, 40],
])("of sources with %j bytes, %i in all, each keeps at most %i", (sizes, bytes, share) => {
  expect(fairShare(sizes, bytes)).toBe(share);
});

test("what the shares leave fits", () => {
  for (let n = 1; n < 200; n += 1) {
    const sizes = Array.from({ length: n }, (_, at) => (at * 7919) % 1000);
    const share = fairShare(sizes, 20_000);
    expect(sizes.reduce((sum, size) => sum + Math.min(size, share), 0)).toBeLessThanOrEqual(20_000);
  }
});

test("what scrapes have kept counts under each tag, however many they are, and for its key alone", async () => {
  const numbered = (keyId: string, n: number) => `${changesSourcesOf(keyId)}${String(n).padStart(5, "0")}`;
  const own = Array.from({ length: 2500 }, (_, n) => numbered("b", n));
  const all = [numbered("a", 1), ...own, numbered("c", 1)];
  const history = {
    sourceIds: async (after: string, limit: number) => all.filter(id => id > after).slice(0, limit),
  };
  expect(await changesOf(history, "b")).toEqual(own);
});
