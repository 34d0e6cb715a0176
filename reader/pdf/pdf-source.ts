import { getDocumentProxy } from "unpdf";
import { PackedCMaps } from "./cmaps.ts";

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
