import { rankPages } from "../../../../services/domain/crawl/rank-pages.ts";

const page = (path: string, title: string | null = null, description: string | null = null) => ({
  url: new URL(path, "https://shop.example/").href,
  title,
  description,
});

const slices = { next: async () => true };

async function order(search: string, pages: ReturnType<typeof page>[]): Promise<string[]> {
  const ranked = await rankPages(pages, search, slices);
  expect(ranked.toSorted(byUrl)).toEqual(pages.toSorted(byUrl));
  return ranked.map(({ url }) => url.replace("https://shop.example", ""));
}

function byUrl(one: { url: string }, other: { url: string }): number {
  return one.url.localeCompare(other.url);
}

test.each<[string, string, ReturnType<typeof page>[], string[]]>([
  ["in the path", "refund", [page("/a"), page("/help/refund-policy")], ["/help/refund-policy", "/a"]],
  ["in the query", "boots", [page("/a"), page("/find?q=boots")], ["/find?q=boots", "/a"]],
  ["in the title", "refund", [page("/a"), page("/b", "Your refund")], ["/b", "/a"]],
  ["in the description", "refund", [page("/a"), page("/b", null, "All of refunds")], ["/b", "/a"]],
  ["in a title before a path", "boots", [page("/boots/x/y/z"), page("/b", "Boots")], ["/b", "/boots/x/y/z"]],
  ["all before some", "red boots", [page("/red"), page("/red-boots")], ["/red-boots", "/red"]],
  ["the beginning of a word", "instal", [page("/a"), page("/installation")], ["/installation", "/a"]],
  ["misspelled", "instalation", [page("/a"), page("/installation")], ["/installation", "/a"]],
  ["of camel case", "order", [page("/a"), page("/myOrder")], ["/myOrder", "/a"]],
  ["percent-encoded", "über", [page("/a"), page("/%C3%BCber")], ["/%C3%BCber", "/a"]],
  ["badly encoded", "sale", [page("/a"), page("/%E0%A4%A/sale")], ["/%E0%A4%A/sale", "/a"]],
  ["nowhere: in the order given", "zebra", [page("/b"), page("/a"), page("/c")], ["/b", "/a", "/c"]],
  ["no words at all", "?!", [page("/b"), page("/a")], ["/b", "/a"]],
])("%s", async (_, search, pages, wanted) => {
  expect(await order(search, pages)).toEqual(wanted);
});

test("a host below the site's name counts as words", async () => {
  const [docs, blog] = ["https://docs.shop.example/a", "https://blog.shop.example/a"];
  const pages = [blog, docs].map(url => ({ url, title: null, description: null }));
  expect((await rankPages(pages, "docs", slices)).map(({ url }) => url)).toEqual([docs, blog]);
});

test("pages that there is no time for come last, in the order given", async () => {
  const pages = [page("/a"), page("/red-1"), page("/b"), page("/red-2")];
  let left = 3;
  const ranked = await rankPages(pages, "red", { next: async () => left-- > 0 });
  expect(ranked).toEqual([pages[1], pages[0], pages[2], pages[3]]);
});

test("of a site of too many words the first ones are found", async () => {
  const word = (n: number) => `w${n.toString(36)}x`;
  const pages = Array.from({ length: 2000 }, (_, n) =>
    page(`/${n}`, Array.from({ length: 90 }, (__, each) => word(n * 90 + each)).join(" ")),
  );
  const [first, later] = [pages[10], pages[1990]] as const;
  expect((await rankPages(pages, word(10 * 90), slices))[0]).toBe(first);
  expect((await rankPages(pages, word(1990 * 90), slices))[0]).not.toBe(later);
  expect((await rankPages(pages, "1990", slices))[0]).not.toBe(later);
});
