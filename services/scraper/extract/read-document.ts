import { DocumentError } from "../../../reader/document/broken-document.ts";
import { isJson, isXml, type MediaType, sniffType } from "../../../reader/document/media-type.ts";
import {
  decode,
  openDocument,
  type PageDocument,
  type SentDocument,
} from "../../../reader/document/read-document.ts";
import { fail } from "../../contracts/errors.ts";
import { unsupported } from "./admit-type.ts";

const timeoutMs = 20_000;

/**
 * Detects the type of a body and decodes it; a feed becomes the HTML of its items. CPU-bound: call it in a worker thread.
 * Throws `unsupported_media_type` with the `content_type` for a type without text, `upstream_error` for a broken document.
 */
export async function readDocument(
  document: SentDocument,
  signal: AbortSignal = AbortSignal.timeout(timeoutMs),
): Promise<PageDocument> {
  try {
    // What no reader of feeds can read is read as any other document, whose reader says what is wrong with it.
    return (await openFeed(document).catch(() => undefined)) ?? (await openDocument(document, signal));
  } catch (error) {
    throw error instanceof DocumentError ? publicError(error) : error;
  }
}

function publicError(error: DocumentError): Error {
  if (error.code === "unsupported") return unsupported(error.contentType ?? "");
  return fail("upstream_error", error.message, {}, error.cause);
}

async function openFeed(document: SentDocument): Promise<PageDocument | undefined> {
  const { body, contentType, finalUrl = "" } = document;
  const type = await sniffType(contentType, body, finalUrl);
  const source = await sourceOfFeed(type, body);
  if (source === undefined) return undefined;
  const { readFeed } = await import("../../domain/feed/parse-feed.ts");
  const parsed = readFeed(body, contentType, finalUrl, "beginning");
  if (!parsed.ok) return undefined;
  const { feedHtml } = await import("../../domain/feed/feed-html.ts");
  return { kind: "converted", html: feedHtml(parsed.feed), source };
}

/** The text of what may be a feed. JSON Feed 1.1 names its version. */
async function sourceOfFeed(type: MediaType, body: Uint8Array): Promise<string | undefined> {
  if (type.essence === "application/xhtml+xml") return undefined;
  if (isXml(type.essence)) return await decode(body, type, "xml");
  if (!isJson(type.essence)) return undefined;
  const text = await decode(body, type, "text");
  const isNamed = /"https?:\/\/jsonfeed\.org\/version\//.test(text.slice(0, 2000));
  return isNamed || type.essence === "application/feed+json" ? text : undefined;
}
