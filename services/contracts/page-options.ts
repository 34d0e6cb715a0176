export const formats = ["html", "raw_html", "markdown", "links", "summary", "screenshot", "json"] as const;
export type Format = (typeof formats)[number];

/** What is wanted of a page. */
export interface OutputOptions {
  formats: Format[];
  screenshot: "viewport" | "full_page";
  json?: { prompt?: string; json_schema?: Record<string, unknown>; recipe?: Record<string, unknown> };
}

export interface Cookie {
  name: string;
  value: string;
  domain?: string;
  path?: string;
  secure?: boolean;
  httpOnly?: boolean;
  sameSite?: "Strict" | "Lax" | "None";
  /** Unix time in seconds. */
  expires?: number;
}

/** How the page is asked for. */
export interface RequestOptions {
  /** BCP 47 tag, for example `de-AT`. */
  locale?: string;
  device: "desktop" | "mobile";
  /** A list of cookies, or a map of names to values for the page's own host. */
  cookies?: Cookie[] | Record<string, string>;
  headers?: Record<string, string>;
  only_main_content: boolean;
  block_ads: boolean;
  skip_tls_verification: boolean;
}

export interface JsRenderOptions {
  enabled: boolean;
  wait_until?: "load" | "domcontentloaded" | "networkidle";
  viewport?: { width: number; height: number };
}

export interface ProxyOptions {
  /** ISO 3166-1 alpha-2 country code. */
  location: string;
  sticky_session?: string;
}

/** Who is told of a job. */
export interface JobWebhook {
  url: string;
  headers?: Record<string, string>;
  events: ("started" | "completed" | "failed")[];
}

/** What scrapes and crawls say of the pages they read. */
export interface PageOptions {
  output: OutputOptions;
  request: RequestOptions;
  js_render: JsRenderOptions;
  proxy: ProxyOptions;
  webhook?: JobWebhook;
}

const flag = (value: boolean, description: string) => ({ type: "boolean", default: value, description });
const pixels = (description: string) => ({ type: "number", integer: true, min: 16, max: 4096, description });

const cookieSchema = {
  type: "object",
  strict: true,
  props: {
    name: { type: "string", min: 1, max: 256 },
    value: { type: "string", max: 4096, empty: true },
    domain: {
      type: "string",
      min: 1,
      max: 253,
      optional: true,
      description: "The page's host or a parent of it; left out, the cookie is for that host alone.",
    },
    path: { type: "string", min: 1, max: 1024, optional: true, description: "`/` when left out." },
    secure: { type: "boolean", optional: true, description: "Sent over HTTPS only." },
    httpOnly: { type: "boolean", optional: true, description: "Not seen by the page's scripts." },
    sameSite: { type: "enum", values: ["Strict", "Lax", "None"], optional: true },
    expires: { type: "number", optional: true, description: "Unix time in seconds." },
  },
};

/**
 * The parts of the body that scrapes and crawls share. The validator fills a missing object in whole and does not look
 * inside it then, so each default is complete. It ignores `description`, which is for the OpenAPI document.
 */
export const pageOptionsSchema = {
  output: {
    type: "object",
    strict: true,
    default: { formats: ["markdown"], screenshot: "viewport" },
    description: "What is wanted of the page.",
    props: {
      formats: {
        type: "array",
        min: 1,
        max: formats.length,
        unique: true,
        items: { type: "enum", values: [...formats] },
        default: ["markdown"],
        description:
          "`html` is cleaned, `raw_html` is as the browser or the server has it. `json` needs `output.json`.",
      },
      screenshot: {
        type: "enum",
        values: ["viewport", "full_page"],
        default: "viewport",
        description: "What a screenshot shows; it is taken when `formats` names it.",
      },
      json: {
        type: "object",
        strict: true,
        optional: true,
        description: "What the `json` format extracts; at least one of its fields is needed.",
        props: {
          prompt: {
            type: "string",
            min: 1,
            max: 4000,
            optional: true,
            description: "What to extract, in words.",
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
            description: "`data.json_recipe` of an earlier scrape: extracts the same again, without a model.",
          },
        },
      },
    },
  },
  request: {
    type: "object",
    strict: true,
    default: { device: "desktop", only_main_content: true, block_ads: true, skip_tls_verification: true },
    description: "How the page is asked for and read.",
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
        description: "The kind of device that the page is shown to.",
      },
      cookies: {
        type: "multi",
        optional: true,
        description: "A list of cookies, or a map of names to values for the page's own host.",
        rules: [
          { type: "array", max: 100, items: cookieSchema },
          {
            type: "record",
            key: { type: "string", min: 1, max: 256 },
            value: { type: "string", max: 4096, empty: true },
          },
        ],
      },
      headers: {
        type: "record",
        key: "string",
        value: { type: "string", max: 4096, empty: true },
        optional: true,
        description:
          "At most 50, sent to the page's own origin only. Not `host`, nor those that belong to the connection, the browser or a proxy.",
      },
      only_main_content: flag(true, "Leaves out navigation, sidebars, footers and the like."),
      block_ads: flag(
        true,
        "Blocks advertisements and trackers while the page loads, and drops them from it.",
      ),
      skip_tls_verification: flag(true, "Takes certificates that do not verify."),
    },
  },
  js_render: {
    type: "object",
    strict: true,
    default: { enabled: true },
    description: "Running the page's scripts in a browser.",
    props: {
      enabled: flag(true, "Runs scripts where they change the page; false reads it as the server sent it."),
      wait_until: {
        type: "enum",
        values: ["load", "domcontentloaded", "networkidle"],
        optional: true,
        description: "When a rendered page counts as ready; left out, once it has settled.",
      },
      viewport: {
        type: "object",
        strict: true,
        optional: true,
        description: "Size of the browser's window; the device's own when left out.",
        props: { width: pixels("CSS pixels."), height: pixels("CSS pixels.") },
      },
    },
  },
  proxy: {
    type: "object",
    strict: true,
    default: { location: "US" },
    description: "Where the page is asked from.",
    props: {
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
    },
  },
  webhook: {
    type: "object",
    strict: true,
    optional: true,
    description: "Told of an asynchronous job.",
    props: {
      url: { type: "string", min: 1, max: 2048, description: "HTTPS endpoint." },
      headers: {
        type: "record",
        key: "string",
        value: { type: "string", max: 4096 },
        optional: true,
        description: "Sent with every delivery.",
      },
      events: {
        type: "array",
        min: 1,
        items: { type: "enum", values: ["started", "completed", "failed"] },
        default: ["started", "completed", "failed"],
        description: "What to be told of.",
      },
    },
  },
};
