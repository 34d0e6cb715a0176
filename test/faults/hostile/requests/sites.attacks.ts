import { setTimeout as delay } from "node:timers/promises";
import type { Handler, Routes } from "../../../support/http-site.ts";
import { type Attacks, asking, inWords, type Stage } from "./attack.ts";

/** A robots.txt whose rules cost much where each is tried by itself: 500 KB, eight of them with a thousand wildcards. */
const robots = [
  "User-agent: *",
  ...Array.from({ length: 8 }, (_, n) => `Disallow: /*${"a*".repeat(990)}${n}b`),
  ...Array.from({ length: 25_000 }, (_, n) => `Disallow: /plain/${n}`),
].join("\n");

function sitemapOf(paths: string[], extra = ""): Handler {
  return ({ headers }, response) => {
    const urls = paths.map(path => `<url><loc>http://${headers.host}${path}</loc>${extra}</url>`);
    response.setHeader("content-type", "application/xml").end(`<urlset>${urls.join("")}</urlset>`);
  };
}

const long = Array.from({ length: 400 }, (_, n) => `/${"a".repeat(1980)}${n}`);
const many = Array.from({ length: 25_000 }, (_, n) => `/page/${n}`);
const alternates = '<xhtml:link rel="alternate" hreflang="de" href="http://a.example/de"/>'.repeat(40);
const links = `<p>${Array.from({ length: 300_000 }, (_, n) => `<a href="/l/${n}">l</a>`).join("")}`;

const hostile: Routes = {
  "/": "<title>Home</title><p>A page.",
  "/robots.txt": robots,
  "/sitemap.xml": sitemapOf(long),
};

const map = asking("POST", "/web/map", site => ({ url: `${site}/`, search: "page one two three" }));

/** Crawls the site and waits for the end. */
async function crawl({ ask, site }: Stage): Promise<string> {
  const begun = await ask("POST", "/web/crawl", {
    ...{ url: `${site}/`, crawler: { limit: 50 } },
    ...{ js_render: { enabled: false }, request: { block_ads: false } },
  });
  const { crawl_id } = JSON.parse(begun.text) as { crawl_id?: string };
  if (crawl_id === undefined) return inWords(begun);
  for (;;) {
    // Of a large answer only the beginning is here.
    const { text } = await ask("GET", `/web/crawl/${crawl_id}?limit=1`);
    const status = /"status":"(\w+)"/.exec(text)?.[1];
    if (status !== "crawling") return `crawl ${status}`;
    await delay(250);
  }
}

/** What a stranger's site sends when somebody maps or crawls it. */
export const siteAttacks: Attacks = {
  "map-of-wildcards": { site: () => hostile, run: map },
  "crawl-of-wildcards": { site: () => hostile, run: crawl },
  "map-of-many-pages": {
    site: () => ({ ...hostile, "/robots.txt": "", "/sitemap.xml": sitemapOf(many) }),
    run: map,
  },
  "map-of-alternates": {
    site: () => ({
      ...hostile,
      "/robots.txt": "",
      "/sitemap.xml": sitemapOf(many.slice(0, 3000), alternates),
    }),
    run: map,
  },
  "crawl-of-many-links": {
    site: () => ({ ...hostile, "/robots.txt": "", "/": links, "/sitemap.xml": { status: 404 } }),
    run: crawl,
  },
};
