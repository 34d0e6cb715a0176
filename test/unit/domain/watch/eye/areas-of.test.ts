import { landmarks, prose } from "../../../../fixtures/watching/frames.ts";
import { eventsOf, see } from "./watch-versions.ts";

const isTold = (before: string, after: string, view = {}) => {
  const versions = [before, before, after, after].map(part =>
    landmarks({ main: `<h1>Title</h1>${prose(3)}${part}` }),
  );
  return eventsOf(versions, view).length > 0;
};

const links = (...texts: string[]) =>
  `<ul>${texts.map((text, at) => `<li><a href="/${at}">${text}</a></li>`).join("")}</ul>`;

test.each<[string, string, string]>([
  [
    "a price",
    "<div><span>Recommended retail price</span> <b>€129</b></div>",
    "<div><span>Recommended retail price</span> <b>€99</b></div>",
  ],
  [
    "requirements",
    "<section><h3>Recommended requirements</h3><p>16 GB RAM</p></section>",
    "<section><h3>Recommended requirements</h3><p>32 GB RAM</p></section>",
  ],
  [
    "who can apply",
    "<section><h2>People who can apply</h2><p>Citizens</p></section>",
    "<section><h2>People who can apply</h2><p>Everybody</p></section>",
  ],
  [
    "a deadline",
    "<div><strong>Don't miss the deadline</strong><p>5 May</p></div>",
    "<div><strong>Don't miss the deadline</strong><p>15 April</p></div>",
  ],
  [
    "a programme",
    "<div><h3>Up next</h3><p>Band Alpha</p></div>",
    "<div><h3>Up next</h3><p>Band Bravo</p></div>",
  ],
  [
    "events",
    "<section><h2>热门活动</h2><p>五月音乐会</p></section>",
    "<section><h2>热门活动</h2><p>六月音乐会</p></section>",
  ],
  ["appointments", "<div><h3>推荐号源</h3><p>无号</p></div>", "<div><h3>推荐号源</h3><p>有号</p></div>"],
  [
    "forms",
    "<section><h2>Related documents</h2><p>Form A of 2025</p></section>",
    "<section><h2>Related documents</h2><p>Form A of 2026</p></section>",
  ],
  [
    "offers with prices",
    `<section><h2>Similar products</h2>${links("Boot € 90", "Shoe € 80", "Sandal € 70")}</section>`,
    `<section><h2>Similar products</h2>${links("Boot € 90", "Shoe € 60", "Sandal € 70")}</section>`,
  ],
  [
    "more text than links",
    `<section><h2>More news</h2>${links("One", "Two", "Three")}<p>The office is open from nine to five on all days.</p></section>`,
    `<section><h2>More news</h2>${links("One", "Two", "Three")}<p>The office is closed until the end of the month.</p></section>`,
  ],
  [
    "a bakery's cookies",
    "<section id=cookies><h2>Cookies</h2><ul><li>Oat cookie: sold out</li></ul></section>",
    "<section id=cookies><h2>Cookies</h2><ul><li>Oat cookie: baked</li></ul></section>",
  ],
  [
    "cookies to buy",
    "<section id=cookies><p>Oat cookie $3</p><button>Add</button></section>",
    "<section id=cookies><p>Oat cookie $2</p><button>Add</button></section>",
  ],
  [
    "forms of consent",
    "<section class=consent-forms><p>Consent of both parents</p></section>",
    "<section class=consent-forms><p>Consent of one parent</p></section>",
  ],
  [
    "a menu with prices",
    `<ul class="menu"><li><a href=/a>Soup 5 €</a></li><li><a href=/b>Fish 12 €</a></li></ul>`,
    `<ul class="menu"><li><a href=/a>Soup 5 €</a></li><li><a href=/b>Fish 14 €</a></li></ul>`,
  ],
  [
    "chapters",
    `<ul class="toc"><li><a href=/1>Chapter 1</a></li></ul>`,
    `<ul class="toc"><li><a href=/1>Chapter 1</a></li><li><a href=/2>Chapter 2</a></li></ul>`,
  ],
])("%s in the main content is seen, whatever it is called", (_, before, after) =>
  expect(isTold(before, after)).toBe(true),
);

test.each<[string, string, string]>([
  [
    "related links",
    `<section><h2>Recommended for you</h2>${links("Boots", "Shoes", "Wax")}</section>`,
    `<section><h2>Recommended for you</h2>${links("Lamps", "Hats", "Soap")}</section>`,
  ],
  [
    "most read in Chinese",
    `<div><h3>热门文章</h3>${links("一", "二", "三")}</div>`,
    `<div><h3>热门文章</h3>${links("四", "五", "六")}</div>`,
  ],
  [
    "contents of the page",
    `<ul class="toc"><li><a href="#a">One</a></li></ul>`,
    `<ul class="toc"><li><a href="#a">One</a></li><li><a href="#b">Two</a></li></ul>`,
  ],
  [
    "a box for cookies",
    "<div class=cookies><p>We use cookies</p><button>Accept</button></div>",
    "<div class=cookies><p>We use many cookies</p><button>Accept</button></div>",
  ],
  [
    "a notice of cookies",
    "<div class=cookie-notice><p>We use cookies</p></div>",
    "<div class=cookie-notice><p>We use many cookies</p></div>",
  ],
])("%s is beside the content", (_, before, after) => expect(isTold(before, after)).toBe(false));

test("a menu of the site with a cart is navigation", () => {
  const { lines } = see(
    `<div><ul class="menu"><li><a href="/a">Boots</a></li><li><a href="/c">Cart € 0.00</a></li></ul></div><main><h1>Title</h1>${prose(3)}</main>`,
  );
  expect(lines.filter(({ text }) => text.includes("Cart"))).toEqual([]);
});
