import type { Candidate } from "../../../../mixins/frontier/frontier.ts";
import { batchKey, offerUrls } from "../../../../services/crawler/batch/offer-urls.ts";
import type { CrawlerContext } from "../../../../services/crawler/context.ts";
import type { StoredCrawl } from "../../../../services/crawler/crawls.store.ts";

/** The steps that offering these URLs takes. */
async function stepsOf(urls: string[] | undefined): Promise<unknown[]> {
  const steps: unknown[] = [];
  const stores = {
    frontier: {
      offer: async (_: string, fence: number, pages: Candidate[]) => {
        steps.push([fence, ...pages.map(({ url }) => url)]);
        return pages.length;
      },
    },
    crawls: { update: async (_: string, update: unknown) => void steps.push(update) },
  };
  await offerUrls(stores as unknown as CrawlerContext, { _id: "crw", urls } as StoredCrawl, 7);
  return steps;
}

test("hosts take turns, each in the order of the list; the list goes last", async () => {
  const urls = [
    "https://a.test/1",
    "https://a.test/2",
    "https://a.test/3",
    "https://b.test/1",
    "https://c.test/1",
  ];
  expect(await stepsOf(urls)).toEqual([
    [7, "https://a.test/1", "https://b.test/1", "https://c.test/1", "https://a.test/2", "https://a.test/3"],
    { $unset: { urls: true } },
  ]);
});

test("a long list goes in slices; what is no batch, or was offered, in none", async () => {
  const steps = await stepsOf(Array.from({ length: 1000 }, (_, n) => `https://a.test/${n}`));
  expect(steps.map(step => (Array.isArray(step) ? step.length - 1 : step))).toEqual([
    500,
    500,
    { $unset: { urls: true } },
  ]);
  expect(await stepsOf(undefined)).toEqual([]);
});

test.each([
  ["HTTPS://A.test:443/b/../c", "https://a.test/c", true],
  ["https://a.test", "https://a.test/", true],
  ["https://a.test/c", "https://a.test/c/", false],
  ["https://a.test/c", "https://www.a.test/c", false],
  ["https://a.test/c", "http://a.test/c", false],
  ["https://a.test/c#x", "https://a.test/c", false],
])("%s and %s are one page: %p", (one, other, isOne) => {
  expect(batchKey(one) === batchKey(other)).toBe(isOne);
});
