import { readFileSync } from "node:fs";
import { join } from "node:path";
import { tagOf } from "../../../../services/domain/opml/opml.ts";
import { type OpmlEntry, readOpml } from "../../../../services/domain/opml/read-opml.ts";
import { type OpmlRow, writeOpml } from "../../../../services/domain/opml/write-opml.ts";

const fixtures = join(import.meta.dirname, "../../../fixtures/opml");
const fixture = (name: string) =>
  readFileSync(join(fixtures, `${name}.opml`), "utf8").replaceAll("ORIGIN", "https://origin.example");

function read(text: string) {
  const reading = readOpml(text);
  if (!reading.ok) throw new Error(reading.reason);
  return reading;
}

const body = (outlines: string) => `<opml version="2.0"><head/><body>${outlines}</body></opml>`;
const entries = (outlines: string) => read(body(outlines)).entries;
const reasons = (outlines: string) => read(body(outlines)).failures.map(({ reason }) => reason);
/** Whatever the order and the lines. */
const list = (found: readonly OpmlEntry[]) =>
  found
    .map(({ line: _, tags, ...entry }) => ({ ...entry, tags: tags.toSorted() }))
    .toSorted((a, b) => (a.sid < b.sid ? -1 : 1));
const asRow = ({ line: _, ...entry }: OpmlEntry): OpmlRow => ({ ...entry, name: "Another name" });

describe("the documents of other programs", () => {
  test.each([
    ["miniflux", ["All", "All", "Science/Birds"]],
    ["freshrss", ["Uncategorized", "Städte", "Städte"]],
    ["netnewswire", ["", "Coast", "Coast+Daily"]],
  ])("%s: in and out they are equal", (name, tags) => {
    const reading = read(fixture(name));
    expect(reading.failures).toEqual([]);
    expect(reading.entries.map(entry => entry.tags.join("+"))).toEqual(tags);
    const again = read(writeOpml(reading.entries.map(asRow)));
    expect(list(again.entries)).toEqual(list(reading.entries));
    expect(again.failures).toEqual([]);
  });

  test("what they say of a feed is kept", () => {
    const [first] = read(fixture("miniflux")).entries;
    expect(first).toEqual({
      line: 9,
      source: "rss",
      sid: "https://origin.example/feed/nests?page=1&lang=en",
      tags: ["All"],
      listed: {
        title: "Nest notes",
        html_url: "https://nests.example/",
        description: "What <b>nests</b> tell",
      },
    });
  });
});

describe("a document of our own", () => {
  const rows: OpmlRow[] = [
    {
      source: "rss",
      sid: "https://a.example/feed?x=1&y=2",
      tags: ["A/B", `C & <D> "e" 'f'`],
      listed: { html_url: "https://a.example/", description: "d" },
      name: `A <&> "q"\nb\u0000c`,
      options: { interval: "15m", when: { contains: [`<a> & "b"`, "line\nbreak"] } },
    },
    {
      source: "web",
      sid: "https://w.example/",
      tags: [],
      listed: {},
      name: "W",
      options: { select: ["main"] },
    },
    { source: "microblog", sid: "bob", tags: ["A/B"], listed: {}, name: "Bob" },
  ];

  test("has what OPML cannot say", () => {
    const reading = read(writeOpml(rows));
    expect(reading).toMatchObject({ failures: [], isOwn: true });
    expect(list(reading.entries)).toEqual([
      { source: "microblog", sid: "bob", tags: ["A/B"], listed: { title: "Bob" } },
      {
        source: "rss",
        sid: rows[0]?.sid,
        tags: rows[0]?.tags,
        listed: { ...rows[0]?.listed, title: `A <&> "q" b c` },
        options: rows[0]?.options,
      },
      {
        source: "web",
        sid: "https://w.example/",
        tags: [],
        listed: { title: "W" },
        options: { select: ["main"] },
      },
    ]);
  });

  test("is the same for equal lists, in whatever order", () => {
    expect(writeOpml(rows.toReversed())).toBe(writeOpml(rows));
  });

  test("is one that can be read without sources, too", () => {
    expect(read(writeOpml([]))).toEqual({ ok: true, entries: [], failures: [], isOwn: true });
  });
});

describe("an outline", () => {
  const tags = (outlines: string) => entries(outlines).map(each => each.tags);

  test("has the folders around it and its categories as tags, once each", () => {
    const feed = (more = "") => `<outline text="f" xmlUrl="https://f.example/" ${more}/>`;
    expect(tags(`<outline text="A"><outline title="B">${feed()}</outline>${feed()}</outline>`)).toEqual([
      ["A/B", "A"],
    ]);
    expect(tags(feed(`category="/A/B,/C,,/A/B"`))).toEqual([["A/B", "C"]]);
    expect(tags(`<outline text=" "><outline text="A, b">${feed()}</outline></outline>`)).toEqual([["A; b"]]);
    expect(tags(feed(`category="${Array.from({ length: 30 }, (_, n) => `t${n}`)}"`))[0]).toHaveLength(20);
  });

  test("is a feed or a page", () => {
    const found = entries(`
      <outline text="a" XMLURL=" https://a.example/feed "/>
      <outline text="b" type="RSS" xmlUrl="feed://b.example/feed"/>
      <outline text="c" xmlUrl="feed:https://c.example/feed"/>
      <outline text="d" type="link" url="https://d.example/"/>
      <outline text="e" type="rss" htmlUrl="https://e.example/"/>
      <outline text="f" type="HTML+XPath" xmlUrl="https://f.example/"/>
      <outline text="g"/>`);
    expect(found.map(({ line, source, sid }) => [line, source, sid])).toEqual([
      [2, "rss", "https://a.example/feed"],
      [3, "rss", "http://b.example/feed"],
      [4, "rss", "https://c.example/feed"],
      [5, "web", "https://d.example/"],
      [6, "web", "https://e.example/"],
      [7, "web", "https://f.example/"],
    ]);
  });

  test.each([
    ["no address", `<outline type="rss" text="a"/>`, /no attribute `xmlUrl`/],
    ["another scheme", `<outline text="a" xmlUrl="ftp://a.example/"/>`, /not an http or https URL/],
    ["no URL", `<outline text="a" xmlUrl="a feed"/>`, /not an http or https URL/],
    ["a long URL", `<outline text="a" xmlUrl="https://a.example/${"x".repeat(2048)}"/>`, /2,048/],
    ["another document", `<outline type="include" url="https://a.example/b.opml"/>`, /includes another/],
    [
      "options that are no JSON",
      `<outline xmlns:m="urn:magpie:opml" xmlUrl="https://a.example/" m:options="{"/>`,
      /not JSON/,
    ],
    [
      "an account without its name",
      `<outline xmlns:m="urn:magpie:opml" m:source="microblog" text="a"/>`,
      /no attribute `magpie:sid`/,
    ],
  ])("fails with its line: %s", (_, outline, reason) => {
    expect(reasons(`\n${outline}`)).toEqual([expect.stringMatching(reason)]);
    expect(read(body(`\n${outline}`)).failures[0]?.line).toBe(2);
  });
});

test("what others write wrongly inside of attributes is read", () => {
  const [first, second] = entries(`
    <outline text="Fish & chips &eacute; &nbsp" xmlUrl="https://a.example/?a=1&b=2&copy=3"/>
    <outline text="x:y" x:y="z" xmlUrl="https://b.example/"/>`);
  expect([first?.sid, second?.sid]).toEqual(["https://a.example/?a=1&b=2&copy=3", "https://b.example/"]);
  expect(first?.listed.title).toContain("Fish & chips");
});

describe("a hostile or broken document is refused, whole", () => {
  test.each([
    ["nothing", "", /no element `opml`/],
    ["another format", "<rss version='2.0'><channel/></rss>", /no element `opml`/],
    ["no markup", "a list of feeds", /no element `opml`/],
    ["an end that is missing", `<opml><body><outline text="a">`, /broken: .*unclosed tag/],
    ["half a tag", `<opml><body><outline text="a`, /broken/],
    ["tags that do not match", "<opml><body></opml></body>", /broken: line 1, .*unexpected close tag/],
    ["entities", `<!DOCTYPE opml [<!ENTITY a "${"b".repeat(9)}">]><opml><body/></opml>`, /declares entities/],
    ["depth", body(`${"<outline>".repeat(60)}${"</outline>".repeat(60)}`), /deeper than 50/],
    [
      "sources",
      body(Array.from({ length: 5001 }, (_, n) => `<outline xmlUrl="https://a.example/${n}"/>`).join("")),
      /more than 5000/,
    ],
    ["failures", body(`<outline type="rss"/>`.repeat(5001)), /more than 5000/],
    ["outlines that say nothing", body("<outline/>".repeat(200_000)), /more than 20000 elements/],
    ["elements of others", body("<x/>".repeat(200_000)), /more than 20000 elements/],
    [
      "attributes",
      body(`<outline ${Array.from({ length: 200_000 }, (_, n) => `a${n}="1"`).join(" ")}/>`),
      /line 1 has more than 200 attributes/,
    ],
  ])("%s", (_, text, reason) => {
    expect(readOpml(text)).toEqual({ ok: false, reason: expect.stringMatching(reason) });
  });
});

test("a folder's name is read once, however long it is and however many sources it has", () => {
  const feeds = Array.from({ length: 5000 }, (_, n) => `<outline xmlUrl="https://a.example/${n}"/>`).join("");
  const name = "n".repeat(2_000_000);
  const nested = `${`<outline text="${name.slice(0, 40_000)}">`.repeat(40)}${feeds}${"</outline>".repeat(40)}`;
  for (const outlines of [`<outline text="${name}">${feeds}</outline>`, nested])
    expect(entries(outlines).at(-1)?.tags).toEqual(["n".repeat(64)]);
});

test("a category may be long, and what is behind the first 200 is left out", () => {
  const of = (category: string) =>
    entries(`<outline xmlUrl="https://a.example/" category="${category}"/>`)[0]?.tags;
  expect(of(`${",".repeat(100)}Birds/Coast`)).toEqual(["Birds/Coast"]);
  expect(of(`${",".repeat(3_000_000)}Birds`)).toEqual([]);
  expect(of("a/".repeat(1_500_000))).toEqual(["a/".repeat(32)]);
});

test.each([
  ["too long", JSON.stringify({ select: ["x".repeat(300_000)] })],
  ["nested too deep", `{"json":${"[".repeat(5000)}${"]".repeat(5000)}}`],
])("options that are %s are refused", (what, options) => {
  const outline = `<outline magpie:source="web" url="https://a.example/" magpie:options='${options}'/>`;
  const text = `<opml xmlns:magpie="urn:magpie:opml"><body>${outline}</body></opml>`;
  expect(read(text).failures[0]?.reason).toContain(what);
});

test.each([
  [["a", "b"], "a/b"],
  [[" a\n b ", ""], "a b"],
  [["a,b"], "a;b"],
  [["", " "], undefined],
  [["x".repeat(70)], "x".repeat(64)],
  [["🦜".repeat(40)], "🦜".repeat(32)],
])("the tag of folders: %j", (folders, tag) => {
  expect(tagOf(folders)).toBe(tag);
});
