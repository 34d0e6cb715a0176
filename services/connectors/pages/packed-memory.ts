import { zstdCompressSync, zstdDecompressSync } from "node:zlib";
import { noiseRules } from "../../domain/page-diff/noise.ts";
import type { Memory } from "../../domain/watch/judge.ts";
import { areas, type Line } from "../../domain/watch/line.ts";
import type { Habit } from "../../domain/watch/restless.ts";

/** What is remembered of a page, in the form of the state. */
export interface PackedMemory extends Omit<Memory, "lines" | "last" | "restless"> {
  /** The lines that were reported last, those of the last check, and the restless ones: JSON, zstd, base64. */
  told: string;
  /** The version of the noise rules that made `hash` and `rest`. */
  rules: number;
}

/** Lines as columns, which are compressed well. */
interface Columns {
  texts: string;
  places: string;
  /** The position of each one's area, as a letter. */
  areas: string;
}

interface Packed {
  told: Columns;
  last?: Columns;
  restless?: Habit[];
}

export function packMemory({ lines, last, restless, ...rest }: Memory): PackedMemory {
  const packed: Packed = {
    told: columnsOf(lines),
    ...(last && { last: columnsOf(last) }),
    ...(restless && { restless }),
  };
  return { ...rest, told: packLines(JSON.stringify(packed)), rules: noiseRules };
}

/** What `told` says, as JSON, for what compresses it together with other things; and `told` again. */
export function plainLines(told: string): string {
  return zstdDecompressSync(Buffer.from(told, "base64")).toString();
}

export function packLines(plain: string): string {
  return zstdCompressSync(plain).toString("base64");
}

/**
 * What is remembered of a page. Where other noise rules made its hash, what follows the kept lines cannot be compared: it
 * counts from the next check on.
 */
export function unpackMemory({
  told: text,
  rules,
  ...rest
}: PackedMemory): Memory & { isOfOtherRules: boolean } {
  const { told, last, restless } = JSON.parse(plainLines(text)) as Packed;
  return {
    ...rest,
    lines: linesOf(told),
    ...(last && { last: linesOf(last) }),
    ...(restless && { restless }),
    isOfOtherRules: rules !== noiseRules,
  };
}

const firstLetter = 97;

function columnsOf(lines: readonly Line[]): Columns {
  return {
    texts: lines.map(({ text }) => text).join("\n"),
    places: lines.map(({ place }) => place).join("\n"),
    areas: String.fromCharCode(...lines.map(({ area }) => firstLetter + areas.indexOf(area))),
  };
}

function linesOf({ texts, places, areas: letters }: Columns): Line[] {
  if (letters === "") return [];
  const where = places.split("\n");
  return texts.split("\n").map((text, index) => ({
    text,
    place: where[index] ?? "",
    area: areas[letters.charCodeAt(index) - firstLetter] ?? "main",
  }));
}
