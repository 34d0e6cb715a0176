import { fail } from "../../contracts/errors.ts";
import { decodeText } from "../../domain/text/decode-text.ts";
import { pdfToText } from "./pdf-to-text.ts";
import { type MediaType, sniffType } from "./sniff-type.ts";

/** A page as what can be extracted from: HTML, or a text whose markdown is its content. */
export type PageDocument =
  | { kind: "html"; html: string }
  | { kind: "text"; markdown: string; text: string; title: string | null };

const pdfTimeoutMs = 20_000;

/**
 * Tells what a body is and decodes it. CPU-bound for PDFs: call it in a worker thread. Throws
 * `unsupported_media_type` with the `content_type` for what holds no text, `upstream_error` for a broken PDF.
 */
export async function readDocument(
  { body, contentType }: { body: Uint8Array; contentType: string },
  signal: AbortSignal = AbortSignal.timeout(pdfTimeoutMs),
): Promise<PageDocument> {
  const type = await sniffType(contentType, body);
  const { essence } = type;
  if (essence === "text/html" || essence === "application/xhtml+xml")
    return { kind: "html", html: decodeText(body, type, essence === "text/html" ? "html" : "xml") };
  if (essence === "application/pdf") {
    const { title, pages } = await pdfToText(body, signal);
    const text = pages.join("\n\n");
    return { kind: "text", markdown: text, text, title };
  }
  if (isXml(essence)) return xmlDocument(decodeText(body, type, "xml"));
  if (isJson(essence)) return fenced("json", prettyJson(decodeText(body, type, "text")));
  if (!essence.startsWith("text/") && !scripts.has(essence)) throw unsupported(essence);
  return textDocument(type, decodeText(body, type, "text"));
}

function isXml(essence: string): boolean {
  // A picture that is written in XML is still a picture.
  return (
    (/^(text|application)\/xml$/.test(essence) || essence.endsWith("+xml")) && !essence.startsWith("image/")
  );
}

function isJson(essence: string): boolean {
  return /[/+]json$|^application\/(x-)?ndjson$/.test(essence);
}

const scripts = new Set([
  "application/javascript",
  "application/x-javascript",
  "application/ecmascript",
  "application/yaml",
  "application/x-yaml",
  "application/toml",
]);

function xmlDocument(xml: string): PageDocument {
  const isXhtml = /<html\b[^>]*xmlns\s*=\s*["']http:\/\/www\.w3\.org\/1999\/xhtml["']/i.test(
    xml.slice(0, 4096),
  );
  return isXhtml ? { kind: "html", html: xml } : fenced("xml", xml);
}

const maxPrettyLength = 1024 * 1024;
const maxPrettyDepth = 20;

/** Large or deep documents stay as they are: the blanks before their lines would outgrow them by far. */
function prettyJson(text: string): string {
  if (text.length > maxPrettyLength) return text;
  try {
    const value: unknown = JSON.parse(text);
    return isDeeper(value, maxPrettyDepth) ? text : JSON.stringify(value, null, 2);
  } catch {
    // Not one JSON value, JSON lines for instance: as it is.
    return text;
  }
}

function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== "object" || value === null) return false;
  return levels === 0 || Object.values(value).some(inner => isDeeper(inner, levels - 1));
}

const proseTypes = new Set(["text/plain", "text/markdown", "text/x-markdown", "text/x-web-markdown"]);

function textDocument({ essence }: MediaType, text: string): PageDocument {
  if (!proseTypes.has(essence)) return fenced(essence.replace(/^.*\/(x-)?/, ""), text);
  return { kind: "text", markdown: text, text, title: headingOf(text) };
}

/** The first heading of the first level, without the `#`s that close it (CommonMark 0.31, 4.2). */
function headingOf(text: string): string | null {
  const line = /^#[ \t]+(\S.{0,998})/m.exec(text)?.[1];
  return line?.replace(/([ \t]+#+)?\s*$/, "") ?? null;
}

/** A fence is longer than any run of backticks inside (CommonMark 0.31, 4.5). */
function fenced(language: string, text: string): PageDocument {
  let fence = "```";
  for (const [run] of text.matchAll(/`{3,}/g)) if (run.length >= fence.length) fence = `${run}\``;
  const markdown = `${fence}${language}\n${text.trimEnd()}\n${fence}`;
  return { kind: "text", markdown, text, title: null };
}

function unsupported(essence: string): Error {
  return fail("unsupported_media_type", `A page of type ${essence} holds no text to extract.`, {
    content_type: essence,
  });
}
