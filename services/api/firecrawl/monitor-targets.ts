import { invalid } from "../../contracts/errors.ts";
import type { Monitor, NewMonitor } from "../../contracts/monitors.contract.ts";
import type { WatchOptions } from "../../contracts/watch.contract.ts";
import { present } from "../../domain/json/fields.ts";
import { withScheme } from "./address.ts";
import { checkedPart } from "./checked-part.ts";
import { targetOptions, watchedCrawlOptions, watchedOptions } from "./monitor-options.ts";
import { asksForNothing, fieldsOf, refuse } from "./options.ts";

type Json = Record<string, unknown>;
type Target = NewMonitor["targets"][number];

interface TargetSent {
  id?: string;
  type: "scrape" | "crawl" | "search";
  urls?: string[];
  url?: string;
  queries?: string[];
  searchWindow?: string;
  includeDomains?: string[];
  excludeDomains?: string[];
  scrapeOptions?: Json;
  crawlOptions?: Json;
}

interface WatchedSent {
  formats?: (string | Json)[];
  onlyMainContent?: boolean;
  includeTags?: string[];
  excludeTags?: string[];
  headers?: Record<string, string>;
}

interface CrawlSent {
  limit?: number;
  includePaths?: string[];
  excludePaths?: string[];
  maxDiscoveryDepth?: number;
  maxDepth?: number;
  crawlEntireDomain?: boolean;
  allowSubdomains?: boolean;
  sitemap?: "include" | "skip";
}

/** The targets as a monitor of Magpie takes them. Throws a 400 for what it does not have, in the client's names. */
export function targetsOf(sent: Json[]): NewMonitor["targets"] {
  return sent.map((each, at) => targetOf(each, `targets.${at}.`));
}

function targetOf(sent: Json, at: string): Target {
  const target = checkedPart(targetOptions, sent, "v2", at) as unknown as TargetSent;
  const id = present({ id: target.id });
  if (target.type === "search") return { ...id, source: "search", ...searchesOf(target, at) };
  const { urls = [], url, scrapeOptions = {}, crawlOptions = {} } = target;
  const pageAt = `${at}scrapeOptions.`;
  const page = pageOptionsOf(checkedPart(watchedOptions, scrapeOptions, "v2", pageAt), pageAt);
  if (target.type === "scrape")
    return { ...id, source: "web", sids: named(urls.map(withScheme), `${at}urls`), ...optionsOf(page) };
  if (page.json || page.select)
    throw refuse(
      `${at}scrapeOptions`,
      "parts or fields of the pages of a site: they are compared as a whole.",
    );
  const site = siteOptionsOf(checkedPart(watchedCrawlOptions, crawlOptions, "v2", `${at}crawlOptions.`));
  return {
    ...id,
    source: "site",
    sids: named(url ? [withScheme(url)] : [], `${at}url`),
    ...optionsOf({ ...page, ...site }),
  };
}

function named(texts: string[], field: string): string[] {
  if (texts.length === 0) throw invalid(field, "required", `\`${field}\` is required.`);
  return [...new Set(texts)];
}

function optionsOf(options: WatchOptions): { options?: WatchOptions } {
  return Object.keys(options).length > 0 ? { options } : {};
}

function searchesOf(
  { queries = [], searchWindow = "24h", includeDomains, excludeDomains = [] }: TargetSent,
  at: string,
): Pick<Target, "sids" | "options"> {
  const without = excludeDomains.map(domain => ` -site:${domain}`).join("");
  const window = Object.hasOwn(windows, searchWindow) ? windows[searchWindow] : undefined;
  if (!window)
    throw refuse(
      `${at}searchWindow`,
      `the window ${JSON.stringify(searchWindow)}: it has ${Object.keys(windows).join(", ")}.`,
    );
  return {
    sids: named(queries, `${at}queries`).map(query => query + without),
    options: { window, ...(includeDomains?.length && { domains: includeDomains }) },
  };
}

const windows: Record<string, "day" | "week"> = {
  "5m": "day",
  "15m": "day",
  "1h": "day",
  "6h": "day",
  "24h": "day",
  "7d": "week",
};

function pageOptionsOf(sent: Json, at: string): WatchOptions {
  const { formats = [], onlyMainContent, includeTags, excludeTags, headers } = sent as WatchedSent;
  const json = fieldsIn(formats, at);
  const parts = includeTags?.length ? includeTags : undefined;
  const content = parts || json || onlyMainContent === false ? undefined : ("main" as const);
  return present({
    json,
    select: parts,
    content,
    remove: excludeTags?.length ? excludeTags : undefined,
    headers: headers && Object.keys(headers).length > 0 ? headers : undefined,
  });
}

/** The fields that are compared, where that is wanted in place of the text. */
function fieldsIn(formats: (string | Json)[], at: string): WatchOptions["json"] {
  for (const [number, format] of formats.entries()) {
    const field = `${at}formats.${number}`;
    const sent: Json = typeof format === "string" ? { type: format } : format;
    if (sent.type !== "markdown" && sent.type !== "changeTracking")
      throw refuse(field, `the format ${JSON.stringify(sent.type)}: pages are compared, and not returned.`);
    const modes = modesOf(sent, field);
    if (!modes.includes("json")) continue;
    if (modes.includes("git-diff"))
      throw refuse(`${field}.modes`, "both modes at once. Make two targets, with one mode each.");
    if (typeof sent.schema !== "object" || sent.schema === null)
      throw refuse(`${field}.schema`, "the mode `json` without a `schema` of the fields.");
    return { schema: sent.schema as Json };
  }
  return undefined;
}

const modeNames: unknown[] = ["git-diff", "json"];

/** How a format compares pages. Throws a 400 for what else it asks for. */
function modesOf({ type, modes, ...rest }: Json, field: string): unknown[] {
  const own = type === "changeTracking" ? ["schema"] : [];
  const other = Object.keys({ ...rest, ...(type === "markdown" && { modes }) }).find(
    name => !own.includes(name) && !asksForNothing(rest[name] ?? (name === "modes" ? modes : undefined)),
  );
  if (other !== undefined) throw refuse(`${field}.${other}`, `an option of the format ${String(type)}.`);
  if (modes === undefined || modes === null) return [];
  if (!Array.isArray(modes))
    throw invalid(`${field}.modes`, "array", "`modes` is a list: of `git-diff`, or of `json`.");
  const wrong = modes.findIndex(mode => !modeNames.includes(mode));
  if (wrong >= 0)
    throw refuse(
      `${field}.modes.${wrong}`,
      `the mode ${JSON.stringify(modes[wrong])}. It has git-diff and json.`,
    );
  return modes;
}

function siteOptionsOf(sent: Json): WatchOptions {
  const { limit, includePaths, excludePaths, maxDiscoveryDepth, maxDepth, sitemap, ...rest } =
    sent as CrawlSent;
  return present({
    limit,
    include: includePaths?.map(inSlashes),
    exclude: excludePaths?.map(inSlashes),
    max_depth: maxDiscoveryDepth ?? maxDepth,
    include_entire_domain: rest.crawlEntireDomain,
    include_subdomains: rest.allowSubdomains,
    sitemaps: sitemap === undefined ? undefined : sitemap === "include",
  });
}

/** Expressions are bare there. */
function inSlashes(expression: string): string {
  return `/${expression}/`;
}

const sidNames: Record<string, string> = { scrape: "urls", crawl: "url", search: "queries" };

/** Our fields of targets, and where a client has said them. */
export function targetNames(targets: Json[] = []): [ours: string, theirs: string][] {
  return targets.flatMap(({ type }, number) => {
    const at = `targets.${number}.`;
    const parts = [
      ...fieldsOf(targetOptions, at),
      ...(type === "crawl" ? fieldsOf(watchedCrawlOptions, `${at}crawlOptions.`) : []),
      ...(type === "search" ? [] : fieldsOf(watchedOptions, `${at}scrapeOptions.`)),
    ];
    const whole =
      type === "crawl" ? `${at}crawlOptions` : type === "search" ? at.slice(0, -1) : `${at}scrapeOptions`;
    return [
      [`${at}sids`, at + (sidNames[String(type)] ?? "urls")] as [string, string],
      ...parts.map(([ours, theirs]): [string, string] => [at + ours, theirs]),
      [`${at}options`, whole] as [string, string],
    ];
  });
}

/** A target as their clients read it: what it was made of. */
export function targetSent({ id, source, sids, options = {} }: Monitor["targets"][number]): Json {
  if (source === "search") return { id, type: "search", ...searchSent(sids, options) };
  const { json, select, content, remove, headers } = options;
  const scrapeOptions = present({
    formats: json ? [{ type: "changeTracking", modes: ["json"], schema: json.schema }] : undefined,
    onlyMainContent: !json && !select && content !== "main" ? false : undefined,
    includeTags: select,
    excludeTags: remove,
    headers,
  });
  const read = Object.keys(scrapeOptions).length > 0 ? { scrapeOptions } : {};
  if (source === "web") return { id, type: "scrape", urls: sids, ...read };
  const crawlOptions = present({
    limit: options.limit,
    includePaths: options.include?.map(bare),
    excludePaths: options.exclude?.map(bare),
    maxDiscoveryDepth: options.max_depth,
    crawlEntireDomain: options.include_entire_domain,
    allowSubdomains: options.include_subdomains,
    sitemap: options.sitemaps === undefined ? undefined : options.sitemaps ? "include" : "skip",
  });
  const site = Object.keys(crawlOptions).length > 0 ? { crawlOptions } : {};
  return { id, type: "crawl", url: sids[0], ...site, ...read };
}

function searchSent(sids: string[], { window, domains }: WatchOptions): Json {
  const [first = ""] = sids;
  const without = [...first.matchAll(/ -site:(\S+)/g)].map(([, domain]) => domain);
  return {
    queries: sids.map(sid => sid.replace(/ -site:\S+/g, "")),
    searchWindow: window === "week" ? "7d" : "24h",
    ...(domains && { includeDomains: domains }),
    ...(without.length > 0 && { excludeDomains: without }),
  };
}

function bare(pattern: string): string {
  return pattern.replace(/^\/(.*)\/$/s, "$1");
}
