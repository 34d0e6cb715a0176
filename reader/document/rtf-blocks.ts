import { escapeHtml } from "../text/escape-html.ts";
import { maxColumns, maxRows, tableHtml } from "./document-html.ts";
import { blocksHtml, type ListedBlock, type RunStyle, styledHtml } from "./list-html.ts";

/** How a paragraph is set. */
export interface ParagraphStyle {
  /** Level of a heading from 1; 0 for a title. */
  heading?: number | undefined;
  isQuotation?: boolean | undefined;
  isInTable?: boolean | undefined;
  list?: { level: number; isOrdered: boolean } | undefined;
  /** Twips that the paragraph is moved to the right, and its first line beyond that. */
  indent?: number | undefined;
  firstIndent?: number | undefined;
}

/** How a run is set, and where it leads. */
export interface TextStyle extends RunStyle {
  url?: string | undefined;
}

/** Collects the runs of a text into paragraphs, lists and tables. */
export class RtfBlocks {
  readonly #blocks: ListedBlock[] = [];
  #runs: { text: string; style: TextStyle; key: string }[] = [];
  #rows: string[][] = [];
  #row: string[] = [];
  #cell: string[] = [];
  #rowsLeft = maxRows;

  /** Adds text. A line feed is a break in a line. */
  add(text: string, style: TextStyle): void {
    const key = JSON.stringify(style);
    const last = this.#runs.at(-1);
    if (last?.key === key) last.text += text;
    else this.#runs.push({ text, style: { ...style }, key });
  }

  get isEmpty(): boolean {
    return this.#runs.every(({ text }) => text.trim() === "");
  }

  endParagraph(given: ParagraphStyle): void {
    const style = given.list ? given : { ...given, list: this.#typedList(given) };
    const html = this.#take(style.heading !== undefined);
    if (style.isInTable) {
      if (html !== "") this.#cell.push(html);
      return;
    }
    this.#endTable();
    if (html !== "") this.#blocks.push(blockOf(html, style));
  }

  endCell(): void {
    const html = this.#take();
    if (html !== "") this.#cell.push(html);
    if (this.#row.length < maxColumns) this.#row.push(this.#cell.join("<br>"));
    this.#cell = [];
  }

  endRow(): void {
    if (this.#row.length > 0 && this.#rowsLeft > 0) {
      this.#rows.push(this.#row);
      this.#rowsLeft--;
    }
    this.#row = [];
  }

  /** All blocks; `notes` are HTML. */
  html(notes: readonly string[]): string {
    this.endParagraph({});
    const html = blocksHtml(this.#blocks);
    if (notes.length === 0) return html;
    const items = notes.map((note, at) => `<li id="note-${at + 1}">${note}</li>`);
    return `${html}\n<ol>${items.join("")}</ol>`;
  }

  #endTable(): void {
    if (this.#cell.length > 0) this.endCell();
    this.endRow();
    if (this.#rows.length > 0) this.#blocks.push({ html: tableHtml(this.#rows) });
    this.#rows = [];
  }

  /** A list whose marks are typed: a sign or a number and a tab, in a first line that hangs to the left. */
  #typedList({ indent = 0, firstIndent = 0, isInTable }: ParagraphStyle): ParagraphStyle["list"] {
    const [first] = this.#runs;
    const mark = firstIndent < 0 && !isInTable ? typedMark.exec(first?.text ?? "") : null;
    if (first === undefined || mark === null) return undefined;
    first.text = first.text.slice(mark[0].length);
    return { level: Math.max(0, Math.round(indent / levelTwips) - 1), isOrdered: mark[1] !== undefined };
  }

  /** A heading is bold by itself. */
  #take(isHeading = false): string {
    const html = this.#runs.map(({ text, style: given }) => {
      const style = isHeading ? { ...given, bold: false } : given;
      const inner = styledHtml(escapeHtml(text).replaceAll("\n", "<br>"), style);
      return style.url === undefined ? inner : `<a href="${escapeHtml(style.url)}">${inner}</a>`;
    });
    this.#runs = [];
    return html.join("").trim();
  }
}

const typedMark = /^(?:[\u2022\u2013\u25e6\u25aa\u2023\u00b7o-]|(\d{1,3}[.)]|[a-z][.)]))\t/;
/** What a level of a list is moved to the right, as most programs have it. */
const levelTwips = 360;

function blockOf(html: string, { heading, isQuotation, list }: ParagraphStyle): ListedBlock {
  if (heading !== undefined) {
    const name = `h${Math.min(Math.max(heading, 1), 6)}`;
    return { html: `<${name}>${html}</${name}>` };
  }
  if (list) return { html, list };
  return { html: isQuotation ? `<blockquote><p>${html}</p></blockquote>` : `<p>${html}</p>` };
}
