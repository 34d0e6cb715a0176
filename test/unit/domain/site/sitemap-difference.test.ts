import {
  differenceIn,
  type EntryMark,
  type KnownEntry,
  type SitemapEntry,
  sortedEntries,
} from "../../../../services/domain/site/sitemap-difference.ts";
import { seeded } from "../../../faults/random.ts";

const at = Date.UTC(2026, 10, 27, 12);
const dayMs = 86_400_000;
const entry = (key: string, lastmod: number | null): SitemapEntry => ({
  key,
  url: `https://${key}`,
  lastmod,
});

/** The difference, by slices of so many pages. */
function whole(entries: SitemapEntry[], known: KnownEntry[], slice: number, isComplete = true) {
  const fresh: string[] = [];
  const marks: EntryMark[] = [];
  for (let [next, from] = [0, 0]; ; from += slice) {
    const isLast = from + slice >= known.length;
    const some = differenceIn(entries, next, known.slice(from, from + slice), {
      ...{ isLast, isComplete, at },
      ...{ isTrusted: true, isDaily: true },
    });
    fresh.push(...some.fresh.map(({ key }) => key));
    marks.push(...some.marks);
    next = some.next;
    if (isLast) return { fresh, marks };
  }
}

test("new addresses, newer times and what has left the sitemap; older times change nothing that is due", () => {
  const known = [
    { key: "a", listed: { lastmod: 10 }, state: "there" },
    { key: "b", listed: { lastmod: 10 }, state: "there" },
    { key: "c", listed: { lastmod: 10 }, state: "there" },
    { key: "d", state: "there" },
    { key: "e", listed: { lastmod: 10 }, state: "there" },
  ];
  const entries = [entry("a", 10), entry("aa", 5), entry("b", 20), entry("c", 5), entry("f", null)];
  expect(whole(entries, known, 2)).toEqual({
    fresh: ["aa", "f"],
    marks: [
      { key: "b", listed: { lastmod: 20 }, isDue: true },
      { key: "c", listed: { lastmod: 5 }, isDue: false },
      { key: "e", listed: null, isDue: true },
    ],
  });
});

test("a sitemap that was read in part says nothing of what it lacks", () => {
  const known = [{ key: "a", listed: { lastmod: 10 }, state: "there" }];
  expect(whole([], known, 10, false).marks).toEqual([]);
});

test("a page whose time is the present day may change once more on it", () => {
  const today = Math.floor(at / dayMs) * dayMs;
  const known = [
    { key: "a", listed: { lastmod: today }, state: "there" },
    { key: "b", listed: { lastmod: today - dayMs }, state: "there" },
  ];
  expect(whole([entry("a", today), entry("b", today - dayMs)], known, 10).marks).toEqual([
    { key: "a", listed: { lastmod: today }, isDue: true },
  ]);
});

test("of two entries of one page the later time counts", () => {
  expect(sortedEntries([entry("b", 1), entry("a", 5), entry("a", 7), entry("a", null)])).toEqual([
    entry("a", 7),
    entry("b", 1),
  ]);
});

test("slices of any size find the same", () => {
  const random = seeded(3);
  for (let round = 0; round < 200; round += 1) {
    const keys = Array.from({ length: 30 }, (_, n) => String.fromCharCode(97 + (n % 26)) + n).sort();
    const lastmod = () => (random() < 0.2 ? null : Math.floor(random() * 3));
    const entries = sortedEntries(keys.flatMap(key => (random() < 0.6 ? entry(key, lastmod()) : [])));
    const known = keys.flatMap((key): KnownEntry[] =>
      random() < 0.6
        ? [{ key, state: "there", ...(random() < 0.8 && { listed: { lastmod: lastmod() } }) }]
        : [],
    );
    const expected = whole(entries, known, 1000);
    for (const slice of [1, 2, 7]) expect(whole(entries, known, slice)).toEqual(expected);
    const isKnown = new Set(known.map(({ key }) => key));
    expect(expected.fresh).toEqual(entries.flatMap(({ key }) => (isKnown.has(key) ? [] : key)));
  }
});
