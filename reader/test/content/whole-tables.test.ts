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
