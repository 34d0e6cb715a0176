import { type UnzipFileInfo, unzipSync } from "fflate";
import { DocumentError } from "./broken-document.ts";

/** Parts of a document that is an archive, by their names. */
export type Parts = Record<string, Uint8Array>;

interface Needed {
  /** Which parts are read, by their names: the others are never unpacked. */
  needs: RegExp;
  /** All that is unpacked, at most. */
  maxBytes: number;
  maxParts?: number;
}

const mostParts = 5000;

/** Parts that are kept as they are, without compression (APPNOTE.TXT, 4.4.5). */
const stored = 0;

/**
 * Unpacks what is needed of an archive. A part yields no more bytes than the archive's directory says, and all of them
 * are bounded, packed and unpacked: many entries of the directory may name the same bytes. Throws a `DocumentError` for an
 * archive that is too large, other errors for one that is broken.
 */
export function unpack(bytes: Uint8Array, { needs, maxBytes, maxParts = mostParts }: Needed): Parts {
  let [size, count] = [0, 0];
  const filter = ({ name, size: packed, originalSize, compression }: UnzipFileInfo) => {
    if (!needs.test(name)) return false;
    if (compression === stored && packed !== originalSize)
      throw new DocumentError("broken", "The document is broken: a part of it has two sizes.");
    [size, count] = [size + Math.max(packed, originalSize), count + 1];
    if (size > maxBytes || count > maxParts)
      throw new DocumentError("broken", "The document is too large to be read.");
    return true;
  };
  return unzipSync(bytes, { filter });
}
