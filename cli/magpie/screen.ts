import { styleText } from "node:util";

/** What progress is written to: `process.stderr`, or a stand-in. */
interface Stream {
  readonly isTTY?: boolean;
  write(text: string): unknown;
}

const barWidth = 30;
const tickMs = 1_000;

/**
 * Shows progress. A terminal gets one line that is rewritten, with a bar where the whole is known; any other stream gets a
 * line for each change.
 */
export class Progress {
  readonly #stream: Stream;
  #shown = "";

  constructor(stream: Stream = process.stderr) {
    this.#stream = stream;
  }

  /** `share` is the part that is done, from 0 to 1. */
  show(text: string, share?: number): void {
    const isTerminal = this.#stream.isTTY === true;
    const line = isTerminal && share !== undefined ? `${bar(share)} ${text}` : text;
    if (line === this.#shown) return;
    this.#stream.write(isTerminal ? `\r${line.padEnd(this.#shown.length)}` : `${line}\n`);
    this.#shown = line;
  }

  /** Leaves the last line on the terminal. */
  end(): void {
    if (this.#stream.isTTY && this.#shown !== "") this.#stream.write("\n");
    this.#shown = "";
  }

  /** Takes the line away again. */
  clear(): void {
    if (this.#stream.isTTY && this.#shown !== "") this.#stream.write(`\r${" ".repeat(this.#shown.length)}\r`);
    this.#shown = "";
  }
}

function bar(share: number): string {
  const filled = Math.round(Math.min(Math.max(share, 0), 1) * barWidth);
  return `[${"=".repeat(filled)}${" ".repeat(barWidth - filled)}]`;
}

/** Waits for an answer, and shows on a terminal how long it has waited. */
export async function whileWaiting<Result>(what: string, answer: Promise<Result>): Promise<Result> {
  const progress = new Progress();
  const since = performance.now();
  const show = () => progress.show(`${what} … ${Math.round((performance.now() - since) / 1000)} s`);
  const timer = process.stderr.isTTY ? setInterval(show, tickMs) : undefined;
  try {
    return await answer;
  } finally {
    clearInterval(timer);
    progress.clear();
  }
}

/** Prints one JSON value as a line. */
export function printJson(value: unknown): void {
  process.stdout.write(`${JSON.stringify(value)}\n`);
}

/** Prints text that others may have written. A terminal gets it without control characters. */
export function printText(text: string): void {
  const whole = text.endsWith("\n") ? text : `${text}\n`;
  process.stdout.write(process.stdout.isTTY ? whole.replace(/(?![\n\t])\p{Cc}/gu, "") : whole);
}

/** Prints a line that others may have written, in a colour on a terminal unless NO_COLOR is set. */
export function printLine(text: string, colour?: "green" | "red"): void {
  const line = text.replace(/\p{Cc}/gu, "");
  process.stdout.write(`${colour ? styleText(colour, line, { stream: process.stdout }) : line}\n`);
}

/** Prints a note for people, which is no result, to standard error. */
export function note(text: string): void {
  process.stderr.write(`${text}\n`);
}

/** Prints an error to standard error, with a red name on a terminal unless NO_COLOR is set. */
export function printError(message: string): void {
  const name = styleText("red", "magpie:", { stream: process.stderr });
  process.stderr.write(`${name} ${oneLine(message)}\n`);
}

/** Makes one line of text that others wrote, without characters that control a terminal or reverse the direction of text. */
export function oneLine(text: string): string {
  return text.replace(/[\s\p{Cc}\u2028-\u202e\u2066-\u2069]+/gu, " ").trim();
}

/** A line of a pipe has no width; what is longer than this is of no use there. */
const longestLine = 240;
const wide =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Emoji_Presentation}\uff01-\uff60]/u;
const narrow = /[\p{M}\p{Cf}]/u;

/** Cuts a line to a terminal's columns. Letters of East Asia and pictures take two of them, marks none. */
export function fitted(line: string, columns = longestLine): string {
  let used = 0;
  let end = 0;
  for (const { segment } of new Intl.Segmenter().segment(line)) {
    used += wide.test(segment) ? 2 : narrow.test(segment) && segment.length === 1 ? 0 : 1;
    if (used > columns) return `${line.slice(0, end)}…`;
    if (used < columns) end += segment.length;
  }
  return line;
}

const longestCell = 60;

/** Prints rows in columns with two blanks or more between them. */
export function printTable<Row>(rows: Row[], columns: Record<string, (row: Row) => unknown>): void {
  const cells = rows.map(row =>
    Object.values(columns).map(cell => shortened(oneLine(String(cell(row) ?? "-")))),
  );
  const lines = [Object.keys(columns).map(name => name.toUpperCase()), ...cells];
  const widths = Object.keys(columns).map((_, at) => Math.max(...lines.map(line => line[at]?.length ?? 0)));
  for (const line of lines)
    printText(
      line
        .map((cell, at) => cell.padEnd(widths[at] ?? 0))
        .join("  ")
        .trimEnd(),
    );
}

function shortened(cell: string): string {
  return cell.length > longestCell ? `${cell.slice(0, longestCell - 1)}…` : cell;
}
