/** What reading a page yields. */
import { type Infer, list, named, nullableText, object, text, time } from "./schema.ts";

const permission = { type: "enum", values: ["yes", "no"], nullable: true } as const;
const contentUsage = named("ContentUsage", {
  train_ai: {
    ...permission,
    description: "To train models on it; null where nothing is said, as in the others.",
  },
  ai_input: { ...permission, description: "To put it into the prompt of a model, as for an answer." },
  search: { ...permission, description: "To show it among the results of a search, with its address." },
  tdm: { ...permission, description: "To mine text and data." },
  statements: {
    ...list(
      object({
        by: { type: "enum", values: ["robots.txt", "tdmrep.json", "header", "page"] },
        name: { ...text, description: "Of the line, the property, the header or the `meta` element." },
        value: text,
      }),
    ),
    description: "As they were read. Where they differ, the one that refuses counts.",
  },
});

export const pageMetadata = named("PageMetadata", {
  title: text,
  status_code: {
    type: "number",
    integer: true,
    description: "The target's own status; its 404 is not an error of the scrape.",
  },
  final_url: { ...text, description: "After redirects." },
  source_url: { ...text, optional: true, description: "Of a batch: the URL as it was asked for." },
  description: nullableText,
  language: { ...nullableText, description: "BCP 47 tag as the page declares it." },
  canonical_url: nullableText,
  page_title: {
    ...nullableText,
    description:
      "The page's own `<title>`, or a document's title. `title` may be that of OpenGraph or the first heading.",
  },
  author: {
    ...nullableText,
    description: 'Who wrote the page, without "By"; several are separated by commas.',
  },
  published_time: {
    ...nullableText,
    description:
      "ISO 8601: a time with the page's own offset (`2025-09-04T10:00:00+02:00`), or a date (`2025-09-04`) where the page gives no time or no offset.",
  },
  modified_time: { ...nullableText, description: "As `published_time`." },
  keywords: { ...list(text), nullable: true, description: "At most 50, each once." },
  site_name: nullableText,
  favicon: { ...nullableText, description: "Absolute URL, as the page declares it." },
  image: {
    ...nullableText,
    description: "Absolute URL of the image that represents the page where it is shared.",
  },
  robots: { ...nullableText, description: "The contents of `<meta name=robots>`." },
  content_type: {
    ...text,
    description: "The media type that the page was read as: `text/html`, `application/pdf`.",
  },
  word_count: {
    type: "number",
    integer: true,
    description: "Words of the content: of the whole page with `only_main_content: false`.",
  },
  og: { type: "record", value: text, description: "OpenGraph properties without `og:`." },
  content_usage: {
    ...contentUsage,
    optional: true,
    description: "What the site says its content may be used for; absent where it says nothing.",
  },
  engine: { type: "enum", values: ["http", "browser"], description: "The engine that read the page." },
  proxy_location: {
    ...nullableText,
    description: "Country of the proxy; null when the page was fetched directly.",
  },
  cached_at: {
    ...time,
    optional: true,
    description:
      "With `max_age`, when the answer is that of an earlier scrape: the time when that one began.",
  },
  warning: {
    ...text,
    optional: true,
    description:
      "Why the page came out nearly empty, was read as the server sent it, or is only the beginning of a document, which formats of a large page are cut, and why a language model was not used; absent otherwise.",
  },
});
export type PageMetadata = Infer<typeof pageMetadata>;

/** What a scrape yields; only the formats that were asked for are present. */
export const scrapeData = named("Page", {
  markdown: { ...text, optional: true, description: "GitHub Flavored Markdown." },
  html: {
    ...text,
    optional: true,
    description: "The content without scripts, styles and, by default, navigation and the like.",
  },
  raw_html: {
    ...text,
    optional: true,
    description: "The whole page, as the server sent it or the browser has it.",
  },
  links: { ...list(text), optional: true, description: "Absolute URLs, each once." },
  images: {
    ...list(text),
    optional: true,
    description: "Absolute URLs of the images, each once, in the order of the document.",
  },
  summary: {
    ...text,
    optional: true,
    description: "At most three sentences, verbatim; a model's may have five.",
  },
  json: {
    type: "object",
    optional: true,
    description: "What was extracted; it fits the schema that was sent.",
  },
  json_recipe: {
    type: "object",
    optional: true,
    description:
      "With `breakdown`: selectors that can be sent back as `output.json.recipe`. Absent where none found the JSON: values of a model, and documents that are no pages.",
  },
  json_quotes: {
    type: "record",
    value: text,
    optional: true,
    description:
      "With `breakdown`: the words of the page that values of a language model rest on, by the dotted paths of the values that are not on the page themselves.",
  },
  screenshot: { ...text, optional: true, description: "Key for `GET /web/screenshot/{key}`." },
  actions: {
    ...object({ screenshots: { ...list(text), description: "Keys as that of `screenshot`, in order." } }),
    optional: true,
    description: "With `js_render.actions`: what they gave.",
  },
  changes: {
    ...named("PageChanges", {
      status: { type: "enum", values: ["new", "same", "changed", "removed"] },
      previous_at: { ...time, nullable: true, description: "When it was read before; null for a new page." },
      visibility: {
        type: "enum",
        values: ["visible", "hidden"],
        description:
          "`hidden`: in a crawl, a page of a former crawl from the same entry page that nothing leads to any more.",
      },
      diff: { ...text, optional: true, description: "The lines that differ, as `git diff` writes them." },
      json: {
        type: "record",
        value: object({ previous: { type: "any" }, current: { type: "any" } }),
        optional: true,
        description: "Each field with both its values.",
      },
    }),
    optional: true,
    description: "Absent for a page of an error that says nothing of it, such as a 503.",
  },
  metadata: pageMetadata,
});
export type ScrapeData = Infer<typeof scrapeData>;
