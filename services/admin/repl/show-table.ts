import type { Tools } from "./command.ts";

const maxWidth = 60;

/** A column's title, and what stands in it. */
export type Columns<Row> = Record<string, (row: Row) => string | number | null>;

/** Prints rows as a table; a sentence where there are none. */
export function showTable<Row>(
  { table, screen }: Pick<Tools, "table" | "screen">,
  rows: Row[],
  columns: Columns<Row>,
): void {
  if (rows.length === 0) {
    screen.write("There are none.\n");
    return;
  }
  const lines = rows.map(row => Object.values(columns).map(cell => printable(cell(row))));
  screen.write(table([Object.keys(columns), ...lines], frame));
}

const frame = {
  drawHorizontalLine: (line: number, rows: number) => line < 2 || line === rows,
};

/** Strangers write names and posts: what a terminal would take for a command, or turns its lines round, is left out. */
function printable(value: string | number | null): string {
  const text = String(value ?? "")
    .replace(/[\s\p{Cc}\u2028-\u202e\u2066-\u2069]+/gu, " ")
    .trim();
  return text.length > maxWidth ? `${text.slice(0, maxWidth - 1).trimEnd()}…` : text;
}
