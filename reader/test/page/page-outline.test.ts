import { pageOutline } from "../../page/page-outline.ts";
import { parsePage } from "../../recipe/parse-page.ts";

const url = "https://shop.example/lamp";
const page = `<!doctype html><html><head><title>Lamp</title><style>p { color: red }</style></head><body>
  <nav><ul><li><a href="/">Home</a></li><li><a href="/lamps">Lamps</a></li></ul></nav>
  <main><div class="product-detail">
    <h1>A <em>brass</em> lamp</h1>
    <p>Now only <span class="price">€ 49.00</span> until <time datetime="2026-12-01">1 December</time>, <b>hurry</b>.</p>
    <div class="css-1q2w3e"><div>In stock</div></div>
    <p hidden>Sold out</p>
    <script>document.write("<p>no</p>")</script>
    <table><tr><th>Height</th><td>31 cm</td></tr></table>
  </div></main>
  <footer>© Lamps &amp; more</footer></body></html>`;

test("a page is the parts that say something, in order", () => {
  const said = pageOutline(page, url).map(({ tag, text }) => `${tag}: ${text}`);
  expect(said).toEqual([
    "a: Home",
    "a: Lamps",
    "h1: A brass lamp",
    "p: Now only € 49.00 until 1 December, hurry.",
    "span: € 49.00",
    "time: 1 December",
    "div: In stock",
    "th: Height",
    "td: 31 cm",
    "footer: © Lamps & more",
  ]);
});

test("the title of a page without a head is no part of it", () => {
  const said = pageOutline("<title>Lamp</title><h1>A lamp</h1>", url).map(({ tag }) => tag);
  expect(said).toEqual(["h1"]);
});

test("each selector finds its part alone, and none is a build tool's name", () => {
  const { root } = parsePage(page, url);
  const parts = pageOutline(page, url);
  for (const { selector, text } of parts)
    expect(root.querySelectorAll(selector).map(each => each.textContent.replace(/\s+/g, " ").trim())).toEqual(
      [text],
    );
  expect(parts.map(({ selector }) => selector).join()).not.toContain("css-1q2w3e");
  expect(parts.find(({ text }) => text === "€ 49.00")?.selector).toBe(".price");
});

test("the elements that hold a part can be chosen in its place, the nearest first", () => {
  const price = pageOutline(page, url).find(({ text }) => text === "€ 49.00");
  expect(price?.within.map(({ tag }) => tag)).toEqual(["p", "div", "main"]);
  expect(price?.within[1]?.selector).toBe(".product-detail");
});

test("a page of a million elements gives its beginning", () => {
  const huge = `<main>${"<p>line</p>".repeat(200_000)}</main>`;
  const parts = pageOutline(huge, url);
  expect(parts.length).toBeGreaterThan(0);
  expect(parts.length).toBeLessThanOrEqual(1000);
});

test("a page of deep nesting is no danger", () => {
  expect(pageOutline(`${"<div>".repeat(20_000)}deep`, url).length).toBeLessThanOrEqual(1);
});

const controls = `<main><h1>Boots</h1><a href="#main">Skip to content</a><button class="buy">Sold out</button><button title="Menu" class="menu"></button>
<select id="size"><option>38</option><option class="large">45</option></select><input type="submit" value="Send"><input type="hidden" value="t">
<meter value="3" max="10"></meter><i class="dot" title="Operational"></i><svg class="chart"><text>3 left</text></svg><img src="/a.png" alt="A boot">
<dialog open><p>Closed today</p></dialog><textarea>Dear all</textarea></main>`;

test("controls, drawings and icons are parts", () => {
  const said = pageOutline(controls, url).map(({ tag, text }) => `${tag}: ${text}`);
  expect(said).toEqual([
    ...[
      "h1: Boots",
      "button: Sold out",
      "button: Menu",
      "select: 38, 45",
      "option: 38",
      "option: 45",
      "input: Send",
    ],
    ...[
      "meter: 3 / 10",
      "i: Operational",
      "svg: 3 left",
      "img: A boot",
      "p: Closed today",
      "textarea: Dear all",
    ],
  ]);
});
