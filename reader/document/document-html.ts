import { escapeHtml } from "../text/escape-html.ts";
/** What a document says of itself. */
export interface DocumentFacts {
  title?: string | undefined;
  author?: string | undefined;
  description?: string | undefined;
  keywords?: string | undefined;
  /** Language tag. */
  language?: string | undefined;
  /** ISO 8601. */
  created?: string | undefined;
  modified?: string | undefined;
}

/** A page of HTML for a document that is none, with its facts where pages have them. */
export function documentHtml(facts: DocumentFacts, body: string): string {
  const language = facts.language ? ` lang="${escapeHtml(facts.language)}"` : "";
  const metas = [
    ["name", "author", facts.author],
    ["name", "description", facts.description],
    ["name", "keywords", facts.keywords],
    ["property", "article:published_time", facts.created],
    ["property", "article:modified_time", facts.modified],
  ].flatMap(([key, name, value]) =>
    value ? `\n<meta ${key}="${name}" content="${escapeHtml(value)}">` : [],
  );
  const title = facts.title ? `\n<title>${escapeHtml(facts.title)}</title>` : "";
  return `<!doctype html>
<html${language}>
<head>
<meta charset="utf-8">${title}${metas.join("")}
</head>
<body>
${body}
</body>
</html>
`;
}

/** A table whose first row is its header. Cells are HTML. */
export function tableHtml(rows: string[][]): string {
  const row = (cells: string[], name: string) =>
    `<tr>${cells.map(cell => `<${name}>${cell}</${name}>`).join("")}</tr>`;
  const [head = [], ...body] = rows;
  return `<table>
<thead>
${row(head, "th")}
</thead>
<tbody>
${body.map(cells => row(cells, "td")).join("\n")}
</tbody>
</table>`;
}

/** Rows of one table, and of all tables of a document, at most. */
export const maxRows = 5000;
export const maxColumns = 200;
export const maxCells = 200_000;
export const maxCellLength = 32_767;
/** Characters of all cells. */
export const maxCellsLength = 4 * 1024 * 1024;

/** What of a document may still be shown. */
export interface CellBudget {
  cells: number;
  length: number;
}

export interface Cell {
  text: string;
  url?: string;
}

/** The rows that are shown, and how many there are. */
export interface Sheet {
  name: string;
  rows: Cell[][];
  count: number;
  /** Whether cells on the right were left out. */
  isCut: boolean;
}

/** Adds a row, if there is room for it and no other was left out. */
export function addRow(sheet: Sheet, cells: Cell[], budget: CellBudget): void {
  sheet.count += 1;
  if (sheet.rows.length !== sheet.count - 1 || sheet.rows.length >= maxRows) return;
  if (budget.cells <= 0 || budget.length <= 0) return;
  const row = cells.slice(0, maxColumns);
  if (row.length < cells.length) sheet.isCut = true;
  budget.cells -= row.length;
  budget.length -= row.reduce((sum, { text }) => sum + Math.min(text.length, maxCellLength), 0);
  sheet.rows.push(row);
}

/** A table; what was left out is said below it. Empty columns have no place. */
export function sheetHtml({ rows, count, isCut }: Sheet): string {
  const width = rows.reduce((most, row) => Math.max(most, row.length), 0);
  const filled = Array.from({ length: width }, (_, at) =>
    rows.some(row => (row[at]?.text ?? "").trim() !== ""),
  );
  const html = rows.map(row => filled.flatMap((isFilled, at) => (isFilled ? [cellHtml(row[at])] : [])));
  const notes = [
    rows.length < count && `The first ${rows.length} of ${count} rows are shown.`,
    isCut && `The first ${maxColumns} columns are shown.`,
  ].flatMap(note => (note ? [`\n<p>${note}</p>`] : []));
  return (rows.length > 0 ? tableHtml(html) : "") + notes.join("");
}

function cellHtml({ text, url }: Cell = { text: "" }): string {
  const html = escapeHtml(text.slice(0, maxCellLength).trim()).replace(/\r?\n/g, "<br>");
  return url === undefined ? html : `<a href="${escapeHtml(url)}">${html}</a>`;
}
