import type { PageDocument } from "../../../reader/document/read-document.ts";
import type { JsonResult, WantedJson } from "../../../reader/recipe/read-json.ts";
import { explained } from "./extract-in-page.ts";

/**
 * JSON of a document that has a structure of its own (JSON, XML, a feed, a table), by the names of its properties.
 * Undefined where it has none, and where selectors may read the page that was made of it.
 */
export async function structuredJson(
  document: PageDocument,
  essence: string,
  url: string,
  wanted: WantedJson | undefined,
): Promise<JsonResult | undefined> {
  if (wanted === undefined || document.kind === "html") return undefined;
  const isPage = document.kind === "converted";
  if (isPage && wanted.recipe) return undefined;
  const { parseStructured } = await import("../../../reader/structured/parse-structured.ts");
  const source = isPage
    ? { text: document.source ?? undefined, html: document.html }
    : { text: document.text };
  const value = parseStructured(essence, source);
  if (value === undefined) return undefined;
  const { readStructured } = await import("../../../reader/structured/read-structured.ts");
  const found = explained(readStructured(value, url, wanted));
  return found.ok || !isPage ? found : undefined;
}
