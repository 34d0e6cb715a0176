import type { Ask } from "./admin-client.ts";

/** Where a command prints. */
interface Screen {
  readonly isTTY?: boolean;
  write(text: string): unknown;
}

/** The drawing tools that moleculer-repl gives its commands. */
export interface Drawing {
  /** `drawHorizontalLine` decides for each line, counted from 0 above the first row, whether to draw it. */
  table(rows: string[][], config: { drawHorizontalLine(line: number, rows: number): boolean }): string;
  clui: { Progress: new (width: number) => { update(done: number, all: number): string } };
}

/** A typed line: arguments by name, options without hyphens. */
export interface Line {
  args: Record<string, string | undefined>;
  options: Record<string, unknown>;
}

export interface Tools extends Drawing {
  ask: Ask;
  screen: Screen;
}

export interface Command {
  /** As in `backfill <uid>`. */
  command: string;
  description: string;
  options?: { option: string; description: string }[];
  run(line: Line, tools: Tools): Promise<void>;
}

/** A whole number given as an option. */
export function numberIn({ options }: Line, name: string, fallback: number): number {
  const value = options[name] ?? fallback;
  if (!/^[1-9]\d{0,5}$/.test(String(value))) throw new Error(`--${name} takes a whole number from 1.`);
  return Number(value);
}

export function textIn({ options }: Line, name: string): string | undefined {
  const value = options[name];
  return value === undefined ? undefined : String(value);
}

const maxWidth = 60;

/** The title of each column, and its value for a row. */
export type Columns<Row> = Record<string, (row: Row) => string | number | null>;

/** Prints rows as a table, or `empty` when there are none. */
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

/** Names and posts come from strangers. Removes control sequences and characters that change the direction of text. */
function printable(value: string | number | null): string {
  const text = String(value ?? "")
    .replace(/[\s\p{Cc}\u2028-\u202e\u2066-\u2069]+/gu, " ")
    .trim();
  return text.length > maxWidth ? `${text.slice(0, maxWidth - 1).trimEnd()}…` : text;
}
