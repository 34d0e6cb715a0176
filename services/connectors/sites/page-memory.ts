import { constants, type ZstdOptions, zstdCompressSync, zstdDecompressSync } from "node:zlib";
import type { Missing } from "../../domain/site/page-fate.ts";
import type { PagePace } from "../../domain/site/visit-pace.ts";
import { packLines, plainLines } from "../pages/packed-memory.ts";
import type { PageState } from "../pages/page-state.ts";
import { idBytes, type SiteDictionary } from "./site-dictionary.ts";
import { readHashes, takeHashes } from "./state-hashes.ts";

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

/** What is known where a memory is packed and unpacked, and so is not in it. */
export interface AroundMemory {
  /** The address of the page. */
  url: string;
  dictionary: SiteDictionary | undefined;
}

/*
 * A packed memory: the dictionary that it needs (no bytes set for none), the number of changes that were told, the hashes, and
 * all else in one frame, whose checksum tells what cannot be read: JSON, and that of the lines on a line of its own. The
 * number and the hashes can be read without the dictionary.
 */
const countBytes = 4;
const params = { [constants.ZSTD_c_compressionLevel]: 6, [constants.ZSTD_c_checksumFlag]: 1 };
const noDictionary = Buffer.alloc(idBytes);

export function packPageMemory(memory: PageMemory, { url, dictionary }: AroundMemory): Uint8Array {
  const { changes = 0, ...state } = memory.state;
  const { bytes: hashes, others } = takeHashes(state);
  const { told, ...head } = others;
  // Without lines there is little to save; and what is to be known of a page that was never read is never lost.
  const used = told === undefined ? undefined : dictionary;
  const count = Buffer.alloc(countBytes);
  count.writeUInt32LE(changes);
  const plain = `${JSON.stringify({ ...memory, state: lean(head, url) })}\n${told === undefined ? "" : plainLines(told)}`;
  const frame = zstdCompressSync(plain, { params, ...using(used) });
  return Buffer.concat([used?.id ?? noDictionary, count, hashes, frame]);
}

/**
 * What is remembered of a page. One that cannot be read, because its dictionary is not there, is that of a page that is known
 * and was not read yet: its next visit tells nothing.
 */
export function unpackPageMemory(
  packed: Uint8Array | undefined,
  { url, dictionary }: AroundMemory,
): PageMemory {
  if (packed === undefined || packed.length === 0) return { state: {} };
  const { id, changes, hashes, frame } = partsOf(packed);
  const plain = read(frame, id, dictionary);
  if (plain === undefined) return { state: { changes }, isKnown: true };
  const end = plain.indexOf("\n");
  const { state, ...rest } = JSON.parse(plain.slice(0, end)) as PageMemory;
  const lines = plain.slice(end + 1);
  return {
    ...rest,
    state: {
      ...{ ...whole(state, url), ...hashes },
      ...(changes > 0 && { changes }),
      ...(lines !== "" && { told: packLines(lines) }),
    },
  };
}

/** What a memory with lines says that needs no dictionary; undefined for another one. */
export function plainMemory(packed: Uint8Array): string | undefined {
  const { id, frame } = partsOf(packed);
  const plain = read(frame, id, undefined);
  return plain?.endsWith("\n") ? undefined : plain;
}

function partsOf(packed: Uint8Array) {
  const bytes = Buffer.from(packed.buffer, packed.byteOffset, packed.length);
  const { found, end } = readHashes(bytes, idBytes + countBytes);
  return {
    id: bytes.subarray(0, idBytes),
    changes: bytes.readUInt32LE(idBytes),
    hashes: found,
    frame: bytes.subarray(end),
  };
}

function read(frame: Buffer, id: Buffer, dictionary: SiteDictionary | undefined): string | undefined {
  const used = id.equals(noDictionary) ? undefined : dictionary;
  if (!id.equals(used?.id ?? noDictionary)) return undefined;
  try {
    return zstdDecompressSync(frame, using(used)).toString();
  } catch {
    return undefined;
  }
}

function using(dictionary: SiteDictionary | undefined): ZstdOptions {
  return dictionary ? { dictionary: dictionary.bytes } : {};
}

/** The state without what is said elsewhere: times as they differ from that of the last check, and the page's own address. */
function lean({ at = 0, checkedAt, sentAt, known, ...state }: Partial<PageState>, url: string) {
  return {
    ...{ ...state, at },
    ...(checkedAt !== undefined && { checkedAt: checkedAt - at }),
    ...(sentAt !== undefined && { sentAt: sentAt - at }),
    ...(known && { known: { ...known, url: known.url === url ? "" : known.url } }),
  };
}

function whole(
  { at = 0, checkedAt, sentAt, known, ...state }: Partial<PageState>,
  url: string,
): Partial<PageState> {
  return {
    ...state,
    ...(at > 0 && { at }),
    ...(checkedAt !== undefined && { checkedAt: checkedAt + at }),
    ...(sentAt !== undefined && { sentAt: sentAt + at }),
    ...(known && { known: { ...known, url: known.url || url } }),
  };
}
