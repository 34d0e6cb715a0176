import { zstdCompressSync, zstdDecompressSync } from "node:zlib";
import type { Missing } from "../../domain/site/page-fate.ts";
import type { PagePace } from "../../domain/site/visit-pace.ts";
import type { PageState } from "../pages/page-state.ts";

/** What the next visit of a page needs, as it is packed in its row. */
export interface PageMemory {
  /** As for a page that is watched by itself, without its pace. */
  state: Partial<PageState>;
  pace?: PagePace;
  missing?: Missing;
  /** What its sitemap said at the last visit (ms). */
  lastmod?: number;
  /** Visits in a row that failed. */
  failures?: number;
  /** Visits in a row whose change could not be told, because the time of the step was over. */
  waits?: number;
  /** It was known under another address: that it is new here is no news. */
  isKnown?: true;
}

const lengthBytes = 4;

/** The lines are compressed already; all else is compressed beside them. */
export function packPageMemory({ state: { told = "", ...state }, ...rest }: PageMemory): Uint8Array {
  const head = zstdCompressSync(JSON.stringify({ ...rest, state }));
  const length = Buffer.alloc(lengthBytes);
  length.writeUInt32LE(head.length);
  return Buffer.concat([length, head, Buffer.from(told, "base64")]);
}

export function unpackPageMemory(packed: Uint8Array | undefined): PageMemory {
  if (packed === undefined || packed.length === 0) return { state: {} };
  const bytes = Buffer.from(packed);
  const end = lengthBytes + bytes.readUInt32LE();
  const { state, ...rest } = JSON.parse(
    zstdDecompressSync(bytes.subarray(lengthBytes, end)).toString(),
  ) as PageMemory;
  const told = bytes.subarray(end);
  return { ...rest, state: { ...state, ...(told.length > 0 && { told: told.toString("base64") }) } };
}
