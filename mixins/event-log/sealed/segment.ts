import { promisify } from "node:util";
import { zstdCompress, zstdDecompress } from "node:zlib";
import type { StoredBody } from "../stored-event.ts";

/** An entry of a key's log with its body. */
export interface SealedEntry extends StoredBody {
  seq: number;
  /** When it was appended, in milliseconds. */
  at: number;
}

const compress = promisify(zstdCompress);
const decompress = promisify(zstdDecompress);
const dataStart = ',"data":';

/** Entries as compressed lines of JSON, in their order. `data` comes last in a line, so that a reader need not parse it. */
export function packSegment(entries: SealedEntry[]): Promise<Buffer> {
  const lines = entries.map(
    ({ data, ...entry }) => `${JSON.stringify(entry).slice(0, -1)}${dataStart}${data}}\n`,
  );
  return compress(lines.join(""));
}

export async function unpackSegment(packed: Buffer): Promise<SealedEntry[]> {
  const lines = (await decompress(packed)).toString().split("\n");
  return lines.filter(line => line !== "").map(entryOf);
}

/** A quotation mark within a text is escaped, so the first of these characters begin the data. */
function entryOf(line: string): SealedEntry {
  const end = line.indexOf(dataStart);
  const entry = JSON.parse(`${line.slice(0, end)}}`) as Omit<SealedEntry, "data">;
  return { ...entry, data: line.slice(end + dataStart.length, -1) };
}
