import { mapSite, type SiteMap } from "../../contracts/map.contract.ts";
import type { Rule } from "../../contracts/schema.ts";
import { present } from "../../domain/json/fields.ts";
import { withScheme } from "./address.ts";
import { answerWith, ask } from "./ask.ts";
import { withoutNulls } from "./checked-part.ts";
import {
  fieldsOf,
  ignored,
  type Options,
  only,
  refused,
  refuseOthers,
  rules,
  rulesOf,
  same,
  type Version,
} from "./options.ts";

const sitemap: Rule = { type: "enum", values: ["include", "skip", "only"], optional: true };

/** The options of `POST /map`. */
export const mapOptions = {
  url: same({ type: "string", max: 2048 }, "url"),
  search: same(rules.text, "search", "ranks; nothing is left out because of it"),
  limit: same(rules.number, "limit", "at most 30,000; the default is 5,000"),
  includeSubdomains: same(rules.flag, "include_subdomains", "the default is true"),
  ignoreQueryParameters: only(
    "v2",
    same(rules.flag, undefined, "the default is true: each page once, without its query"),
  ),
  sitemap: only("v2", same(sitemap, "sitemaps")),
  ignoreSitemap: only("v1", same(rules.flag, "sitemaps", "the default is false")),
  sitemapOnly: only("v1", same(rules.flag, "sitemaps")),
  timeout: same(rules.number, "timeout", "1,000 to 120,000; then the answer has what was found"),
  ignoreCache: ignored("a map is always made afresh"),
  useIndex: ignored("there is no index of other people's sites"),
  location: refused("A map is made from where the service runs."),
  threatProtection: refused("The operator decides which addresses are reached."),
  origin: ignored("names the client"),
  integration: ignored("names the client"),
  auditMetadata: ignored("names the client"),
} as const satisfies Options;

interface MapBody {
  url: string;
  search?: string;
  limit?: number;
  includeSubdomains?: boolean;
  ignoreQueryParameters?: boolean;
  sitemap?: "include" | "skip" | "only";
  ignoreSitemap?: boolean;
  sitemapOnly?: boolean;
  timeout?: number;
}

const defaultTimeoutMs = 30_000;
const maxTimeoutMs = 120_000;
const marginMs = 15_000;

/** Answers `POST /map`. */
export const mapAnswer = (version: Version) =>
  answerWith<MapBody & Record<string, unknown>>(rulesOf(mapOptions, version), async (asked, body) => {
    const request = mapRequestOf(body, version);
    const timeout = Math.min(body.timeout ?? defaultTimeoutMs, maxTimeoutMs) + marginMs;
    const found = await ask(asked, mapSite, request, { timeout, names: fieldsOf(mapOptions) });
    return { success: true, links: linksOf(found, body, version) };
  });

/** A map as Magpie takes it. Throws a 400 that names what it does not have. */
export function mapRequestOf(sent: MapBody & Record<string, unknown>, version: Version) {
  const body = withoutNulls(sent);
  refuseOthers(mapOptions, body, version);
  const { url, search, limit, timeout, includeSubdomains = true } = body;
  return {
    url: withScheme(url),
    include_subdomains: includeSubdomains,
    sitemaps: sitemapsOf(body),
    ...present({ search: search || undefined, limit, timeout }),
  };
}

function sitemapsOf({
  sitemap = "include",
  ignoreSitemap,
  sitemapOnly,
}: MapBody): "include" | "skip" | "only" {
  if (sitemapOnly) return "only";
  return ignoreSitemap ? "skip" : sitemap;
}

/** The links as objects in v2, as texts in v1. */
export function linksOf(
  { data }: SiteMap,
  { ignoreQueryParameters = true }: Partial<MapBody>,
  version: Version,
) {
  if (version === "v1") return data.map(({ url }) => url);
  const pages = new Map<string, SiteMap["data"][number]>();
  for (const page of data) {
    const url = ignoreQueryParameters ? withoutQuery(page.url) : page.url;
    if (!pages.has(url)) pages.set(url, page);
  }
  return [...pages].map(([url, { title, description }]) => ({
    url,
    ...(title !== null && { title }),
    ...(description !== null && { description }),
  }));
}

function withoutQuery(url: string): string {
  return url.replace(/\?.*$/s, "");
}
