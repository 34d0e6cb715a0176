import { textPage } from "../../../reader/page/text-page.ts";
import { fail } from "../../contracts/errors.ts";
import type { FetchedPage } from "../fetch/fetch-page.ts";
import { type Digest, maxTextLength, type Wanted } from "./digest.ts";

const mostBytes = (maxTextLength / 4) * 3;

/** A document that is not to be read: its bytes in base64, in place of each text. Throws where it is too large for that. */
export function unreadDocument({ body }: FetchedPage, contentType: string, { formats }: Wanted): Digest {
  if (body.length > mostBytes)
    throw fail(
      "unsupported_media_type",
      `This document has ${body.length} bytes. Unread it may have ${mostBytes}: leave request.pdf.read out.`,
      { content_type: contentType },
    );
  const { textLength: _, ...facts } = textPage({ markdown: "", text: "", title: null }, { formats: [] });
  const base64 = Buffer.from(body).toString("base64");
  return {
    ...(formats.includes("markdown") && { markdown: base64 }),
    ...(formats.includes("html") && { html: base64 }),
    ...(formats.includes("raw_html") && { raw_html: base64 }),
    metadata: { ...facts, content_type: contentType },
    wall: null,
    crawl: { links: [], nofollow: false, noindex: false },
  };
}
