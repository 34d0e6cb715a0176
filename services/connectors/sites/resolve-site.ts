import type { ResolvedSource } from "../../contracts/connectors.contract.ts";
import { fail } from "../../contracts/errors.ts";
import type { PolledPage } from "../../contracts/page-reads.contract.ts";
import { sitemapsToRead } from "../../domain/crawl/robots-rules.ts";
import { siteOf } from "../../domain/url/canonical-url.ts";
import { type Aim, admitSid, type ConnectorTools, type Previewed, readingOf } from "../connector.ts";
import { ofTarget } from "../pages/resolve-page.ts";
import type { SiteTools } from "./site-member.ts";
import { siteRules } from "./site-rules.ts";
import { readSitemaps } from "./site-sitemaps.ts";

/** Finds how to track a site: its robots.txt and its entry page are read. Its pages are read by its polls. */
export async function resolveSite(
  sid: string,
  tools: ConnectorTools,
  aim: Aim | undefined,
  site: SiteTools,
): Promise<ResolvedSource> {
  const { url, title } = await entryOf(sid, tools, aim ?? {}, site);
  const { host } = new URL(url);
  const name = title || host;
  return { kind: "site", externalId: url, username: host, name, state: { told: 0, name, baseline: true } };
}

interface Entry {
  url: string;
  title: string;
  polled: PolledPage;
}

async function entryOf(
  sid: string,
  tools: ConnectorTools,
  { view = {} }: Aim,
  site: SiteTools,
): Promise<Entry> {
  const asked = admitSid(sid, tools);
  asked.hash = "";
  const robots = await site.robots.rulesFor(asked.href, tools).catch(error => {
    throw ofTarget(error);
  });
  if (!robots.allows(asked.href))
    throw fail("forbidden", "The site's robots.txt does not allow Magpie to read this page.");
  const how = { views: [{ view: {} }], withPlace: true, ...readingOf(view) };
  const polled = await tools.scrapePage(asked.href, how).catch(error => {
    throw ofTarget(error);
  });
  const { status_code: status, final_url: finalUrl, title } = polled.job.data.metadata;
  if (status === 404 || status === 410) throw fail("not_found", "There is nothing at this URL.");
  if (status < 200 || status > 299) throw fail("upstream_error", `The site answered with status ${status}.`);
  return { url: addressOf(asked.href, finalUrl, polled), title: title.trim().slice(0, 300), polled };
}

/** The address to which permanent redirects lead, or where the page is in the end, if that is on another host. */
function addressOf(asked: string, finalUrl: string, { place }: PolledPage): string {
  const permanent = place?.permanentUrl ?? asked;
  const final = URL.parse(finalUrl);
  if (!final) return permanent;
  const isElsewhere = siteOf(final) !== siteOf(new URL(permanent));
  return (isElsewhere ? finalUrl : permanent).replace(/#.*$/s, "");
}

/** Pages that a preview shows. */
const mostShown = 10;

/** The entry page, and some pages that would be watched. */
export async function previewSite(
  sid: string,
  tools: ConnectorTools,
  aim: Aim | undefined,
  site: SiteTools,
): Promise<Previewed> {
  const { url, title, polled } = await entryOf(sid, tools, aim ?? {}, site);
  const { view = {} } = aim ?? {};
  const rules = siteRules(url, view, { admit: tools.admit, filter: site.filter, signal: site.signal });
  const robots = await site.robots.rulesFor(url, tools);
  const roots = view.sitemaps === false ? [] : sitemapsToRead(robots, url);
  const { pages } = await readSitemaps(roots, {}, { ...tools, listSitemap: site.listSitemap });
  const newest = (pages ?? []).toSorted((a, b) => (b.lastmod ?? 0) - (a.lastmod ?? 0));
  const listed = await rules.listed(newest.map(page => page.url));
  const linked = await rules.linked({ url, depth: 0 }, polled.place?.links ?? []);
  const dates = new Map(newest.map(page => [page.url, page.lastmod]));
  const texts = new Map((polled.place?.links ?? []).map(link => [link.url, link.text ?? null]));
  const found = [...new Map([...listed, ...linked].map(page => [page.key, page])).values()];
  const items = found.slice(0, mostShown).map(page => ({
    title: texts.get(page.url) ?? null,
    url: page.url,
    published_at: isoOf(dates.get(page.url)),
  }));
  const notice = `${found.length === 1 ? "1 page is" : `${found.length} pages are`} known already; more may be linked from them.`;
  return { source: "SITE", name: title || new URL(url).host, url, text: null, items, notice };
}

function isoOf(time: number | null | undefined): string | null {
  return time === null || time === undefined ? null : new Date(time).toISOString();
}
