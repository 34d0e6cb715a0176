import { parseHtml } from "../../../../../reader/html/parse-html.ts";
import { readLines } from "../../../../../services/domain/watch/eye/read-lines.ts";
import { boxes, landmarks, prose } from "../../../../fixtures/watching/frames.ts";
import { eventsOf, reduced, see, url } from "./watch-versions.ts";

const linesOf = (main: string) =>
  readLines(parseHtml(reduced(`<title>T</title><main><h1>T</h1>${main}</main>`), { withDrawings: true }), url)
    .lines.slice(1)
    .map(({ text }) => text);

test.each<[string, string[]]>([
  ["<p>One <b>two</b></p><div>three<p>four</p>five</div>", ["One **two**", "three", "four", "five"]],
  [
    "<h2>Two</h2><ul><li>a<ul><li>b</li></ul></li><li><p>c</p><p>d</p></li></ul>",
    ["## Two", "- a", "- b", "- c", "d"],
  ],
  [
    '<ol start="3"><li>a</li><li value="7">b</li></ol><blockquote><p>q</p></blockquote>',
    ["3. a", "7. b", "> q"],
  ],
  ["<table><tr><th>A</th><th>B</th></tr><tr><td>1</td><td>2</td></tr></table>", ["| A | B |", "| 1 | 2 |"]],
  ["<dl><dt>Term</dt><dd>Meaning</dd></dl>", ["**Term**", "- Meaning"]],
  ['<p><a href="/x">Link</a></p>', ["[Link](https://miller.example/x)"]],
  [
    "<button>Buy</button><button disabled>Sell</button><input type=submit value=Send>",
    ["Buy", "Sell (disabled)", "Send"],
  ],
  ['<button aria-label="Close"><svg></svg></button><button title="Menu"></button>', ["Close", "Menu"]],
  ['<a class="btn disabled" href="/b">Buy</a>', ["[Buy (disabled)](https://miller.example/b)"]],
  [
    "<select><optgroup label=Large><option>44<option selected>45<option disabled>46</select>",
    ["Large", "44", "(x) 45", "46 (disabled)"],
  ],
  [
    "<label><input type=radio checked> Post</label><p><label><input type=checkbox disabled> Gift</label>",
    ["(x) Post", "(disabled) Gift"],
  ],
  [
    "<ul><li><input type=checkbox checked> Done</li><li><input type=checkbox> Open</li></ul>",
    ["- [x] Done", "- [ ] Open"],
  ],
  ["<p>Filled <meter value=3 max=10></meter></p><progress value=0.5></progress>", ["Filled 3 / 10", "0.5"]],
  [
    '<p>Until <time datetime="2026-12-01"></time>, <output>5</output> left</p>',
    ["Until 2026-12-01 , 5 left"],
  ],
  [
    '<p>Fee <input value="12" readonly> <input type=password value=x><input type=hidden value=y></p>',
    ["Fee 12"],
  ],
  [
    '<p><img src="/a.png" alt="A boot"></p><img alt="Map" src="data:image/gif;base64,AA">',
    ["![A boot](https://miller.example/a.png)", "Map"],
  ],
  [
    '<i class="dot" title="Operational"></i><p><span aria-label="4 of 5 stars">★★★★</span></p>',
    ["Operational", "★★★★ 4 of 5 stars"],
  ],
  [
    "<svg aria-label=Chart><text>x</text></svg><div><svg><g><text>Sold <tspan>out</tspan></text></g></svg></div>",
    ["Chart", "Sold out"],
  ],
  [
    "<p><del>$149</del> <ins>$99</ins></p><p><span class=old-price>$9</span> $8</p>",
    ["~~$149~~ $99", "~~$9~~ $8"],
  ],
  ['<p><span style="text-decoration: line-through">Size 38</span></p>', ["~~Size 38~~"]],
  ["<dialog open><p>Closed</p></dialog><dialog><p>Win</p></dialog>", ["Closed"]],
  ["<pre>a\nb</pre>", ["```", "a", "b", "```"]],
  ["<table><tr><td>9:00</td><td><button>Book</button></td></tr></table>", ["| 9:00 | Book |"]],
])("%s", (main, lines) => expect(linesOf(main)).toEqual(lines));

test("options after the thousandth are counted, and a change of one is seen", () => {
  const last = (size: string) => {
    const options = Array.from({ length: 1200 }, (_, at) => `<option>Size ${at === 1150 ? size : at}`);
    return linesOf(`<select>${options.join("")}</select>`).slice(1000);
  };
  expect(last("1150")).toEqual([expect.stringMatching(/^200 more options \(\w+\)$/)]);
  expect(last("sold out")).not.toEqual(last("1150"));
});

test("the document's title is a line: a heading where there is none, and left out where the heading says the same", () => {
  const titled = (title: string, main: string) => see(`<title>${title}</title><main>${main}</main>`).lines[0];
  expect(titled("Lift open", "<p>Karst, 1800 m above the sea</p>")).toEqual({
    text: "# Lift open",
    place: "title",
    area: "main",
  });
  expect(titled("Lift open", "<h1>Karst</h1><p>x</p>")).toEqual({
    text: "Lift open",
    place: "title",
    area: "header",
  });
  expect(titled("Lift open", "<h1>Lift: open</h1><p>x</p>")?.text).toBe("# Lift: open");
});

const areasOf = (html: string) =>
  Object.fromEntries(
    readLines(parseHtml(html, { withDrawings: true }), url).lines.map(({ text, area }) => [
      text.replace(/^[#\-\d. ]+/, ""),
      area,
    ]),
  );

test("each line has its area, by landmarks or by names", () => {
  const parts = {
    alert: '<div class="alert">Storm</div>',
    main: `<h1>Boots</h1>${prose(6)}<section class="comments"><p>Lovely</p></section><section class="x"><h2>Customers also bought</h2><ul><li><a href="/s">Socks</a></li><li><a href="/w">Wax</a></li><li><a href="/l">Laces</a></li></ul></section>`,
    aside: "<p>Hours</p>",
    footer: "<p>Ambach</p>",
    end: '<div class="cookie-banner"><p>We use cookies</p><button>Accept</button></div><div role="dialog"><p>Win a kettle</p></div>',
  };
  const expected = {
    ...{
      Boots: "main",
      Storm: "aside",
      Lovely: "comments",
      "[Socks](https://miller.example/s)": "related",
      Hours: "aside",
      Ambach: "footer",
    },
    ...{ "We use cookies": "consent", Accept: "consent", "Win a kettle": "dialog" },
  };
  expect(areasOf(landmarks(parts))).toMatchObject(expected);
  expect(areasOf(boxes(parts))).toMatchObject(expected);
  expect(areasOf(landmarks(parts))["[Belts](https://miller.example/belts)"]).toBe("navigation");
});

test("a restaurant's menu is none of the site, and recipes of cookies ask for no consent", () => {
  const areas = areasOf(
    boxes({
      main: `<h1>Today</h1><div class="menu"><p>Leek soup, 6 euros</p></div><div class="cookies"><p>Bake the dough</p></div>${prose(4)}`,
    }),
  );
  expect([areas["Leek soup, 6 euros"], areas["Bake the dough"]]).toEqual([
    expect.stringMatching(/^(?:main|aside)$/),
    "main",
  ]);
});

test("places are equal at each check, whatever is generated or a state", () => {
  const places = (html: string) => see(html).lines.map(({ place }) => place);
  const page = (card: string, id: string) =>
    landmarks({
      main: `<h1>Boots</h1><div class="${card}" id="${id}"><p>One</p><p>Two</p></div><div id="stock"><p>3 left</p></div>`,
    });
  expect(places(page("css-1q2w3e card is-open", "r17k9x2z"))).toEqual(places(page("card", "r99q1y7w")));
  expect(places(page("card", ""))).toEqual(
    expect.arrayContaining(["main>div.card>p", "main>div.card>p:2", "#stock>p"]),
  );
});

test("content chooses the areas that count", () => {
  const parts = (state: number) => ({
    main: `<h1>Boots</h1>${prose(6)}<button>${state ? "Buy" : "Wait"}</button>`,
    aside: `<p>Offer ${state}</p>`,
    footer: `<p>Open ${state}</p>`,
  });
  for (const frame of [landmarks, boxes]) {
    const versions = [0, 0, 1, 1, 1].map(state => frame(parts(state)));
    expect(
      eventsOf(versions)
        .flatMap(({ added }) => added)
        .sort(),
    ).toEqual(["Buy", "Offer 1", "Open 1"]);
    expect(eventsOf(versions, { content: "main" })).toEqual([]);
  }
});

const placesIn = ({ main = [] }: { main?: readonly string[] }) => main.filter(rule => !rule.startsWith("="));

test("where the main content is, is judged once, and kept until its places are gone", () => {
  const page = (paragraphs: number, extra = "") =>
    boxes({ main: `<h1>Boots</h1>${prose(paragraphs)}${extra}`, aside: `<p>${"Word ".repeat(10)}</p>` });
  const first = see(page(6));
  expect(first.main).toContain("+#page>div.layout>div.content");
  const later = see(page(6, "<p>New</p>"), {}, first);
  expect(later.lines.find(({ text }) => text === "New")?.area).toBe("main");
  expect(placesIn(later)).toEqual(placesIn(first));
  const little = see(page(1), {}, first);
  expect(placesIn(little)).toEqual(placesIn(first));
  const other = see(landmarks({ main: `<h1>Boots</h1>${prose(4)}` }), {}, first);
  expect(placesIn(other)).toEqual(["+main"]);
});
