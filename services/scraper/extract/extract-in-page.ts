import { type Page, parsePage } from "../../../reader/recipe/parse-page.ts";
import { type JsonResult, readJson, type WantedJson } from "../../../reader/recipe/read-json.ts";

/** Extracts JSON from HTML by rules: synchronous, for a worker thread. */
export function extractJson(html: string, url: string, request: WantedJson): JsonResult {
  return extractFrom(() => parsePage(html, url), request);
}

/** Extracts from a page. */
export function extractFrom(open: () => Page, request: WantedJson): JsonResult {
  return explained(readJson(open, request));
}

/** A prompt that is refused may be asked in another way. */
export function explained(result: JsonResult): JsonResult {
  if (result.ok || !result.needsSchema) return result;
  const how = "Name the values in output.json.json_schema, or configure a language model (LLM_BASE_URL).";
  return { ok: false, reason: `${result.reason} ${how}` };
}
