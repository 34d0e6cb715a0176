import { TimeSlices } from "../../../mixins/async/time-slices.ts";
import type { UrlFilter } from "../../../mixins/crawl/url-filter.ts";
import type { PageLink } from "../../contracts/page-reads.contract.ts";
import type { View } from "../../contracts/watch.contract.ts";
import { crawlScope } from "../../domain/crawl/crawl-scope.ts";
import { canonicalUrl } from "../../domain/url/canonical-url.ts";
import type { ConnectorTools } from "../connector.ts";

/** A page that belongs to a site by its address. */
export interface SiteAddress {
  key: string;
  url: string;
  depth: number;
  from: string | null;
}

/** Which pages a view of a site takes, by the rules of a crawl. Lists are worked on in slices. */
export interface SiteRules {
  /** The pages of the site that a page links to. */
  linked(from: Pick<SiteAddress, "url" | "depth">, links: readonly PageLink[]): Promise<SiteAddress[]>;
  /** The pages of the site among those that a sitemap names. */
  listed(urls: readonly string[]): Promise<SiteAddress[]>;
  /** Whether the site takes the page at an address, to which another one led. */
  takes(url: string): Promise<boolean>;
}

export interface RuleTools {
  admit: ConnectorTools["admit"];
  filter: Pick<UrlFilter, "takes">;
  /** Ends long work. */
  signal: AbortSignal;
}

const usualDepth = 10;

/** The rules of a view for the site whose entry page is at `entryUrl`. */
export function siteRules(entryUrl: string, view: View, { admit, filter, signal }: RuleTools): SiteRules {
  const { include = [], exclude = [], max_depth: maxDepth = usualDepth } = view;
  const patterns = { include: [...include], exclude: [...exclude] };
  const scope = crawlScope(entryUrl, {
    include_entire_domain: view.include_entire_domain ?? false,
    include_subdomains: view.include_subdomains ?? false,
    include_external_links: false,
  });
  const entryKey = canonicalUrl(entryUrl)?.key;
  const addressOf = (url: string, depth: number, from: string | null): SiteAddress | null => {
    const canonical = canonicalUrl(url);
    if (!canonical || depth > maxDepth || scope(canonical.url) !== "inside") return null;
    return isAdmitted(admit, canonical.url) ? { ...canonical, depth, from } : null;
  };
  const wanted = async (found: SiteAddress[]): Promise<SiteAddress[]> => {
    const takes = await filter.takes(
      patterns,
      found.map(({ url }) => url),
      { group: entryUrl, signal },
    );
    return eachOnce(found.filter(({ key }, at) => takes[at] || key === entryKey));
  };
  return {
    linked: async ({ url: from, depth }, links) =>
      wanted(
        await present(links, signal, ({ url, nofollow, next }) =>
          nofollow ? null : addressOf(url, depth + (next ? 0 : 1), from),
        ),
      ),
    listed: async urls => wanted(await present(urls, signal, url => addressOf(url, 0, null))),
    takes: async url => {
      const found = addressOf(url, 0, null);
      return found !== null && (await wanted([found])).length > 0;
    },
  };
}

/** Applies the guard's rules for URLs. It checks the addresses of names when it connects. */
function isAdmitted(admit: ConnectorTools["admit"], url: string): boolean {
  try {
    admit(url);
    return true;
  } catch {
    return false;
  }
}

async function present<Of>(
  list: readonly Of[],
  signal: AbortSignal,
  addressOf: (each: Of) => SiteAddress | null,
): Promise<SiteAddress[]> {
  const found: SiteAddress[] = [];
  const slices = new TimeSlices(signal);
  for (const one of list) {
    if (!(await slices.next())) signal.throwIfAborted();
    const each = addressOf(one);
    if (each) found.push(each);
  }
  return found;
}

/** Each page once, with its smallest depth. */
function eachOnce(found: SiteAddress[]): SiteAddress[] {
  const byKey = new Map<string, SiteAddress>();
  for (const each of found) {
    const known = byKey.get(each.key);
    if (!known || each.depth < known.depth) byKey.set(each.key, each);
  }
  return [...byKey.values()];
}
