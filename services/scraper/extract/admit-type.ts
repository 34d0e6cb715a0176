import { MIMEType } from "whatwg-mimetype";
import { isRead, mayBeRead, sniffType } from "../../../reader/document/media-type.ts";
import { fail } from "../../contracts/errors.ts";

const neverText = /^(?:audio|font|image|model|video)\//;

/**
 * Throws `unsupported_media_type` for what is no page by its declared type alone. What is too large to be a document counts
 * as such under any type that is not read.
 */
export function admitType(contentType: string, isTooLarge: boolean): void {
  const essence = MIMEType.parse(contentType)?.essence ?? "";
  const isOther = isTooLarge && essence !== "" && !isRead(essence);
  if (neverText.test(essence) || isOther) throw unsupported(essence);
}

/** Refuses a body by its beginning. */
export async function admitStart(contentType: string, start: Uint8Array, url: string): Promise<void> {
  const { essence } = await sniffType(contentType, start, url);
  if (!mayBeRead(essence, start)) throw unsupported(essence);
}

/** Documents that hold text in a format that is not read. */
const documents =
  /^application\/(?:vnd\.(?:oasis\.opendocument|openxmlformats-officedocument|ms-|apple\.)|msword|x-iwork|x-mobipocket)/;

export function unsupported(essence: string): Error {
  const message = documents.test(essence)
    ? `A document of type ${essence} is not read. What is read: PDF, DOCX, XLSX, PPTX, ODT, ODS, ODP, EPUB, RTF, EML, IPYNB, CSV, HTML and text.`
    : `A page of type ${essence} holds no text to extract.`;
  return fail("unsupported_media_type", message, { content_type: essence });
}
