import { prose } from "../../../../fixtures/watching/frames.ts";
import { WatchedPage } from "../watched-page.ts";
import { see } from "./watch-versions.ts";

interface State {
  banner?: boolean;
  news?: string;
}
const [storm, sale] = ["Storm warning: stay at home tonight", "Free shipping this week"];

/** Pages whose parts have only a number of their place. */
const frames: [name: string, page: (state: State) => string][] = [
  [
    "Bootstrap",
    ({ banner, news = "" }) =>
      `${banner ? `<div class="container">${storm}</div>` : ""}<div class="container"><a href="/">Town</a> <a href="/n">News</a> <a href="/c">Contact</a></div><div class="container"><h1>Pool</h1>${prose(3)}<p>${news}</p></div><div class="container"><p>Imprint and privacy, all rights reserved</p></div>`,
  ],
  [
    "Tailwind",
    ({ banner, news = "" }) =>
      `<div class="min-h-screen">${banner ? `<div class="flex bg-red-500">${sale}</div>` : ""}<div class="flex mx-auto"><a href="/">Shop</a><a href="/cart">Cart</a></div><div class="flex mx-auto px-4"><h1>Bike X</h1><p>${news}</p>${prose(3)}</div><div class="flex mx-auto py-8"><a href="/i">Imprint</a><p>Newsletter: sign up now</p></div></div>`,
  ],
];

test.each(frames)("%s: a banner at the top is none of the main content, which is followed", (_, page) => {
  const watch = new WatchedPage({ content: "main" });
  for (const state of [{ news: "Sold out" }, { news: "Sold out" }, { banner: true, news: "Sold out" }])
    expect(watch.check(() => page(state))).toEqual([]);
  expect(watch.check(() => page({ banner: true, news: "In stock €499" }))).toEqual([
    "In stock €499",
    "Sold out",
  ]);
  expect(watch.check(() => page({ news: "In stock €499" }))).toEqual([]);
});

test.each(frames)("%s: the whole page tells the banner, and no heading that was there", (_, page) => {
  const watch = new WatchedPage();
  watch.check(() => page({ news: "Sold out" }));
  const told = watch.check(() => page({ banner: true, news: "Sold out" }));
  expect([[storm], [sale]]).toContainEqual(told);
  expect(watch.check(() => page({ banner: true, news: "Sold out" }))).toEqual([]);
  expect(watch.check(() => page({ news: "Sold out" }))).toEqual([expect.stringMatching(`${storm}|${sale}`)]);
});

const notice = `<div id="notice"><h1>Our new shop</h1>${prose(1)}</div>`;
const foot = "<footer><p>Company Ltd, Some Street 1</p></footer>";
const products = (count: number) =>
  Array.from(
    { length: count },
    (_, at) =>
      `<section><h2>Product ${"abcdefghij"[at]}</h2><p>A fine thing with many features that people want, made of wood and steel in style ${"abcdefghij"[at]}.</p></section>`,
  ).join("");

test("a main content that appears beside the kept one is judged anew", () => {
  const watch = new WatchedPage({ content: "main" });
  watch.check(() => notice + foot);
  watch.check(() => `${notice}<main>${products(8)}</main>${foot}`);
  expect(watch.check(() => `${notice}<main>${products(9)}</main>${foot}`)).toContain("## Product i");
});

test("where the kept part falls far below the page, it is judged anew", () => {
  const watch = new WatchedPage({ content: "main" });
  const short = `<div id="notice"><h1>Our new shop</h1><p>We open soon, come again in some days.</p></div>`;
  watch.check(() => short + foot);
  watch.check(() => `${short}<div id="list">${products(8)}</div>${foot}`);
  expect(watch.check(() => `${short}<div id="list">${products(9)}</div>${foot}`)).toContain("## Product i");
});

test("what was in the main content takes little room, however long it is", () => {
  const { main = [] } = see(`<main><h1>Long</h1>${products(9).repeat(200)}${prose(500)}</main>`);
  expect(main.filter(rule => rule.startsWith("=")).join("").length).toBeLessThan(1300);
});
