import type { Random } from "../../../test/faults/random.ts";
import { proseFrom } from "../fixtures/extract/prose.ts";

/** A table in a page, and the cells of its rows as texts. Each cell has a word that is nowhere else on the page. */
export interface RandomTable {
  html: string;
  /** The rows that have heads of columns only. */
  heads: string[][];
  rows: string[][];
}

const names = "Alba|Bremen|New York|Gent|Porto|San Sebastian|Delft|Riga|Cork|Lyon".split("|");
const classes = [
  ..."infobox|wikitable|data|specs|sidebar|related|share|table table-striped|opening-hours|comments".split(
    "|",
  ),
  ..."promo|footer-links|product-table|widget|ad-free|results sortable|nav-table|".split("|"),
];

class TableWriter {
  private readonly random: Random;
  private readonly mark: () => string;

  constructor(random: Random, mark: () => string) {
    this.random = random;
    this.mark = mark;
  }

  below(end: number): number {
    return Math.floor(this.random() * end);
  }

  pick<Item>(items: readonly Item[]): Item {
    return items[this.below(items.length)] as Item;
  }

  text(): string {
    const { sentence } = proseFrom(this.below(10_000));
    const of = [
      () => `${this.below(9000) / 100}`,
      () => this.pick(names),
      () => `${this.pick(names)}, ${this.pick(names)}`,
      () => `$${this.below(900)}.50`,
      () => `${this.below(12)}:${10 + this.below(49)} AM - ${this.below(12)}:00 PM`,
      sentence,
      () => "",
    ];
    return `${this.mark()} ${this.pick(of)()}`.trim();
  }

  /** A cell's content with its text. */
  content(): [html: string, text: string] {
    const text = this.text();
    const more = this.text();
    return this.pick<[string, string]>([
      [text, text],
      [text, text],
      [text, text],
      [`<p>${text}</p>`, text],
      [`<div class="value"><span>${text}</span></div>`, text],
      [`<a href="/x">${text}</a>`, text],
      [`<div class="plainlist"><ul><li>${text}</li><li>${more}</li></ul></div>`, `${text} ${more}`],
      [`<ul class="share-links"><li><a href="/s">${text}</a></li></ul>`, text],
      [`<p>${text}</p><p class="related">${more}</p>`, `${text} ${more}`],
      [`${text}<br>${more}`, `${text} ${more}`],
      ["<p>—</p>", "—"],
      ['<div><img src="/i.png" alt=""></div>', ""],
      ["", ""],
    ]);
  }

  row(tag: () => string, widths: readonly string[]): [html: string, texts: string[]] {
    const cells = widths.map(attributes => {
      const [html, text] = this.content();
      const name = tag();
      return { html: `<${name}${attributes}>${html}</${name}>`, text };
    });
    return [`<tr>${cells.map(({ html }) => html).join("")}</tr>`, cells.map(({ text }) => text)];
  }

  /** As many columns as the table has, sometimes with one cell over two of them. */
  widths(columns: number): string[] {
    if (columns < 3 || this.random() < 0.85) return Array.from({ length: columns }, () => "");
    return [' colspan="2"', ...Array.from({ length: columns - 2 }, () => "")];
  }

  /** A row whose first cell belongs to the next one too. */
  pair(columns: number): [html: string, texts: string[]][] {
    const first = [' rowspan="2"', ...Array.from({ length: columns - 1 }, () => "")];
    return [this.row(() => "td", first), this.row(() => "td", first.slice(1))];
  }

  table(): RandomTable {
    const columns = 2 + this.below(4);
    const kind = this.pick(["thead", "first row", "side heads", "none"]);
    const heads =
      kind === "thead" || kind === "first row"
        ? [
            this.row(
              () => "th",
              Array.from({ length: columns }, () => ""),
            ),
          ]
        : [];
    const side = kind === "side heads" ? "th" : "td";
    const body = Array.from({ length: 3 + this.below(8) }, () => {
      if (side === "td" && this.random() < 0.1) return this.pair(columns);
      let at = 0;
      return [this.row(() => (at++ === 0 ? side : "td"), this.widths(columns))];
    }).flat();
    const head = heads.map(([html]) => html).join("");
    const caption = this.random() < 0.3 ? `<caption>${this.text()}</caption>` : "";
    const all = body.map(([html]) => html).join("");
    const inner =
      kind === "thead" ? `<thead>${head}</thead><tbody>${all}</tbody>` : `<tbody>${head}${all}</tbody>`;
    return {
      html: `<table class="${this.pick(classes)}">${caption}${inner}</table>`,
      heads: heads.map(([, texts]) => texts),
      rows: body.map(([, texts]) => texts),
    };
  }

  page(): { html: string; tables: RandomTable[] } {
    const { sentence, paragraph } = proseFrom(this.below(10_000));
    const links = (count: number) =>
      `<ul>${Array.from({ length: count }, () => `<li><a href="/${this.below(999)}">${this.pick(names)} ${this.pick(names)}</a></li>`).join("")}</ul>`;
    const tables = Array.from({ length: 1 + this.below(3) }, () => this.table());
    const prose = () => `<p>${paragraph(1 + this.below(6))}</p>`;
    const inText = tables.map(({ html }) =>
      this.pick([
        html,
        html,
        html,
        `<div class="table-wrapper">${html}</div>`,
        `<figure>${html}</figure>`,
        `<aside>${html}</aside>`,
      ]),
    );
    const main = inText
      .map(html => prose() + html + prose())
      .join(this.random() < 0.5 ? "" : `<h2>${sentence()}</h2>`);
    const frame = this.pick(["main", "article", "div", "div class=content", "section"]);
    return {
      html:
        `<body><header><nav>${links(2 + this.below(12))}</nav></header><${frame}><h1>${sentence()}</h1>${main}` +
        `${this.random() < 0.5 ? `<aside class="related"><h3>More</h3>${links(6)}</aside>` : ""}</${frame.split(" ")[0]}>` +
        `<footer>${links(this.below(9))}<p>Copyright 2026</p></footer></body>`,
      tables,
    };
  }
}

/** A page with prose and tables, in a frame of navigation and footer. */
export function pageWithTables(random: Random): { html: string; tables: RandomTable[] } {
  let marks = 0;
  return new TableWriter(random, () => `q${marks++}z`).page();
}
