import { readFileSync } from "node:fs";
import { brotliDecompressSync } from "node:zlib";
import { getDocumentProxy } from "unpdf";

/** A document as pdf.js has opened it. */
export type Pdf = Awaited<ReturnType<typeof getDocumentProxy>>;
export type Page = Awaited<ReturnType<Pdf["getPage"]>>;
export type Items = Awaited<ReturnType<Page["getTextContent"]>>;

/** Pictures of more pixels are not decoded; of 1, none is. */
export async function openPdf(bytes: Uint8Array, maxPixels = 1): Promise<Pdf> {
  // The parser takes ownership of the buffer, so it gets a copy.
  return await getDocumentProxy(Uint8Array.from(bytes), {
    ...{ verbosity: 0, maxImageSize: maxPixels, disableFontFace: true, isEvalSupported: false },
    ...{ BinaryDataFactory: PackedCMaps, useWorkerFetch: false },
  });
}

/**
 * The predefined CMaps of Adobe (PDF 2.0, 9.7.5.2), by file name: with them the characters of a Chinese, Japanese or Korean
 * font are known although the document does not contain the font.
 */
let own: Map<string, Uint8Array> | undefined;

/** What pdf.js asks for data beside the document. It reads them from this package: no address and no other file is opened. */
export class PackedCMaps {
  readonly fetch = async ({ kind, filename }: { kind: string; filename: string }): Promise<Uint8Array> => {
    const found = kind === "cMapUrl" ? cmaps().get(filename) : undefined;
    if (!found) throw new Error(`There is no ${filename} here.`);
    return found;
  };
}

function cmaps(): Map<string, Uint8Array> {
  own ??= unpackCMaps(readFileSync(new URL("./cmaps.bin", import.meta.url)));
  return own;
}

/** A line with name and size for each, an empty line, then their bytes, all compressed together: many are alike. */
function unpackCMaps(packed: Uint8Array): Map<string, Uint8Array> {
  const bytes = brotliDecompressSync(packed);
  const end = bytes.indexOf("\n\n");
  const files = new Map<string, Uint8Array>();
  let at = end + 2;
  for (const line of bytes.toString("latin1", 0, end).split("\n")) {
    const [name = "", size = 0] = line.split(" ");
    // A copy: a message with a part of a buffer carries all of it.
    files.set(name, Uint8Array.from(bytes.subarray(at, at + Number(size))));
    at += Number(size);
  }
  return files;
}
