import { extractPage } from "../../page/extract-page.ts";
import { afterwards, type Fact, facts, furniture } from "../fixtures/extract/facts.ts";
import { proseFrom } from "../fixtures/extract/prose.ts";

const heading = "The mill at Linden";
const url = "https://linden.example/the-mill";
const names = ["Home", "News", "Culture", "Sport", "Contact", "Shop", "Archive", "About us"];
const menu = (count: number) =>
  `<ul>${names
    .slice(0, count)
    .map((name, at) => `<li><a href="/s${at}">${name}</a></li>`)
    .join("")}</ul>`;

/** Pages around an article, and what follows it. */
const frames: Record<string, (inner: string, after: string) => string> = {
  article: (inner, after) =>
    `<header><nav>${menu(6)}</nav></header><main><article><h1>${heading}</h1>${inner}</article>${after}</main><footer><p>Copyright 2026 Linden Press</p>${menu(4)}</footer>`,
  blog: (inner, after) =>
    `<div id="top"><div class="logo"><a href="/">Linden blog</a></div><div class="menu">${menu(5)}</div></div><div id="wrap"><div class="post"><h2 class="post-title">${heading}</h2><div class="entry">${inner}</div>${after}</div><div id="side"><h3>Archive</h3>${menu(8)}</div></div><div id="bottom">Powered by ink. ${menu(3)}</div>`,
  service: (inner, after) =>
    `<header class="site-header"><nav class="navbar">${menu(8)}</nav></header><div class="container"><section class="content-section"><h1>${heading}</h1>${inner}</section>${after}</div><footer class="site-footer"><div class="col">${menu(5)}</div><p>© Linden Ltd. All rights reserved.</p></footer>`,
};
const places = ["first", "between", "last", "below"] as const;

interface Case {
  frame: string;
  length: number;
  place: (typeof places)[number];
}

const cases = Object.keys(frames).flatMap(frame =>
  [1, 4].flatMap(length => places.map((place): Case => ({ frame, length, place }))),
);

const flat = (text: string) => text.replace(/[*_`\\|]/g, "").replace(/\s+/g, " ");

/** What is not in the Markdown of a page with such a part in it, and what is that should not be. */
function faults({ html, keeps, drops = [] }: Fact, { frame, length, place }: Case): string[] {
  const { paragraph } = proseFrom(frame.length * 31 + length);
  const prose = Array.from({ length: 2 + length }, () => paragraph(2 + length));
  const [first, ...rest] = prose.map(text => `<p>${text}</p>`);
  const inner = [place === "first" ? html : "", first, place === "between" ? html : "", ...rest];
  if (place === "last") inner.push(html);
  const page = frames[frame]!(inner.join(""), place === "below" ? html : "");
  const { markdown = "" } = extractPage(
    { html: `<title>${heading}</title><body>${page}</body>`, url },
    { formats: ["markdown"], onlyMainContent: true },
  );
  const text = flat(markdown);
  return [
    ...[...prose, ...keeps].filter(each => !text.includes(flat(each))).map(each => `lost: ${each}`),
    ...drops.filter(each => text.includes(flat(each))).map(each => `kept: ${each}`),
  ];
}

function faultsOf(fact: Fact, wanted: readonly Case["place"][]): string[] {
  return cases
    .filter(({ place }) => wanted.includes(place))
    .flatMap(each => faults(fact, each).map(fault => `${Object.values(each).join(" ")}: ${fault}`));
}

test.each(facts.map(fact => [fact.name, fact] as const))("keeps %s within the content", (_, fact) => {
  expect(faultsOf(fact, ["first", "between", "last"])).toEqual([]);
});

test.each(furniture.map(part => [part.name, part] as const))("leaves out %s", (_, part) => {
  expect(faultsOf(part, ["between", "last", "below"])).toEqual([]);
});

test.each(afterwards.map(part => [part.name, part] as const))("leaves out %s", (_, part) => {
  expect(faultsOf(part, ["below"])).toEqual([]);
});

const wrappers: [string, (code: string) => string][] = [
  [
    "beside a button to copy it",
    code =>
      `<div class="snippet-clipboard-content notranslate"><pre class="notranslate"><code>${code}</code></pre><div class="zeroclipboard-container"><clipboard-copy aria-label="Copy" value="x"></clipboard-copy></div></div>`,
  ],
  [
    "in a panel with a head",
    code =>
      `<div class="code panel"><div class="codeHeader panelHeader"><b>wheel.js</b></div><div class="codeContent panelContent"><pre>${code}</pre></div></div>`,
  ],
];

test.each(wrappers)("a block of code with words of furniture stays between paragraphs, %s", (_, wrap) => {
  const keeps = ["# Copyright (c) 2026 Linden Press. All rights reserved.", "login = subscribe_newsletter"];
  const html = wrap([...keeps, ...keeps.map(line => `${line} # sign up, share, comments`)].join("\n"));
  const read = (each: Case) => faults({ name: "code", html, keeps }, each);
  for (const frame of ["article", "blog"]) expect(read({ frame, length: 4, place: "between" })).toEqual([]);
  expect(read({ frame: "service", length: 4, place: "below" })).toHaveLength(keeps.length);
});

test("an article is not left out because comments on it are long", () => {
  const { paragraph } = proseFrom(3);
  const comments = Array.from({ length: 9 }, () => `<li class="comment"><p>${paragraph(4)}</p></li>`).join(
    "",
  );
  const text = paragraph(9);
  const html = `<meta property="og:type" content="article"><title>${heading}</title>
    <main><h1>${heading}</h1><p>${text}</p><ol class="comment-list">${comments}</ol></main>`;
  const read = (address: string) =>
    extractPage({ html, url: address }, { formats: [], onlyMainContent: true, text: true }).text ?? "";
  expect(read(url)).toBe(`${heading}\n${text}`);
  expect(read("https://linden.example/forum/the-mill").length).toBeGreaterThan(3 * text.length);
});

test("whole other articles below the one that the page is named after are left out", () => {
  const { paragraph, sentence } = proseFrom(5);
  const text = paragraph(12);
  const others = [1, 2].map(
    () => `<article class="story"><h1>${sentence()}</h1><p>${paragraph(12)}</p></article>`,
  );
  const html = `<meta property="og:type" content="article"><title>${heading} - Linden Press</title><body><main><article class="story"><h1>${heading}</h1><p>${text}</p></article>${others.join("")}</main></body>`;
  const { text: read } = extractPage({ html, url }, { formats: [], onlyMainContent: true, text: true });
  expect(read).toBe(`${heading}\n${text}`);
});

test("articles of a page that is not named after the first one are all content", () => {
  const { paragraph, sentence } = proseFrom(5);
  const articles = [1, 2, 3].map(() => ({ title: sentence(), text: paragraph(12) }));
  const html = `<title>Linden Press</title><body><main>${articles.map(({ title, text }) => `<article class="story"><h2>${title}</h2><p>${text}</p></article>`).join("")}</main></body>`;
  const { text: read = "" } = extractPage({ html, url }, { formats: [], onlyMainContent: true, text: true });
  for (const { title, text } of articles) expect(read).toContain(`${title}\n${text}`);
});

test("sections of an article are none of their own, though the first has the words of the title", () => {
  const { paragraph, sentence } = proseFrom(8);
  const sections = [`Why ${heading.toLowerCase()} stands`, sentence(), sentence()].map(title => ({
    title,
    text: paragraph(12),
  }));
  const html = `<title>${heading}</title><body><header><h1>Guides</h1></header><main>${sections.map(({ title, text }) => `<section><h2>${title}</h2><p>${text}</p></section>`).join("")}</main></body>`;
  const { text: read = "" } = extractPage({ html, url }, { formats: [], onlyMainContent: true, text: true });
  for (const { title, text } of sections) expect(read).toContain(`${title}\n${text}`);
});

test.each([
  ["a block", (text: string) => `<div>${text}</div>`],
  ["blocks in blocks", (text: string) => `<div><div>${text}</div></div>`],
  ["a block with breaks", (text: string) => `<div>${text.replaceAll(". ", ".<br><br>")}</div>`],
  ["a cell", (text: string) => `<table><tr><td>${text}</td></tr></table>`],
])("one paragraph in %s is the content of a page that is mostly links", (_, write) => {
  const { paragraph, sentence } = proseFrom(3);
  const text = paragraph(6);
  const lists = Array.from({ length: 4 }, (_, list) => {
    const items = Array.from(
      { length: 40 },
      (_, at) => `<li><a href="/n/${list}${at}">${sentence().slice(0, 40)}</a></li>`,
    );
    return `<div class="l${list}"><ul>${items.join("")}</ul></div>`;
  });
  const html = `<title>${heading} | Linden Press</title><body>${lists[0]}<div class="m">${lists[1]}<div class="c"><h1>${heading}</h1>${write(text)}</div>${lists[2]}</div>${lists[3]}</body>`;
  const { text: read = "" } = extractPage({ html, url }, { formats: [], onlyMainContent: true, text: true });
  expect(flat(read).replace(`${heading} `, "")).toBe(text);
});
