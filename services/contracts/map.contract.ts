import { type ParamsOf, type ResultOf, repeatable } from "./action.ts";
import { count, type Infer, list, named, nullableText, text } from "./schema.ts";

const mappedPage = named("MappedPage", {
  url: text,
  title: {
    ...nullableText,
    description: "The page's title where it is known, else the text of a link to it.",
  },
  description: nullableText,
});
export type MappedPage = Infer<typeof mappedPage>;

/** Lists the pages of a site without reading them. */
export const mapSite = repeatable("crawler.map", {
  params: {
    url: {
      type: "string",
      min: 1,
      max: 2048,
      description:
        "The entry page: an absolute http or https URL of a public address, without credentials. The map has what lies below its directory; `/` and `/docs` mean the whole host.",
    },
    search: {
      type: "string",
      min: 1,
      max: 256,
      optional: true,
      description:
        "Words: the pages whose URL, title or link has them come first. Nothing is left out because of it.",
    },
    limit: {
      type: "number",
      integer: true,
      min: 1,
      max: 30_000,
      default: 5000,
      description: "URLs in the answer, at most.",
    },
    include_subdomains: {
      type: "boolean",
      default: false,
      description: "Also pages of hosts below the entry page's host.",
    },
    sitemaps: {
      type: "enum",
      values: ["include", "only", "skip"],
      default: "include",
      description:
        "`include`: the site's sitemaps, the links of the entry page and what your crawls know. `only`: the sitemaps alone. `skip`: all but the sitemaps.",
    },
    timeout: {
      type: "number",
      integer: true,
      min: 1000,
      max: 120_000,
      default: 30_000,
      description: "Milliseconds; then the answer has what was found until then.",
    },
  },
  result: named("SiteMap", {
    url: text,
    data: {
      ...list(mappedPage),
      description: "Best first with `search`; otherwise the entry page, then the order of the sitemaps.",
    },
    total: { ...count, description: "URLs found, before `limit`." },
    complete: {
      type: "boolean",
      description: "False where a source was cut short or could not be read: there may be more URLs.",
    },
  }),
});
/** The body of `POST /web/map` after validation: every default is filled in. */
export type MapRequest = ParamsOf<typeof mapSite>;
export type SiteMap = ResultOf<typeof mapSite>;
