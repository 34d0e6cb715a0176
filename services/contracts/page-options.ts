import { contentUses } from "./content-uses.ts";
import { pageActions, selector, session, waitFor } from "./page-actions.ts";
import { type Fields, type Infer, type InferFields, rule } from "./schema.ts";

export const formats = [
  "html",
  "raw_html",
  "markdown",
  "links",
  "images",
  "summary",
  "screenshot",
  "json",
  "changes",
] as const;
export type Format = (typeof formats)[number];

/** The forms of what a job's webhook receives. */
export const jobWebhookFormats = ["magpie", "firecrawl"] as const;

const flag = (value: boolean, description: string) =>
  ({ type: "boolean", default: value, description }) as const;
const selectors = (description: string) =>
  ({ type: "array", max: 50, items: selector, optional: true, description }) as const;
const pixels = rule({ type: "number", integer: true, min: 16, max: 4096, description: "CSS pixels." });

const cookie = rule({
  type: "object",
  name: "Cookie",
  strict: true,
  props: {
    name: { type: "string", min: 1, max: 256 },
    value: { type: "string", max: 4096, empty: true },
    domain: {
      type: "string",
      min: 1,
      max: 253,
      optional: true,
      description: "The page's host or a parent of it; by default the cookie is for that host alone.",
    },
    path: { type: "string", min: 1, max: 1024, optional: true, description: "By default `/`." },
    secure: { type: "boolean", optional: true, description: "Sent over HTTPS only." },
    httpOnly: { type: "boolean", optional: true, description: "Hidden from the page's scripts." },
    sameSite: { type: "enum", values: ["Strict", "Lax", "None"], optional: true },
    expires: { type: "number", optional: true, description: "Unix time in seconds." },
  },
});
export type Cookie = Infer<typeof cookie>;

const proxyProps = {
  location: {
    type: "string",
    pattern: "^[A-Za-z]{2}$",
    uppercase: true,
    default: "US",
    description:
      "ISO 3166-1 alpha-2 country code. Without a proxy there the page is fetched directly: `metadata.proxy_location` is null.",
  },
  sticky_session: {
    type: "string",
    min: 1,
    max: 128,
    optional: true,
    description: "Scrapes with the same value keep the same proxy, for 10 minutes at least.",
  },
} as const;

/** The proxy of a watch. */
export const watchProxy = {
  type: "object",
  name: "WatchProxy",
  strict: true,
  description: "The country from which the page is asked for, by a proxy of `PROXIES`.",
  props: proxyProps,
} as const;

/**
 * The parameters that scrapes and crawls share. The validator fills in a missing object as a whole and does not look inside
 * it then, so each default is complete.
 */
export const pageOptions = {
  output: {
    type: "object",
    name: "OutputOptions",
    strict: true,
    default: { formats: ["markdown"], screenshot: "viewport" },
    description: "The formats to return.",
    props: {
      formats: {
        type: "array",
        min: 1,
        max: formats.length,
        unique: true,
        items: { type: "enum", values: formats },
        default: ["markdown"],
        description:
          "`html` is cleaned, `raw_html` is as the browser or the server has it. `json` needs `output.json`. `changes` compares the page with the last reading of the same key.",
      },
      screenshot: {
        type: "enum",
        values: ["viewport", "full_page"],
        default: "viewport",
        description: "What a screenshot shows; it is taken when `formats` names it.",
      },
      changes: {
        type: "object",
        name: "ChangesOptions",
        strict: true,
        optional: true,
        description: "How the `changes` format compares the page with the last reading of its address.",
        props: {
          tag: {
            type: "string",
            min: 1,
            max: 64,
            optional: true,
            description:
              "Compares with the last reading that had the same tag; by default with one that had none.",
          },
          modes: {
            type: "array",
            max: 2,
            unique: true,
            items: { type: "enum", values: ["diff", "json"] },
            optional: true,
            description:
              "What is told of a page that has changed, by default `diff`: the lines of its Markdown. `json`: each field that `output.json` finds, with both values.",
          },
        },
      },
      json: {
        type: "object",
        name: "JsonOptions",
        strict: true,
        optional: true,
        description: "What the `json` format extracts; at least one of its fields is needed.",
        props: {
          prompt: {
            type: "string",
            min: 1,
            max: 4000,
            optional: true,
            description:
              "What to extract, in words. Without a language model: names of values and lists of the page, and plain questions for them.",
          },
          mode: {
            type: "enum",
            values: ["auto", "recipe", "values"],
            optional: true,
            description:
              "With a language model, by default `auto`: selectors for pages that are made alike, and values of the model where no selector gives what is asked for. `recipe`: selectors alone. `values`: the model reads each page, and its values must rest on words of it.",
          },
          json_schema: {
            type: "object",
            optional: true,
            description:
              "JSON Schema that the answer fits, of at most 16 KB, 10 levels and 100 properties, without `$ref` to elsewhere.",
          },
          recipe: {
            type: "object",
            optional: true,
            description:
              "`data.json_recipe` of an earlier scrape: extracts the same fields again, without a model.",
          },
        },
      },
    },
  },
  request: {
    type: "object",
    name: "RequestOptions",
    strict: true,
    default: { device: "desktop", only_main_content: true, block_ads: true, skip_tls_verification: true },
    description: "How to request and read the page.",
    props: {
      locale: {
        type: "string",
        max: 35,
        pattern: "^[A-Za-z]{2,3}([-_][A-Za-z0-9]{2,8})*$",
        optional: true,
        description: "BCP 47 tag of the language wanted, for example `de-AT`.",
      },
      device: {
        type: "enum",
        values: ["desktop", "mobile"],
        default: "desktop",
        description: "The kind of device to present to the page.",
      },
      cookies: {
        type: "multi",
        optional: true,
        description: "A list of cookies, or a map of names to values for the page's own host.",
        rules: [
          { type: "array", max: 100, items: cookie },
          {
            type: "record",
            key: { type: "string", min: 1, max: 256 },
            value: { type: "string", max: 4096, empty: true },
          },
        ],
      },
      headers: {
        type: "record",
        value: { type: "string", max: 4096, empty: true },
        optional: true,
        description:
          "At most 50, sent to the page's own origin only. Not `host`, nor those that belong to the connection, the browser or a proxy.",
      },
      include_tags: selectors(
        "CSS selectors: only the elements that match one of them, and what is in them. Without a search for the main content, since these name it.",
      ),
      exclude_tags: selectors("CSS selectors: without the elements that match one of them."),
      only_main_content: flag(true, "Leaves out navigation, sidebars, footers and the like."),
      block_ads: flag(
        true,
        "Blocks advertisements and trackers while the page loads, and drops them from it.",
      ),
      skip_tls_verification: flag(true, "Accepts certificates that do not verify."),
      content_uses: {
        ...contentUses,
        optional: true,
        description:
          "What the content is wanted for, beside what the key names: a page whose site refuses one of them is not read (`content_refused`).",
      },
      pdf: {
        type: "object",
        name: "PdfOptions",
        strict: true,
        optional: true,
        description: "How a PDF is read.",
        props: {
          read: {
            type: "boolean",
            optional: true,
            description:
              "By default true. False returns the file in base64, as `markdown`, `html` and `raw_html`; it may have 3 MB.",
          },
          max_pages: {
            type: "number",
            integer: true,
            min: 1,
            max: 200,
            optional: true,
            description: "Reads the first pages only; by default 200.",
          },
        },
      },
    },
  },
  js_render: {
    type: "object",
    name: "JsRenderOptions",
    strict: true,
    default: { enabled: true },
    description: "Running the page's scripts in a browser.",
    props: {
      enabled: flag(true, "Runs scripts where they change the page; false reads it as the server sent it."),
      wait_until: {
        type: "enum",
        values: ["load", "domcontentloaded", "networkidle"],
        optional: true,
        description: "When a rendered page counts as ready; by default once it has settled.",
      },
      wait_for: waitFor,
      actions: pageActions,
      viewport: {
        type: "object",
        name: "Viewport",
        strict: true,
        optional: true,
        description: "Size of the browser's window; by default that of the device.",
        props: { width: pixels, height: pixels },
      },
      frames: {
        type: "enum",
        values: ["same_site", "all", "none"],
        optional: true,
        description:
          "Whose frames are read in their places, by default those of the page's own site; others are links.",
      },
      scroll: {
        type: "enum",
        values: ["full"],
        optional: true,
        description: "Scrolls to the end before the page is read, for what loads when it comes into view.",
      },
      color_scheme: {
        type: "enum",
        values: ["light", "dark"],
        optional: true,
        description: "The colours that the page is asked for, by default light ones.",
      },
    },
  },
  proxy: {
    type: "object",
    name: "ProxyOptions",
    strict: true,
    default: { location: "US" },
    description: "Where to request the page from.",
    props: proxyProps,
  },
  session,
  webhook: {
    type: "object",
    name: "JobWebhook",
    strict: true,
    optional: true,
    description: "The endpoint that receives the events of an asynchronous job.",
    props: {
      url: { type: "string", min: 1, max: 2048, description: "HTTPS endpoint." },
      headers: {
        type: "record",
        value: { type: "string", max: 4096 },
        optional: true,
        description: "Sent with every delivery.",
      },
      events: {
        type: "array",
        min: 1,
        items: { type: "enum", values: ["started", "page", "completed", "failed"] },
        default: ["started", "completed", "failed"],
        description: "The events to send. `page`: each page of a crawl or a batch, when it has ended.",
      },
      metadata: {
        type: "object",
        optional: true,
        description: "Comes with every delivery, as `data.metadata`; at most 16 KB.",
      },
      format: {
        type: "enum",
        values: jobWebhookFormats,
        optional: true,
        description:
          "By default `magpie`. `firecrawl`: deliveries have the form of Firecrawl's webhooks and its header `x-firecrawl-signature`.",
      },
    },
  },
} as const satisfies Fields;

/** What scrapes and crawls say of the pages they read. */
export type PageOptions = InferFields<typeof pageOptions>;
/** What is wanted of a page. */
export type OutputOptions = PageOptions["output"];
/** How the page is asked for. */
export type RequestOptions = PageOptions["request"];
export type JsRenderOptions = PageOptions["js_render"];
export type ProxyOptions = PageOptions["proxy"];
/** The endpoint that is notified about a job. */
export type JobWebhook = NonNullable<PageOptions["webhook"]>;
