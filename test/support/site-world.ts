import { createHash } from "node:crypto";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openEmbeddedSitePages } from "../../mixins/site-pages/embedded.site-pages.ts";
import type { OpenSitePages } from "../../mixins/site-pages/site-pages.ts";
import { parseHtml } from "../../reader/html/parse-html.ts";
import { extractTree } from "../../reader/page/extract-page.ts";
import type { ConnectorTools, PageAsked } from "../../services/connectors/connector.ts";
import { listSitemap } from "../../services/connectors/sites/list-sitemap.ts";
import { pollSites } from "../../services/connectors/sites/poll-site.ts";
import type { SiteTools } from "../../services/connectors/sites/site-member.ts";
import { SiteRobots } from "../../services/connectors/sites/site-robots.ts";
import type { PollResult, Post } from "../../services/contracts/connectors.contract.ts";
import { fail } from "../../services/contracts/errors.ts";
import type { PolledPage, UnchangedPage } from "../../services/contracts/page-reads.contract.ts";
import type { View } from "../../services/contracts/watch.contract.ts";
import { urlPatterns } from "../../services/domain/crawl/url-patterns.ts";
import { reducePage } from "../../services/domain/watch/eye/reduce-page.ts";
import { watched } from "../../services/scraper/extract/watched.ts";
import { removeFolder } from "./folders.ts";
import { threadless } from "./threadless.ts";

export const origin = "https://site.example";
const [minute, start] = [60_000, Date.parse("2026-03-02T09:00:00Z")];

/** What a path of the site answers: HTML, a redirect, a status, or an error of the way there. */
export type Answer =
  | string
  | { to: string; status?: 301 | 302 }
  | { status: number; retryAfter?: string }
  | { code: "target_unreachable" };

/** One tracked view of the site. */
export interface TrackedView {
  id: string;
  view: View;
  state: Record<string, unknown>;
}

/** A site on a clock of its own, and a tracker that polls it: no thread, no network, no time that passes. */
export interface SiteWorld {
  answers: Map<string, Answer>;
  /** Bodies by path since the last `asked.clear()`: how often each was asked for. */
  asked: Map<string, number>;
  /** Of these: sent with a body. */
  bodies: Map<string, number>;
  pages: OpenSitePages;
  /** Called before and after each write of the pages; what it throws is a crash. */
  onWrite?: (isDone: boolean) => void;
  now: number;
  readonly posts: Post[];
  /** Polls a site, or several views of it together, until nothing is due at this time. Answers what was told. */
  settle(...views: TrackedView[]): Promise<Post[]>;
  /** One poll. */
  poll(...views: TrackedView[]): Promise<PollResult[]>;
  track(view?: View): TrackedView;
  /** Lets time pass, with the polls that are due in it. */
  pass(ms: number, ...views: TrackedView[]): Promise<Post[]>;
  close(): Promise<void>;
}

export function openSiteWorld(): SiteWorld {
  const folder = mkdtempSync(join(tmpdir(), "magpie-site-"));
  const answers = new Map<string, Answer>();
  const [asked, bodies] = [new Map<string, number>(), new Map<string, number>()];
  let [made, fence] = [0, 0];
  const pathOf = (url: string) => {
    const { pathname, search, host } = new URL(url);
    return host === new URL(origin).host ? pathname + search : url;
  };
  const count = (map: Map<string, number>, path: string) => map.set(path, (map.get(path) ?? 0) + 1);
  const find = (url: string) => {
    let [at, permanentUrl, isPermanent] = [url, url, true];
    for (let hops = 0; hops < 5; hops += 1) {
      const answer = answers.get(pathOf(at)) ?? { status: 404 };
      if (typeof answer === "string" || !("to" in answer)) return { answer, at, permanentUrl };
      at = new URL(answer.to, at).href;
      isPermanent &&= (answer.status ?? 301) === 301;
      if (isPermanent) permanentUrl = at;
    }
    throw fail("upstream_error", "The page redirects in a loop or too many times.");
  };
  const visit = (url: string, { views = [] }: PageAsked, known?: string): PolledPage | UnchangedPage => {
    count(asked, pathOf(url));
    const { answer, at, permanentUrl } = find(url);
    if (typeof answer === "object" && "code" in answer) throw fail(answer.code, "The site does not answer.");
    const status = typeof answer === "string" ? 200 : answer.status;
    const isRefusal = typeof answer === "object" && answer.retryAfter !== undefined;
    const html = typeof answer === "string" ? answer : "<title>Nothing here</title><p>Nothing is here.";
    const fingerprint = createHash("sha256").update(`${status} ${at} ${html}`).digest("base64url");
    if (known === fingerprint)
      return {
        unchanged: true,
        status: 304,
        headers: {},
        known: { url: at, fingerprint, etag: fingerprint },
      };
    count(bodies, pathOf(url));
    const { title, canonical_url, language, crawl } = extractTree(parseHtml(html), at, {
      ...{ formats: [], onlyMainContent: false, crawl: true },
    });
    const { snapshots, kept } = watched(views, reducePage(parseHtml(html, { withDrawings: true })), {
      url: at,
      title,
      language,
    });
    const metadata = { title, status_code: status, final_url: at, engine: "http", canonical_url };
    return {
      job: { url, data: { metadata } },
      headers: { ...(isRefusal && { "retry-after": answer.retryAfter ?? "" }) },
      snapshots,
      ...(kept && { page: kept }),
      known: { url: at, fingerprint, etag: fingerprint },
      place: { ...(crawl ?? { links: [], nofollow: false, noindex: false }), permanentUrl },
    } as unknown as PolledPage;
  };
  const world: SiteWorld = {
    ...{ answers, asked, bodies, now: start, posts: [] },
    pages: openEmbeddedSitePages(join(folder, "magpie.db")),
    track: (view = {}) => {
      made += 1;
      return { id: `site-${made}`, view, state: { told: 0 } };
    },
    poll: async (...views) => {
      fence += 1;
      const sources = views.map(({ id, view, state }) => {
        return { externalId: `${origin}/`, id, fence, view, state, failures: 0 };
      });
      const results = await pollSites(sources, tools, site);
      for (const [n, result] of results.entries()) {
        const tracked = views[n] as TrackedView;
        tracked.state = result.state;
        if (result.ok) world.posts.push(...result.posts);
      }
      return results;
    },
    settle: async (...views) => {
      const from = world.posts.length;
      for (;;) {
        const results = await world.poll(...views);
        const waits = results.map(result => result.nextInMs ?? minute);
        if (waits.every(wait => wait > 1000)) return world.posts.slice(from);
        world.now += Math.min(...waits);
      }
    },
    pass: async (ms, ...views) => {
      const from = world.posts.length;
      for (const until = world.now + ms; ; ) {
        const results = await world.poll(...views);
        const waits = results.map(
          result => result.nextInMs ?? (result.ok ? minute : (result.retryAfterMs ?? minute)),
        );
        const next = world.now + Math.max(1, Math.min(...waits));
        if (next > until) {
          world.now = until;
          return world.posts.slice(from);
        }
        world.now = next;
      }
    },
    close: async () => {
      await world.pages.close();
      await removeFolder(folder);
    },
  };
  const tools: ConnectorTools = {
    ...threadless,
    admit: address => new URL(address),
    fetchDocument: async url => {
      const answer = answers.get(pathOf(url)) ?? { status: 404 };
      const status = typeof answer === "string" ? 200 : "status" in answer ? (answer.status ?? 200) : 404;
      const body = Buffer.from(typeof answer === "string" ? answer : "");
      return { status, url, canonicalUrl: url, headers: {}, contentType: "text/plain", body };
    },
    readFeed: async () => ({ ok: false, reason: "" }),
    readSitemap: async () => ({ ok: false as const, reason: "" }),
    timeLeftMs: () => 30_000,
    scrapePage: async (url, how = {}) => visit(url, how) as PolledPage,
    revisitPage: async (url, { fingerprint }, how) => visit(url, how, fingerprint),
    now: () => world.now,
    random: () => 0.5,
    minIntervalMs: minute,
  };
  const site: SiteTools = {
    pages: watchedWrites(world),
    robots: new SiteRobots(),
    filter: { takes: async ({ include, exclude }, urls) => urls.map(urlPatterns(include, exclude)) },
    listSitemap: async ({ body }) => listSitemap(body),
    signal: new AbortController().signal,
  };
  return world;
}

/** A page of the site with a text of its own, which is longer than what is compared with other pages. */
export function pageOf(
  name: string,
  { links = [], text = "", banner = "", head = "", footer = "All rights reserved." }: PageParts = {},
): string {
  const own = Array.from(
    { length: 5 },
    (_, n) => `<p>${name} says this in its line ${n}, and means ${name} alone.</p>`,
  );
  const anchors = links.map(path => `<li><a href="${path}">Go to ${path}</a></li>`);
  return `<!doctype html><html lang="en"><head><title>${name}</title>${head}</head><body>
${banner === "" ? "" : `<div class="banner"><p>${banner}</p></div>`}
<nav><ul>${anchors.join("")}</ul></nav><main><h1>${name}</h1>${own.join("")}${text === "" ? "" : `<p>${text}</p>`}</main>
<footer><p>${footer}</p></footer></body></html>`;
}

export interface PageParts {
  links?: string[];
  text?: string;
  banner?: string;
  head?: string;
  footer?: string;
}

/** A sitemap with the dates of its pages. */
export function sitemapOf(entries: Record<string, number | null>): string {
  const urls = Object.entries(entries).map(([path, at]) => {
    const lastmod = at === null ? "" : `<lastmod>${new Date(at).toISOString()}</lastmod>`;
    return `<url><loc>${origin}${path}</loc>${lastmod}</url>`;
  });
  return `<?xml version="1.0"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${urls.join("")}</urlset>`;
}

const writes = new Set(["offer", "settle", "mark", "acknowledge"]);

function watchedWrites(world: SiteWorld): OpenSitePages {
  return new Proxy(world.pages, {
    get: (pages, name: keyof OpenSitePages) => {
      const step = pages[name].bind(pages) as (...parts: unknown[]) => Promise<unknown>;
      if (!writes.has(name)) return step;
      return async (...parts: unknown[]) => {
        world.onWrite?.(false);
        const result = await step(...parts);
        world.onWrite?.(true);
        return result;
      };
    },
  });
}
