import { type FoundPage, uniteSources } from "../../../../services/crawler/map/found-pages.ts";

const found = (url: string, known: Partial<FoundPage> = {}): FoundPage => ({
  url,
  title: null,
  description: null,
  ...known,
});
const site = "https://site.example";
const everything = () => true;
const turns = { next: async () => true };

test("spellings of one page are one entry, the first one, with what any of them says", async () => {
  const sources = [
    { pages: [found(`${site}/a#x`), found(`${site}/b`)], isWhole: true },
    { pages: [found(`http://www.site.example/a/`, { linkText: "All of A" })], isWhole: true },
    { pages: [found(`${site}/a?utm_source=x`, { title: "A", description: "Of A." })], isWhole: true },
  ];
  expect(await uniteSources(sources, everything, turns)).toEqual({
    pages: [
      { url: `${site}/a`, title: "A", description: "Of A." },
      { url: `${site}/b`, title: null, description: null },
    ],
    isWhole: true,
  });
});

test("what is refused, or no web page, is left out; one source that is cut makes all incomplete", async () => {
  const pages = [found("ftp://site.example/"), found("nonsense"), found(`${site}/no`), found(`${site}/yes`)];
  const sources = [
    { pages, isWhole: true },
    { pages: [], isWhole: false },
  ];
  const united = await uniteSources(sources, url => url.endsWith("/yes"), turns);
  expect(united).toEqual({ pages: [{ url: `${site}/yes`, title: null, description: null }], isWhole: false });
});

test("there are 50,000 pages at the most", async () => {
  const pages = Array.from({ length: 50_001 }, (_, n) => found(`${site}/${n}`));
  const exact = await uniteSources([{ pages: pages.slice(1), isWhole: true }], everything, turns);
  expect([exact.pages.length, exact.isWhole]).toEqual([50_000, true]);
  const { pages: kept, isWhole } = await uniteSources([{ pages, isWhole: true }], everything, turns);
  expect([kept.length, kept.at(-1)?.url, isWhole]).toEqual([50_000, `${site}/49999`, false]);
});

test("when the time is over, what was looked at is the answer", async () => {
  const pages = Array.from({ length: 100 }, (_, n) => found(`${site}/${n}`));
  let left = 10;
  const short = { next: async () => left-- > 0 };
  const { pages: kept, isWhole } = await uniteSources([{ pages, isWhole: true }], everything, short);
  expect([kept.length, isWhole]).toEqual([10, false]);
});
