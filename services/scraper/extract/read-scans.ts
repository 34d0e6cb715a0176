import type { Ocr } from "../../../mixins/ocr/tesseract.ts";
import type { Recognized } from "../../../reader/document/read-pdf.ts";
import type { ExtractionPool, Job } from "./extraction-pool.ts";
import type { FetchedInput, FetchedOutput } from "./read-fetched.ts";

/** Pages of a document whose pictures are recognised at most. */
const maxPages = 20;
/** The part of the time left that recognition may take: its text has to be read, too. */
const timeShare = 0.7;

interface ScanTools {
  extraction: ExtractionPool;
  /** Undefined: no text is recognised. */
  ocr?: Ocr | undefined;
}

/** Reads a PDF anew with the text that is recognised in its pages that are pictures. Other pages stay as they were read. */
export async function withScans(
  read: FetchedOutput,
  input: FetchedInput,
  reader: Job & { deadline: number },
  { extraction, ocr }: ScanTools,
): Promise<FetchedOutput> {
  const textless = read.kind === "digest" ? read.digest.textless : undefined;
  if (!ocr || !textless?.length) return read;
  const recognized = await recognize(textless, input, reader, { extraction, ocr });
  const isFound = Object.keys(recognized.pages).length + recognized.left.length > 0;
  return isFound ? await extraction.run("readFetched", { ...input, recognized }, reader) : read;
}

async function recognize(
  textless: number[],
  { page: { body } }: FetchedInput,
  reader: Job & { deadline: number },
  { extraction, ocr }: Required<ScanTools> & { ocr: Ocr },
): Promise<Recognized> {
  const recognized: Recognized = { pages: {}, left: textless.slice(maxPages) };
  const budget = AbortSignal.timeout(Math.max(1, Math.floor((reader.deadline - Date.now()) * timeShare)));
  const signal = AbortSignal.any([reader.signal, budget]);
  for (const number of textless.slice(0, maxPages)) {
    try {
      const image = await extraction.run("scanOf", { body, number }, { ...reader, signal });
      if (image === null) continue;
      const { width, height } = image;
      const hocr = await ocr.recognize(image, reader.group, signal);
      recognized.pages[number] = { hocr, width, height };
    } catch {
      // The request's own end counts; without the page the others are worth an answer, which says that it is missing.
      reader.signal.throwIfAborted();
      recognized.left.push(number);
    }
  }
  return recognized;
}
