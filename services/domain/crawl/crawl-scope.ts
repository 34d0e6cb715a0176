import { normalEncoding, siteOf } from "../url/canonical-url.ts";

/** The options, by their names in the request. */
interface ScopeOptions {
  include_entire_domain: boolean;
  include_subdomains: boolean;
  include_external_links: boolean;
}

/** `inside`: fetched and followed. `external`: fetched, not followed. `outside`: neither. */
type Place = "inside" | "external" | "outside";

/**
 * Where URLs lie relative to a crawl's entry page. Inside is what lies below the directory of the entry page: its path
 * up to the last slash (RFC 3986, 5.2.3). So `/docs/` keeps the crawl below it, and `/docs` means the whole host. Options
 * widen the scope to the whole host, or to its subdomains. http and https are one site, and so are a name with and
 * without `www.`; other ports are other sites. Only URLs on another host are external.
 */
export function crawlScope(entryUrl: string, options: ScopeOptions): (url: string) => Place {
  const entry = new URL(entryUrl);
  const [site, below] = [siteOf(entry), `.${siteOf(entry)}`];
  const directory = options.include_entire_domain ? "/" : directoryOf(entry);
  const elsewhere = options.include_external_links ? "external" : "outside";
  return text => {
    const url = URL.parse(text);
    if (url === null || !/^https?:$/.test(url.protocol)) return "outside";
    const host = siteOf(url);
    if (host === site) return isBelow(url, directory) ? "inside" : "outside";
    return options.include_subdomains && host.endsWith(below) ? "inside" : elsewhere;
  };
}

function directoryOf(url: URL): string {
  return normalEncoding(url.pathname).replace(/[^/]*$/, "");
}

/** The directory itself counts with and without its slash. */
function isBelow(url: URL, directory: string): boolean {
  return `${normalEncoding(url.pathname)}/`.startsWith(directory);
}
