/** Reading a document that is sent in place of an address. */
import { action, type ParamsOf, type ResultOf } from "./action.ts";
import { pageMetadata, scrapeData } from "./page.contract.ts";
import { pageOptions } from "./page-options.ts";
import { type Infer, named, rule, text, time } from "./schema.ts";

export const maxDocumentBytes = 32 * 1024 * 1024;

/** The formats that need neither a browser nor an earlier reading. */
export const documentFormats = [
  "html",
  "raw_html",
  "markdown",
  "links",
  "images",
  "summary",
  "json",
] as const;

const { json } = pageOptions.output.props;
const { include_tags, exclude_tags, only_main_content, pdf } = pageOptions.request.props;

const output = rule({
  type: "object",
  name: "DocumentOutput",
  strict: true,
  default: { formats: ["markdown"] },
  description: "The formats to return.",
  props: {
    formats: {
      type: "array",
      min: 1,
      max: documentFormats.length,
      unique: true,
      items: { type: "enum", values: documentFormats },
      default: ["markdown"],
      description: "As those of a scrape. `json` needs `output.json`.",
    },
    json,
  },
});

const request = rule({
  type: "object",
  name: "DocumentReading",
  strict: true,
  default: { only_main_content: true },
  description:
    "How to read the document. The first three are for HTML: other documents are content as a whole.",
  props: { include_tags, exclude_tags, only_main_content, pdf },
});

const timeout = rule({
  type: "number",
  integer: true,
  min: 1000,
  max: 600_000,
  default: 30_000,
  description: "Milliseconds that the reading may take; then the answer is 408 `scrape_timeout`.",
});

const breakdown = rule({
  type: "boolean",
  default: false,
  description: "With the `json` format: also returns the recipe of the extraction, as `data.json_recipe`.",
});

export const parseOptions = rule({
  type: "object",
  name: "ParseOptions",
  strict: true,
  default: {
    ...{ output: { formats: ["markdown"] }, request: { only_main_content: true } },
    ...{ timeout: 30_000, breakdown: false },
  },
  description: "What to return of it, as JSON.",
  props: { output, request, timeout, breakdown },
});

/** The part of a form that is the document; its bytes come as the stream of the call. */
const sentFile = rule({
  type: "object",
  strict: true,
  description:
    "The document, with its file name, of at most 32 MB. Its bytes say what it is; name and content type decide where they do not.",
  props: {
    name: { type: "string", max: 255, empty: true },
    type: { type: "string", max: 255, empty: true },
    size: { type: "number", integer: true, min: 1, max: maxDocumentBytes },
  },
});

const {
  status_code: _status,
  final_url: _url,
  source_url: _asked,
  engine: _engine,
  proxy_location: _proxy,
  cached_at: _cached,
  ...ofContent
} = pageMetadata.props;
const { screenshot: _picture, actions: _acts, changes: _changes, ...ofDocument } = scrapeData.props;

export const documentData = named("Document", {
  ...ofDocument,
  metadata: named("DocumentMetadata", {
    ...ofContent,
    file_name: { ...text, description: "As it was sent; empty where it was not." },
    content_type: { ...text, description: "The media type that the document was read as." },
  }),
});
export type DocumentData = Infer<typeof documentData>;

/** Reads a document. A stream comes with the call: the bytes of the file. */
export const parseDocument = action("scraper.parse", {
  params: { file: sentFile, options: parseOptions },
  result: named("ParsedDocument", {
    data: { ...documentData, description: "Only the formats that were asked for are present." },
    started_at: time,
    ended_at: time,
  }),
});
/** A form after validation: every default is filled in. */
export type ParseRequest = ParamsOf<typeof parseDocument>;
export type ParsedDocument = ResultOf<typeof parseDocument>;
