import robotsParser from "robots-parser";
import { normalEncoding } from "../url/canonical-url.ts";

// Its types are those of an ES module, which it is not.
const parse = robotsParser as unknown as typeof robotsParser.default;

/** Our name in robots.txt. */
export const robotsToken = "Magpie";

/** RFC 9309, 2.5, in characters. */
const maxLength = 500 * 1024;
/** Only rules with `*` cost time: the path's length for each of their characters. */
const wildcardBudget = 16 * 1024;

/** What a host allows crawlers to do. */
export interface RobotsRules {
  allows(url: string): boolean;
  /** Milliseconds between requests; null when the file asks for none. */
  crawlDelayMs: number | null;
  /** Absolute URLs, in the file's order. */
  sitemaps: string[];
}

/**
 * Reads a robots.txt by RFC 9309. `status` is that of the last answer after redirects, null when there was none. Without
 * an answer and for 5xx nothing may be fetched; for any other status but 2xx everything may (2.3.1). `url` is that of the
 * file; the rules apply to its origin only. Also reads `Crawl-delay` and `Sitemap`.
 */
export function robotsRules(text: string, status: number | null, url: string): RobotsRules {
  if (status === null || status >= 500) return { allows: () => false, crawlDelayMs: null, sitemaps: [] };
  if (status < 200 || status >= 300) return { allows: () => true, crawlDelayMs: null, sitemaps: [] };
  const records = recordsOf(text);
  const robots = parse(url, normalText(records));
  const delay = robots.getCrawlDelay(robotsToken);
  return {
    allows: page => isRobotsTxt(page) || (robots.isAllowed(normalUrl(page), robotsToken) ?? true),
    crawlDelayMs:
      delay !== undefined && delay > 0 && Number.isFinite(delay) ? Math.round(delay * 1000) : null,
    sitemaps: sitemapsOf(records, url),
  };
}

interface Line {
  name: string;
  value: string;
}

function recordsOf(text: string): Line[] {
  // A line that is cut off could say more than it should.
  const whole = text.length > maxLength ? text.slice(0, maxLength).replace(/[^\r\n]*$/, "") : text;
  return whole
    .replace(/^\ufeff/, "")
    .split(/\r\n|\r|\n/)
    .flatMap(line => {
      const [, name, value] = /^[ \t]*([A-Za-z-]+)[ \t]*:(.*)$/.exec(line.replace(/#.*$/, "")) ?? [];
      return name === undefined || value === undefined
        ? []
        : { name: name.toLowerCase(), value: value.trim() };
    });
}

/**
 * What robots-parser gets: it takes any line between two `User-agent` lines as the end of a group, compares whole
 * names of agents, and paths without decoding them; RFC 9309 says otherwise in 2.2.4, 2.2.1 and 2.2.2.
 */
function normalText(records: Line[]): string {
  let budget = wildcardBudget;
  const lines = records.flatMap(({ name, value }) => {
    if (name === "user-agent") return `User-agent: ${/^(?:\*|[A-Za-z_-]+)/.exec(value)?.[0] ?? "-"}`;
    if (name === "crawl-delay") return `Crawl-delay: ${value}`;
    if (name !== "allow" && name !== "disallow") return [];
    const path = normalRule(value);
    if (path.includes("*")) budget -= path.length;
    // Past the budget a wildcard counts for more than it says where it forbids, and for nothing where it allows.
    if (budget >= 0 || !path.includes("*")) return `${name}: ${path}`;
    return name === "allow" ? [] : `${name}: ${path.slice(0, path.indexOf("*")) || "/"}`;
  });
  return lines.join("\n");
}

function normalRule(value: string): string {
  const path = decodeQuery(normalEncoding(value)).replace(/\*{2,}/g, "*");
  return path === "" || /^[/*]/.test(path) ? path : `/${path}`;
}

function normalUrl(text: string): string {
  const url = URL.parse(text);
  return url === null ? text : url.origin + decodeQuery(normalEncoding(url.pathname + url.search));
}

/** `?to=https%3A%2F%2Fa.example` and `?to=https://a.example` are equal (RFC 9309, 2.2.2). */
function decodeQuery(path: string): string {
  const at = path.indexOf("?");
  if (at < 0) return path;
  return path.slice(0, at) + path.slice(at).replaceAll("%3A", ":").replaceAll("%2F", "/");
}

function isRobotsTxt(page: string): boolean {
  return URL.parse(page)?.pathname === "/robots.txt";
}

function sitemapsOf(records: Line[], url: string): string[] {
  const named = records.flatMap(({ name, value }) =>
    name === "sitemap" && value !== "" ? (URL.parse(value, url)?.href ?? []) : [],
  );
  return [...new Set(named)].filter(sitemap => /^https?:/.test(sitemap)).slice(0, 1000);
}
