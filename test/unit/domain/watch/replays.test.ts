import { judge, type Memory, type WatchChange } from "../../../../services/domain/watch/judge.ts";
import { takeSnapshot } from "../../../../services/domain/watch/snapshot.ts";
import type { View } from "../../../../services/domain/watch/view.ts";

const url = "https://shop.example/thing";

/** What a watch of these versions of a page tells, one after the other: a change, a problem, or nothing. */
function watch(view: View, versions: string[]): (WatchChange | string | null)[] {
  let memory: Memory | undefined;
  return versions.map(body => {
    const html = `<!doctype html><html lang="en"><title>Thing</title><body>${body}</body></html>`;
    const snapshot = takeSnapshot({ html, url, title: "Thing", language: "en" }, view, memory);
    if (!snapshot.ok) return snapshot.reason;
    const verdict = judge(memory, snapshot, view, 0);
    expect(verdict.outcome === "changed").toBe(verdict.change !== undefined);
    expect(verdict.why).toMatch(/^[A-Z\d].*\.$/s);
    // As it is stored: the memory is JSON.
    memory = JSON.parse(JSON.stringify(verdict.memory)) as Memory;
    return verdict.change ?? null;
  });
}

/** A change by its added and removed lines. */
function shown(change: WatchChange | string | null): unknown {
  if (change === null || typeof change === "string") return change;
  const { added, removed, fields, value } = change;
  if (fields) return fields;
  return value ? [value.from, value.to] : { added, removed };
}

const page = (...parts: string[]) => `<main><h1>Thing</h1>${parts.join("")}</main>`;
const text = "<p>A long text about the thing, which stays as it is for all the looks at this page.</p>";
const price = (amount: string) => page(`<p class="price">${amount}</p>`, text);
const list = (...items: string[]) =>
  page(text, `<ul class="list">${items.map(item => `<li>${item}</li>`).join("")}</ul>`);
const quote = (words: string) => page(text, `<blockquote>${words}</blockquote>`);
const clock = (time: string, state: string) =>
  page(
    `<p>Last updated: 2026-11-23 ${time}</p><p>Local time: ${time}</p><p class="state">${state}</p>`,
    text,
  );
const product = (offer: object) =>
  page(
    `<script type="application/ld+json">${JSON.stringify({
      "@context": "https://schema.org",
      "@type": "Product",
      name: "Thing",
      offers: { "@type": "Offer", priceCurrency: "EUR", ...offer },
    })}</script>`,
    text,
  );
const stockSchema = {
  type: "object",
  properties: { name: { type: "string" }, price: { type: "number" }, availability: { type: "string" } },
};
const [below20, any]: View[] = [
  { select: [".price"], when: { value: { below: 20 } } },
  {},
] as const satisfies View[];

const replays: [string, View, string[], unknown[]][] = [
  [
    "a clock in the page is no change, and a change beside it is one",
    { select: ["main"] },
    [clock("10:00", "Open"), clock("10:05", "Open"), clock("10:10", "Closed"), clock("10:15", "Closed")],
    [null, null, { added: ["Closed"], removed: ["Open"] }, null],
  ],
  [
    "a clock that somebody points at is a change",
    { select: [".clock"] },
    ["10:00", "10:05"].map(time => page(`<p class="clock">Last updated: 2026-11-23 ${time}</p>`, text)),
    [null, { added: ["Last updated: 2026-11-23 10:05"], removed: ["Last updated: 2026-11-23 10:00"] }],
  ],
  [
    "an empty selection is a problem, and its end no change",
    { select: [".price"] },
    [price("€ 20"), page(text), page('<p class="price"></p>', text), price("€ 20"), price("€ 21")],
    [
      null,
      "The selection `.price` finds nothing on this page.",
      "The selection `.price` is empty on this page.",
      null,
      { added: ["€ 21"], removed: ["€ 20"] },
    ],
  ],
  [
    "ignored lines, by text and by expression, whatever their markup",
    { ignore: ["people are looking", "/^stock #\\d+$/i"] },
    [1, 2, 3].map(n =>
      page(`<p><b>${n * 7}</b> people are looking</p><p>Stock #${n}</p><p>Fee ${n > 2 ? 6 : 5}</p>`, text),
    ),
    [null, null, { added: ["Fee 6"], removed: ["Fee 5"] }],
  ],
  [
    "a page of ignored lines alone is neither a problem nor a change",
    { select: [".alerts"], ignore: ["no alerts"] },
    ["No alerts today", "No alerts at all", "Fire in hall 3", "No alerts"].map(alert =>
      page(`<div class="alerts">${alert}</div>`, text),
    ),
    [null, null, { added: ["Fire in hall 3"], removed: [] }, { added: [], removed: ["Fire in hall 3"] }],
  ],
  [
    "markup and white space alone make no empty difference",
    any,
    [
      page("<p>One two</p>", text),
      page("<p>One  <b>two</b></p>", text),
      page("<div>\n One two\n</div>", text),
    ],
    [null, null, null],
  ],
  [
    "a rotating quote: each one once",
    { unique_lines: true },
    ["Apples", "Pears", "Apples", "Pears", "Plums", "Apples", "Plums"].map(quote),
    [
      null,
      { added: ["> Pears"], removed: ["> Apples"] },
      null,
      null,
      { added: ["> Plums"], removed: [] },
      null,
      null,
    ],
  ],
  [
    "a price below a limit, once, and again after it went above",
    below20,
    ["€ 25.00", "€ 19.99", "€ 18.00", "€ 21.00", "€ 19.00", "€ 19.00"].map(price),
    [null, [25, 19.99], null, null, [21, 19], null],
  ],
  [
    "a price that is below from the first check on has not crossed the limit",
    below20,
    ["€ 15", "€ 14", "sold out", "€ 16", "€ 30", "€ 16"].map(price),
    [null, null, null, null, null, [30, 16]],
  ],
  [
    "a price that is not there for a while crosses the limit when it is back",
    below20,
    ["€ 25", "sold out", "€ 15"].map(price),
    [null, null, [25, 15]],
  ],
  [
    "thousands: in each way of writing",
    { select: [".price"], when: { value: { above: 1250 } } },
    ["$1,199.00", "US$ 1,249.99", "$1,299", "$1,300"].map(price),
    [null, null, [1249.99, 1299], null],
  ],
  [
    "per cent, of the number that was reported last",
    { when: { value: { select: "//p[@class='price']", changed_by_percent: 10 } } },
    ["€ 100", "€ 105", "€ 109", "€ 111", "€ 120", "€ 99"].map(price),
    [null, null, null, [100, 111], null, [111, 99]],
  ],
  [
    "a price with a condition on the text: it counts once the text allows it",
    { when: { contains: ["in stock"], value: { select: ".price", below: 20 } } },
    [
      ["25", "In stock"],
      ["15", "Sold out"],
      ["15", "In stock"],
      ["14", "In stock"],
    ].map(([amount, stock]) => page(`<p class="price">€ ${amount}</p><p>${stock}</p>`, text)),
    [null, null, [25, 15], null],
  ],
  [
    "a shrinking list: what was removed alone, also what came in between",
    { select: [".list"], when: { removed_only: true } },
    [list("A", "B"), list("A", "B", "C"), list("A", "B"), list("B", "A"), list("B")],
    [null, null, { added: [], removed: ["- C"] }, null, { added: [], removed: ["- A"] }],
  ],
  [
    "a growing list: what was added alone",
    { select: [".list"], when: { added_only: true } },
    [list("A", "B"), list("A"), list("A", "B"), list("B", "A"), list("B", "A", "C")],
    [null, null, { added: ["- B"], removed: [] }, null, { added: ["- C"], removed: [] }],
  ],
  [
    "a shrinking and growing list, each line once",
    { select: [".list"], unique_lines: true },
    [list("A", "B"), list("A"), list("A", "B"), list("A", "B", "C"), list("A"), list("A", "C")],
    [null, null, null, { added: ["- C"], removed: [] }, null, null],
  ],
  [
    "words of lines that were added",
    { when: { added_only: true, contains: ["ticket"], not_contains: ["/sold out/i"] } },
    [
      list("News"),
      list("News", "Weather"),
      list("News", "Tickets: SOLD OUT"),
      list("News", "Tickets from Monday"),
    ],
    [null, null, null, { added: ["- Tickets from Monday"], removed: [] }],
  ],
  [
    "a text that must be there holds the watch, and what changes meanwhile is not lost",
    { when: { contains: ["in stock"] } },
    [
      page("<p>Sold out</p><p>Red</p>", text),
      page("<p>Sold out</p><p>Blue</p>", text),
      page("<p>In  stock</p><p>Blue</p>", text),
      page("<p>Sold out</p><p>Blue</p>", text),
    ],
    [null, null, { added: ["In stock", "Blue"], removed: ["Sold out", "Red"] }, null],
  ],
  [
    "a stock state as fields",
    { json: { schema: stockSchema } },
    [
      product({ price: "19.99", availability: "https://schema.org/OutOfStock" }),
      product({ price: "19.99", availability: "https://schema.org/OutOfStock" }),
      product({ price: "19.99", availability: "https://schema.org/InStock" }),
      product({ price: "17.5", availability: "https://schema.org/InStock" }),
      product({ availability: "https://schema.org/InStock" }),
      product({ price: "17.5", availability: "https://schema.org/InStock" }),
    ],
    [
      null,
      null,
      { availability: { from: "OutOfStock", to: "InStock" } },
      { price: { from: 19.99, to: 17.5 } },
      { price: { from: 17.5, to: null } },
      { price: { from: null, to: 17.5 } },
    ],
  ],
  [
    "fields of a page that comes to show none are a problem",
    { json: { recipe: { version: 1, fields: { price: { selector: ".price", type: "number" } } } } },
    [price("€ 20"), page(text), price("€ 20")],
    [null, "None of the fields of this watch is found on this page.", null],
  ],
  [
    "a ranking whose entries change places, and no entry of it is new",
    any,
    [list("A", "B", "C"), list("B", "A", "C"), list("B", "A", "C"), list("C", "B", "A")],
    [null, { added: ["- A"], removed: ["- A"] }, null, { added: ["- C"], removed: ["- C"] }],
  ],
  [
    "a ranking whose entries change places, where only what is new counts",
    { select: [".list"], unique_lines: true },
    [list("A", "B", "C"), list("B", "A", "C"), list("B", "A", "C", "D")],
    [null, null, { added: ["- D"], removed: [] }],
  ],
  [
    "a listing that loses an entry together with its noise: the entry alone is named",
    any,
    [
      page(text, "<p>Last updated: 1 May 2026</p><p>Lark, 300 euros</p><p>12 people are viewing this</p>"),
      page(text, "<p>Wren, 200 euros</p>"),
      page(text, "<p>Last updated: 2 May 2026</p><p>Wren, 200 euros</p><p>9 people are viewing this</p>"),
      page(text),
    ],
    [
      null,
      { added: ["Wren, 200 euros"], removed: ["Lark, 300 euros"] },
      null,
      { added: [], removed: ["Wren, 200 euros"] },
    ],
  ],
  [
    "a testimonial that rotates: told twice, then only what else changes",
    any,
    [..."ABCABCABC"]
      .map(name => page(text, "<p>In stock</p>", `<blockquote>Praise of ${name}</blockquote>`))
      .concat(page(text, "<p>Sold out</p>", "<blockquote>Praise of B</blockquote>")),
    [
      null,
      { added: ["> Praise of B"], removed: ["> Praise of A"] },
      { added: ["> Praise of C"], removed: ["> Praise of B"] },
      null,
      null,
      null,
      null,
      null,
      null,
      { added: ["Sold out"], removed: ["In stock"] },
    ],
  ],
  [
    "parts that are removed",
    { remove: [".comments", "//div[@id='ads']"] },
    [1, 2].map(n => page(text, `<div class="comments">Comment ${n}</div><div id="ads">Buy ${n}</div>`)),
    [null, null],
  ],
];

test.each(replays)("%s", (_, view, versions, expected) => {
  expect(watch(view, versions).map(shown)).toEqual(expected);
});
