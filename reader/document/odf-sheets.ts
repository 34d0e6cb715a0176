import { escapeHtml } from "../text/escape-html.ts";
import {
  addRow,
  type Cell,
  maxCellLength,
  maxCells,
  maxCellsLength,
  maxColumns,
  type Sheet,
  sheetHtml,
} from "./document-html.ts";
import { readXml } from "./read-xml.ts";

const maxSheets = 50;

/** The sheets of a spreadsheet of OpenDocument that are shown, in one pass; `name`: that of the first. */
export function odsHtml(content: Uint8Array | undefined): { html: string; name: string | undefined } {
  const reader = new SheetReader();
  readXml(content, {
    open: (tag, attributes) => reader.open(tag, attributes),
    text: text => reader.text(text),
    close: tag => reader.close(tag),
  });
  const shown = reader.sheets.filter(({ count, isCut }) => count > 0 || isCut);
  const tables = shown.map(sheet =>
    shown.length > 1 ? `<h2>${escapeHtml(sheet.name)}</h2>\n${sheetHtml(sheet)}` : sheetHtml(sheet),
  );
  const notes = reader.more > 0 ? [`<p>${reader.more} more sheets were left out.</p>`] : [];
  return { html: [...tables, ...notes].join("\n"), name: shown[0]?.name };
}

class SheetReader {
  readonly sheets: Sheet[] = [];
  /** Sheets that were left out. */
  more = 0;
  readonly #budget = { cells: maxCells, length: maxCellsLength };
  readonly #hidden = new Set<string>();
  #style = "";
  #sheet: Sheet | undefined;
  #row: Cell[] = [];
  #rowTimes = 1;
  #cell: { text: string; value: string | undefined; url?: string; times: number } | undefined;
  #noteDepth = 0;

  open(tag: string, attributes: Record<string, string>): void {
    if (tag === "style:style") this.#style = attributes["style:name"] ?? "";
    if (tag === "style:table-properties" && attributes["table:display"] === "false")
      this.#hidden.add(this.#style);
    if (tag === "table:table") this.#openSheet(attributes);
    if (tag === "office:annotation") this.#noteDepth++;
    if (this.#sheet === undefined || this.#noteDepth > 0) return;
    if (tag === "table:table-row") {
      this.#row = [];
      this.#rowTimes = count(attributes["table:number-rows-repeated"]);
    }
    if (tag === "table:table-cell" || tag === "table:covered-table-cell")
      this.#cell = {
        text: "",
        value: exactValue(attributes),
        times: count(attributes["table:number-columns-repeated"]),
      };
    if (this.#cell === undefined) return;
    if (tag === "text:p" && this.#cell.text !== "") this.#cell.text += "\n";
    if (tag === "text:s") this.#cell.text += " ";
    const url = tag === "text:a" ? (attributes["xlink:href"] ?? "") : "";
    if (/^(?:https?|mailto):/i.test(url)) this.#cell.url = url;
  }

  text(text: string): void {
    if (this.#cell && this.#noteDepth === 0 && this.#cell.text.length < maxCellLength)
      this.#cell.text += text;
  }

  close(tag: string): void {
    if (tag === "office:annotation") this.#noteDepth--;
    if (tag === "table:table") this.#sheet = undefined;
    if (this.#noteDepth > 0 || this.#sheet === undefined) return;
    if (tag === "table:table-cell" || tag === "table:covered-table-cell") this.#closeCell(this.#sheet);
    if (tag === "table:table-row") this.#closeRow(this.#sheet);
  }

  #openSheet(attributes: Record<string, string>): void {
    const isHidden = this.#hidden.has(attributes["table:style-name"] ?? "");
    if (isHidden) return;
    if (this.sheets.length >= maxSheets) {
      this.more++;
      return;
    }
    this.#sheet = { name: attributes["table:name"] ?? "", rows: [], count: 0, isCut: false };
    this.sheets.push(this.#sheet);
  }

  #closeCell(sheet: Sheet): void {
    const cell = this.#cell;
    this.#cell = undefined;
    if (cell === undefined) return;
    const text = cell.value ?? cell.text.trim();
    const isPastEnd = this.#row.length >= maxColumns;
    if (isPastEnd && text !== "") sheet.isCut = true;
    // A row ends with as many empty cells as a sheet may have.
    const times = Math.min(cell.times, maxColumns - this.#row.length);
    for (let at = 0; at < times; at++)
      this.#row.push(cell.url === undefined ? { text } : { text, url: cell.url });
  }

  #closeRow(sheet: Sheet): void {
    while (this.#row.length > 0 && this.#row.at(-1)?.text === "") this.#row.pop();
    if (this.#row.length === 0) return;
    let left = this.#rowTimes;
    do {
      addRow(sheet, this.#row, this.#budget);
      left--;
    } while (left > 0 && sheet.rows.length === sheet.count);
    sheet.count += left;
  }
}

function count(repeated: string | undefined): number {
  return Math.max(1, Number.parseInt(repeated ?? "1", 10) || 1);
}

/** The value of a cell, where what is shown may be rounded; undefined for what is shown as it is. */
function exactValue(attributes: Record<string, string>): string | undefined {
  const type = attributes["office:value-type"];
  const value = Number(attributes["office:value"]);
  if (type === "float" && Number.isFinite(value)) return exact(value);
  if (type === "percentage" && Number.isFinite(value)) return `${exact(value * 100)}%`;
  if (type === "boolean") return attributes["office:boolean-value"] === "true" ? "TRUE" : "FALSE";
  if (type !== "date") return undefined;
  return attributes["office:date-value"]
    ?.replace(/T00:00:00(?:\.0+)?$/, "")
    .replace(/T(\d\d:\d\d)(?::00)?(?:\.0+)?$/, " $1");
}

function exact(value: number): string {
  return String(Number(value.toPrecision(15)));
}
