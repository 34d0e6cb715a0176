import { mostSeen, newResults } from "../../../../services/domain/search/seen-results.ts";

const of = (...urls: string[]) => urls.map(url => ({ url }));
const numbered = (from: number, to: number) =>
  of(...Array.from({ length: to - from }, (_, n) => `https://example.com/${from + n}`));

test("an address is new once, in whatever spelling", () => {
  const first = newResults(
    "",
    of("https://example.com/a?utm_source=x&id=1#top", "http://www.example.com/a/?id=1"),
  );
  expect(first.fresh.map(({ url }) => url)).toEqual(["https://example.com/a?id=1"]);
  const again = newResults(first.seen, of("https://example.com/a?id=1&fbclid=2"));
  expect(again).toEqual({ fresh: [], seen: first.seen });
});

test("what is no web address is no result", () => {
  expect(newResults("", of("javascript:alert(1)", "ftp://example.com/")).fresh).toEqual([]);
});

test("the memory is bounded, and forgets what was not seen for longest", () => {
  const { seen } = newResults("", numbered(0, mostSeen));
  const renewed = newResults(seen, of("https://example.com/0"));
  expect(renewed.fresh).toEqual([]);
  const full = newResults(renewed.seen, numbered(mostSeen, mostSeen + 1));
  expect(full.seen).toHaveLength(seen.length);
  expect(newResults(full.seen, of("https://example.com/0")).fresh).toEqual([]);
  expect(newResults(full.seen, of("https://example.com/1")).fresh).toHaveLength(1);
});
