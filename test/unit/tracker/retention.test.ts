import { fairShare } from "../../../services/tracker/maintenance/retention.ts";

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
