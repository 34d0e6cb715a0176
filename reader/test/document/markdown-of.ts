import { openDocument } from "../../document/read-document.ts";
import { extractPage, type PageContent } from "../../page/extract-page.ts";

const wanted = { formats: ["markdown" as const, "links" as const], onlyMainContent: false };

/** What a document comes out as: its Markdown with what it says of itself. */
export async function readAs(
  body: Uint8Array,
  contentType = "",
  finalUrl = "https://site.example/file",
): Promise<PageContent & { warning?: string }> {
  const document = await openDocument({ body, contentType, finalUrl });
  if (document.kind !== "converted") throw new TypeError(`Read as ${document.kind}`);
  const page = extractPage({ html: document.html, url: finalUrl }, wanted);
  return { ...page, ...(document.warning !== undefined && { warning: document.warning }) };
}

export async function markdownOf(body: Uint8Array, contentType?: string, url?: string): Promise<string> {
  return (await readAs(body, contentType, url)).markdown?.trim() ?? "";
}

/** The code of the error that reading ends with. */
export async function failureOf(body: Uint8Array, contentType = ""): Promise<unknown> {
  const error: unknown = await openDocument({ body, contentType }).catch((caught: unknown) => caught);
  return (error as { code?: unknown }).code ?? error;
}
