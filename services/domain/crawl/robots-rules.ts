import { maxUrlLength } from "../url/admit-url.ts";
import { normalEncoding } from "../url/canonical-url.ts";
import { type UsageRule, type UsageStatement, usageByPath } from "./content-usage.ts";
import { type PathRule, pathRules } from "./path-rules.ts";

/** Our name in robots.txt. */
export const robotsToken = "Magpie";

/** RFC 9309, 2.5, in characters. */
const maxLength = 500 * 1024;
/** Characters of rules with `*`: 32 of them cost a step for each character of a URL. */
const wildcardBudget = 16 * 1024;
const maxSitemaps = 1000;
/** Rules on the use of content, and characters of their paths: each is tried for each page. */
const [maxUsages, maxUsagePath] = [50, 256];

/** What a host allows crawlers to do. */
export interface RobotsRules {
  allows(url: string): boolean;
  /** Milliseconds between requests; null when the file asks for none. */
  crawlDelayMs: number | null;
  /** Absolute URLs, in the file's order. */
  sitemaps: string[];
  /** What it says of the use of a page's content (`Content-Usage`, `Content-Signal`). */
  usage(url: string): UsageStatement[];
}

const nothing: RobotsRules = { allows: () => true, crawlDelayMs: null, sitemaps: [], usage: () => [] };

/**
 * Reads a robots.txt by RFC 9309. `status` is that of the last answer after redirects, null when there was none. Without
 * an answer and for 5xx nothing may be fetched; for any other status but 2xx everything may (2.3.1). `url` is that of the
 * file; the rules apply to its origin only. Also reads `Crawl-delay` and `Sitemap`.
 */
export function robotsRules(text: string, status: number | null, url: string): RobotsRules {
  if (status === null || status >= 500) return { ...nothing, allows: () => false };
  if (status < 200 || status >= 300) return nothing;
  const { origin } = new URL(url);
  const records = recordsOf(text);
  const { rules, delay, usages } = groupFor(robotsToken.toLowerCase(), records);
  const allowsPath = pathRules(rules);
  const usageOf = usageByPath(usages);
  return {
    allows: page => {
      const parsed = URL.parse(page);
      if (parsed?.origin !== origin || parsed.pathname === "/robots.txt") return true;
      return allowsPath(normalPath(parsed.pathname + parsed.search));
    },
    crawlDelayMs: delay > 0 && Number.isFinite(delay) ? Math.round(delay * 1000) : null,
    sitemaps: sitemapsOf(records, url),
    usage: page => {
      const parsed = URL.parse(page);
      return parsed?.origin === origin ? usageOf(normalPath(parsed.pathname + parsed.search)) : [];
    },
  };
}

interface Line {
  name: string;
  value: string;
}

/** The lines that mean something to us. One expression for the whole file, in linear time: a stranger wrote it. */
const line =
  /(?:^|[\r\n])[ \t]*(user-agent|allow|disallow|crawl-delay|sitemap|content-usage|content-signal)[ \t]*:([^\r\n#]*)/gi;

function recordsOf(text: string): Line[] {
  const found: Line[] = [];
  for (const [, name = "", value = ""] of wholeLines(text.replace(/^\ufeff/, "")).matchAll(line))
    found.push({ name: name.toLowerCase(), value: value.trim() });
  return found;
}

/** A line that is cut off could say more than it should. */
function wholeLines(text: string): string {
  if (text.length <= maxLength) return text;
  const kept = text.slice(0, maxLength);
  return kept.slice(0, Math.max(kept.lastIndexOf("\n"), kept.lastIndexOf("\r")) + 1);
}

/** The rules and the delay (0 for none) of all groups of one name together. */
interface Group {
  rules: PathRule[];
  delay: number;
  wildcardsLeft: number;
  usages: UsageRule[];
}

/**
 * The group for a crawler, otherwise the one for all. A group begins with one or more names and has at least one rule or
 * delay; other records between its names do not end it (RFC 9309, 2.2.1 and 2.2.4).
 */
function groupFor(token: string, records: readonly Line[]): Group {
  const groups = new Map<string, Group>();
  let [names, isAfterName] = [new Set<string>(), false];
  for (const { name, value } of records) {
    if (name === "sitemap") continue;
    if (name === "user-agent") {
      if (!isAfterName) names = new Set();
      const agent = agentOf(value);
      if (agent === token || agent === "*") names.add(agent);
    } else for (const each of names) addRecord(groupNamed(groups, each), name, value);
    isAfterName = name === "user-agent";
  }
  return groups.get(token) ?? groups.get("*") ?? emptyGroup();
}

function agentOf(value: string): string | undefined {
  return /^(?:\*|[A-Za-z_-]+)/.exec(value)?.[0].toLowerCase();
}

function groupNamed(groups: Map<string, Group>, name: string): Group {
  const known = groups.get(name);
  if (known) return known;
  const fresh = emptyGroup();
  groups.set(name, fresh);
  return fresh;
}

function emptyGroup(): Group {
  return { rules: [], delay: 0, wildcardsLeft: wildcardBudget, usages: [] };
}

function addRecord(group: Group, name: string, value: string): void {
  if (name === "crawl-delay") group.delay = Number.isNaN(Number(value)) ? group.delay : Number(value);
  else if (name.startsWith("content-")) addUsage(group, name, value);
  else if (value !== "") group.rules.push(...affordable(group, name === "allow", normalRule(value)));
}

/** A path before the value is one that begins with a slash (draft-ietf-aipref-attach, 3.2). */
function addUsage({ usages }: Group, name: string, value: string): void {
  const [, path = "/", said = value] = /^(\/\S*)\s+(.*)$/.exec(value) ?? [];
  if (usages.length >= maxUsages || path.length > maxUsagePath || said === "") return;
  usages.push({ path: normalRule(path), statement: { by: "robots.txt", name, value: said } });
}

/** Past the budget a wildcard counts for more than it says where it forbids, and for nothing where it allows. */
function affordable(group: Group, isAllowed: boolean, path: string): PathRule[] {
  const isWild = path.includes("*");
  if (isWild) group.wildcardsLeft -= path.length;
  if (!isWild || group.wildcardsLeft >= 0) return [{ path, isAllowed }];
  return isAllowed ? [] : [{ path: path.slice(0, path.indexOf("*")) || "/", isAllowed }];
}

function normalRule(value: string): string {
  const path = normalPath(value).replace(/\*{2,}/g, "*");
  return /^[/*]/.test(path) ? path : `/${path}`;
}

/**
 * Gives rules and paths one spelling. In a query `?to=https%3A%2F%2Fa.example` and `?to=https://a.example` are equal
 * (RFC 9309, 2.2.2). Characters that no URI has are escaped: some URL parsers do that, others do not.
 */
export function normalPath(text: string): string {
  if (/^[\w/.*$~-]*$/.test(text)) return text;
  const path = normalEncoding(text).replace(/["<>[\\\]^`{|}]/g, encodeURIComponent);
  const at = path.indexOf("?");
  if (at < 0) return path;
  return path.slice(0, at) + path.slice(at).replaceAll("%3A", ":").replaceAll("%2F", "/");
}

function sitemapsOf(records: readonly Line[], url: string): string[] {
  const named = new Set<string>();
  for (const { name, value } of records) {
    if (name !== "sitemap" || value === "" || value.length > maxUrlLength) continue;
    const sitemap = URL.parse(value, url);
    if (sitemap && /^https?:$/.test(sitemap.protocol)) named.add(sitemap.href);
    if (named.size >= maxSitemaps) break;
  }
  return [...named];
}

/** The sitemaps that a host's robots.txt names; if it names none, the usual one, unless it forbids that. */
export function sitemapsToRead({ sitemaps, allows }: RobotsRules, url: string): string[] {
  const usual = new URL("/sitemap.xml", url).href;
  if (sitemaps.length > 0) return sitemaps;
  return allows(usual) ? [usual] : [];
}
