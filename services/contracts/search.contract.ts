import { type ParamsOf, repeatable } from "./action.ts";
import { type Infer, list, nullableText, object, text } from "./schema.ts";

const found = object({
  url: text,
  title: nullableText,
  description: nullableText,
  /** Where the picture itself is; results for pictures have it. */
  image_url: nullableText,
  /** When it appeared, as the search engine says it; results for news have it. */
  date: nullableText,
});
export type Found = Infer<typeof found>;

/** Searches the web by the operator's SearXNG; 400 where there is none. Not published by itself. */
export const searchWeb = repeatable("scraper.search", {
  params: {
    query: { type: "string", min: 1, max: 2048 },
    kind: { type: "enum", values: ["general", "news", "images"], default: "general" },
    limit: { type: "number", integer: true, min: 1, max: 100, default: 10 },
    language: { type: "string", max: 35, optional: true },
    within: { type: "enum", values: ["day", "week", "month", "year"], optional: true },
    safe: { type: "boolean", default: false },
    timeout: { type: "number", integer: true, min: 1000, max: 300_000, default: 15_000 },
  },
  result: list(found),
});
export type SearchRequest = ParamsOf<typeof searchWeb>;
