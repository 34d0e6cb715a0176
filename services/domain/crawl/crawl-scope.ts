import { normalEncoding } from "./percent-encoding.ts";
import { siteOf } from "./site.ts";

/** As the interface names them. */
export interface ScopeOptions {
  include_entire_domain: boolean;
  include_subdomains: boolean;
  include_external_links: boolean;
}

/** `inside`: fetched and followed. `external`: fetched, not followed. `outside`: neither. */
export type Place = "inside" | "external" | "outside";

/**
 * Where URLs lie as seen from a crawl's entry page. Inside is what lies below the directory of the entry page: its path
 * up to the last slash (RFC 3986, 5.2.3), so that `/docs/` stays below it and `/docs` takes the whole host. Wider
 * options take the whole host, and the hosts below it whole. http and https are one site, and so is a name with and
 * without `www.`; other ports are other sites. Only what is on another host is ever external.
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

/** The directory itself is spelt with and without its slash. */
function isBelow(url: URL, directory: string): boolean {
  return `${normalEncoding(url.pathname)}/`.startsWith(directory);
}
