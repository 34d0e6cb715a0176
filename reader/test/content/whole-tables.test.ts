import { micromark } from "micromark";
import { gfm, gfmHtml } from "micromark-extension-gfm";
import { parse } from "parse5";
import { seeded } from "../../../test/faults/random.ts";
import { seeds } from "../../../test/support/long-run.ts";
import { extractPage } from "../../page/extract-page.ts";
import { proseFrom } from "../fixtures/extract/prose.ts";
import { pageWithTables, type RandomTable } from "./random-table.ts";

const url = "https://site.example/";

function read(html: string, onlyMainContent = true): { html: string; markdown: string } {
  const { html: written = "", markdown = "" } = extractPage(
    { html, url },
    { formats: ["html", "markdown"], onlyMainContent },
  );
  return { html: written, markdown };
}

interface HtmlNode {
  nodeName: string;
  value?: string;
  childNodes?: HtmlNode[];
}

function all(node: HtmlNode, names: readonly string[]): HtmlNode[] {
  return (node.childNodes ?? []).flatMap(child =>
    names.includes(child.nodeName) ? [child] : all(child, names),
  );
}

function textOf(node: HtmlNode): string {
  return node.nodeName === "#text" ? (node.value ?? "") : ` ${(node.childNodes ?? []).map(textOf).join("")} `;
}

/** The rows of each table of a page, as texts of cells, after parse5. */
function tablesOf(html: string): string[][][] {
  return all(parse(html) as unknown as HtmlNode, ["table"]).map(table =>
    all(table, ["tr"]).map(row =>
      all(row, ["td", "th"]).map(cell => textOf(cell).replace(/\s+/g, " ").trim()),
    ),
  );
}

/** Tables in Markdown, as their lines. */
function markdownTables(markdown: string): string[][] {
  const tables: string[][] = [[]];
  for (const line of markdown.split("\n")) {
    if (line.startsWith("|")) tables.at(-1)?.push(line);
    else if (tables.at(-1)?.length !== 0) tables.push([]);
  }
  return tables.filter(lines => lines.length > 0);
}

const key = (row: readonly string[]) => JSON.stringify(row);

/** What of the tables that came out is not as the page has it. */
function faults(html: string, tables: readonly RandomTable[]): string[] {
  const out = read(html);
  const whole = markdownTables(read(html, false).markdown);
  const found: string[] = [];
  for (const rows of tablesOf(out.html)) {
    const source = tables.find(table =>
      [...table.heads, ...table.rows].some(row => key(row) === key(rows.at(-1) ?? [])),
    );
    if (source === undefined) {
      found.push(`a row of no table: ${key(rows.at(-1) ?? [])}`);
      continue;
    }
    const known = [...source.heads, ...source.rows].map(key);
    for (const row of rows)
      if (!known.includes(key(row))) found.push(`a row that the page has not: ${key(row)}`);
    if (source.heads.length > 0 && key(rows[0] ?? []) !== key(source.heads[0] ?? []))
      found.push(`no head: ${key(rows[0] ?? [])}`);
    if (rows.length === source.heads.length) found.push(`a head alone: ${key(rows[0] ?? [])}`);
  }
  for (const [head, line, ...rows] of markdownTables(out.markdown)) {
    const source = whole.find(([first]) => first === head && (head !== line || first === line));
    const sources = whole.filter(([first]) => first === head);
    if (source === undefined) found.push(`another head: ${head}`);
    for (const row of rows)
      if (!sources.some(lines => lines.slice(2).includes(row))) found.push(`another row: ${row}`);
  }
  return found;
}

const marks = (text: string) => text.match(/\bq\d+z\b/g) ?? [];

/** The rows of all tables of a page, each as the marks of its cells, with those that a cell of the row above adds. */
function rowsWithSpans(tables: readonly RandomTable[]): Set<string> {
  const rows = tables.flatMap(({ heads, rows: all }) => [...heads, ...all]);
  const known = new Set<string>();
  rows.forEach((row, at) => {
    const own = row.map(marks);
    const above = at === 0 ? [] : marks(rows[at - 1]![0]!);
    known.add(own.flat().join(" "));
    known.add([...above, ...own.flat()].join(" "));
  });
  return known;
}

/** The rows of the tables in Markdown, as GFM reads it, without the cells that repeat one beside them. */
function gfmRows(markdown: string): string[] {
  const html = micromark(markdown, { extensions: [gfm()], htmlExtensions: [gfmHtml()] });
  return tablesOf(html).flatMap(rows =>
    rows.map(row =>
      row
        .filter((cell, at) => cell !== row[at - 1])
        .flatMap(marks)
        .join(" "),
    ),
  );
}

test.each(seeds(2, 40))(
  "each row of a table in Markdown is a row of the page, as GFM reads it (seed %i)",
  seed => {
    const random = seeded(seed + 500);
    for (let round = 0; round < 40; round++) {
      const { html, tables } = pageWithTables(random);
      const known = rowsWithSpans(tables);
      for (const isMain of [true, false]) {
        const strange = gfmRows(read(html, isMain).markdown).filter(row => row !== "" && !known.has(row));
        if (strange.length > 0) expect({ html, strange }).toEqual({ html, strange: [] });
      }
    }
  },
);

const hours = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"].map(
  (day, at) => [day, `${8 + at}:0${at} AM - ${6 + (at % 4)}:30 PM`] as const,
);
const ranks = [
  ["1", "Vermont", "78.10"],
  ["2", "Massachusetts", "76.43"],
  ["3", "New York", "71.44"],
] as const;

test.each([
  [
    "with a frame",
    (inner: string) =>
      `<header><nav><a href="/">Home</a><a href="/about">About</a></nav></header><main><article>${inner}</article></main><footer><p>Copyright 2026</p></footer>`,
  ],
  ["without a frame", (inner: string) => `<main><article>${inner}</article></main>`],
  [
    "in blocks",
    (inner: string) =>
      `<div class="menu"><a href="/">Home</a></div><div class="content">${inner}</div><div class="foot">Copyright 2026</div>`,
  ],
])("opening hours and ranks of states keep every cell, %s", (_, frame) => {
  const { paragraph } = proseFrom(4);
  for (const wrap of [
    (text: string) => text,
    (text: string) => `<p>${text}</p>`,
    (text: string) => `<ul><li>${text}</li></ul>`,
  ]) {
    const week = hours.map(([day, time]) => `<tr><td>${wrap(day)}</td><td>${wrap(time)}</td></tr>`).join("");
    const states = ranks
      .map(
        ([rank, state, score]) =>
          `<tr><td>${rank}</td><td>${wrap(`<a href="/s">${state}</a>`)}</td><td>${wrap(score)}</td></tr>`,
      )
      .join("");
    const html = `<body>${frame(
      `<h1>The mill</h1><p>${paragraph(6)}</p><table><tbody>${week}</tbody></table><p>${paragraph(6)}</p>
      <table><thead><tr><th>Rank</th><th>State</th><th>Score</th></tr></thead><tbody>${states}</tbody></table><p>${paragraph(6)}</p>`,
    )}</body>`;
    const rows = tablesOf(read(html).html);
    expect(rows).toEqual(
      [hours, [["Rank", "State", "Score"], ...ranks]].map(table => table.map(row => [...row])),
    );
  }
});

test.each(seeds(2, 40))("no row of a table loses a cell, and no row its head (seed %i)", seed => {
  const random = seeded(seed);
  for (let round = 0; round < 50; round++) {
    const { html, tables } = pageWithTables(random);
    const found = faults(html, tables);
    if (found.length > 0) expect({ html, found }).toEqual({ html, found: [] });
  }
});

test("most tables within the text of a page are kept", () => {
  const random = seeded(7);
  let [kept, count] = [0, 0];
  for (let round = 0; round < 50; round++) {
    const { html, tables } = pageWithTables(random);
    kept += tablesOf(read(html).html).length;
    count += tables.length;
  }
  expect(kept / count).toBeGreaterThan(0.5);
});

test.each([1, 2, 3, 4, 5, 6, 7, 8, 9, 10])(
  "a row of an infobox keeps its label before a list (prose %i)",
  seed => {
    const { paragraph } = proseFrom(seed);
    const words = (count: number) => paragraph(20).split(" ").slice(0, count).join(" ");
    const html = `<body><header><nav><a href="/">Home</a><a href="/about">About</a></nav></header><main><article>
    <h1>A test page of the mill</h1><p>${words(100)}</p><table class="infobox"><tbody><tr><th scope="row">Names</th>
    <td>Object PS<br>Probe 1</td></tr><tr><th scope="row">Makers</th><td><div class="plainlist"><ul><li>OKB-1</li>
    <li>Institute 4</li></ul></div></td></tr></tbody></table><p>${words(100)}</p></article></main>
    <footer><p>Copyright 2026</p></footer>`;
    expect(read(html).markdown).toContain(
      "| Names | Object PS<br>Probe 1 |\n| Makers | - OKB-1<br>- Institute 4 |",
    );
  },
);

test.each([
  [
    "a cell that is hidden in its place",
    '<tr><th>A</th><th class="sr-only">B</th><th>C</th></tr><tr><td>1</td><td aria-hidden="true">*</td><td>3</td></tr>',
    "| A |  | C |\n| --- | --- | --- |\n| 1 |  | 3 |",
  ],
  [
    "a cell that takes no place is none",
    '<tr><th>A</th><th hidden>B</th><th>C</th></tr><tr><td>1</td><td style="display: none">2</td><td>3</td></tr>',
    "| A | C |\n| --- | --- |\n| 1 | 3 |",
  ],
  [
    "heads that are buttons to sort by",
    "<tr><th><button>A</button></th><th><button>B</button></th></tr><tr><td>1</td><td>2</td></tr>",
    "| A | B |\n| --- | --- |\n| 1 | 2 |",
  ],
  [
    "a head without words, which the first row is not",
    "<thead><tr><th></th><th></th></tr></thead><tr><td>1</td><td>2</td></tr><tr><td>3</td><td>4</td></tr>",
    "|  |  |\n| --- | --- |\n| 1 | 2 |\n| 3 | 4 |",
  ],
  [
    "a row without cells before the head",
    "<tr></tr><tr><td>A</td><td>B</td></tr><tr><td>3</td><td>4</td></tr>",
    "| A | B |\n| --- | --- |\n| 3 | 4 |",
  ],
])("%s", (_, rows, wanted) => {
  expect(read(`<body><table>${rows}</table></body>`, false).markdown).toBe(wanted);
});
