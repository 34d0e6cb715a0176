import { hasGap } from "../../../../services/domain/feed/compare-feed.ts";
import type { FeedItem } from "../../../../services/domain/feed/feed.ts";

/** Items as `k` for a known one or `n` for a new one, with the day of its date; `?` is none. */
function gapIn(text: string, current: number): boolean {
  const document = text.split(" ").map(
    (each): FeedItem => ({
      id: each,
      ...(!each.endsWith("?") && {
        date_published: `2026-03-${each.slice(1).padStart(2, "0")}T00:00:00.000Z`,
      }),
    }),
  );
  const isKnown = ({ id }: FeedItem) => id.startsWith("k");
  const compared = { known: document.filter(isKnown), fresh: document.filter(each => !isKnown(each)) };
  return hasGap(document, compared, current);
}

test.each([
  ["nothing that is known is left", "n9 n8 n7", 3],
  ["only a pinned one", "k1 n9 n8 n7", 4],
  ["only pinned ones", "k3 k1 n9 n8 n7", 5],
  ["only one that is pinned below the newest", "n9 k1 n8 n7", 4],
  ["several new ones are of one time", "k1 n9 n9 n8 n8", 5],
])("there may be a gap where %s: %s", (_, document, current) => {
  expect(gapIn(document, current)).toBe(true);
});

test.each([
  ["the last document was empty", "n9 n8 n7", 0],
  ["a known item is in its place", "k1 n9 n8 n7 k6", 5],
  ["the oldest item is the last one", "n9 n8 n7 k1", 4],
  ["nothing has left the feed", "k1 n9 n8 n7", 1],
  ["the feed has its oldest items first", "k1 n7 n8 n9", 4],
  ["the feed has no order", "k1 n8 n9 n7", 4],
  ["new items are older than the known one", "k8 n9 n7 n6", 4],
  ["all new items are of one time", "k1 n9 n9 n9", 4],
  ["the known item is as old as a new one", "k7 n9 n8 n7", 4],
  ["an item has no date", "k1 n9 n? n7", 4],
  ["the last item has no date", "k1 n9 n8 n?", 4],
  ["the known item has no date", "k? n9 n8 n7", 4],
  ["too few new items show an order", "k1 n9 n8", 3],
  ["most items are known", "k4 k3 k2 k1 n9 n8 n7", 9],
])("there is none where %s: %s", (_, document, current) => {
  expect(gapIn(document, current)).toBe(false);
});
