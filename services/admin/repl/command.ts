import type { Ask } from "./installation.ts";

/** What a command prints on. */
export interface Screen {
  readonly isTTY?: boolean;
  write(text: string): unknown;
}

/** What moleculer-repl gives its commands to print with. */
export interface Drawing {
  /** `drawHorizontalLine` tells of each line, the one above the first row being 0, whether it is drawn. */
  table(rows: string[][], config: { drawHorizontalLine(line: number, rows: number): boolean }): string;
  clui: { Progress: new (width: number) => { update(done: number, all: number): string } };
}

/** A line that was typed: its arguments by name, its options without their hyphens. */
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

/** A whole number that was typed as an option. */
export function numberIn({ options }: Line, name: string, fallback: number): number {
  const value = options[name] ?? fallback;
  if (!/^[1-9]\d{0,5}$/.test(String(value))) throw new Error(`--${name} takes a whole number from 1.`);
  return Number(value);
}

export function textIn({ options }: Line, name: string): string | undefined {
  const value = options[name];
  return value === undefined ? undefined : String(value);
}
