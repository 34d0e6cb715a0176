import type { Handler, Routes, Site } from "../../../support/http-site.ts";
import type { Crawl } from "../crawler.ts";

/** Addresses of a shape's site, without a slash at the end. */
export interface Addresses {
  /** By number. */
  own: string;
  /** `http://shop.example:<port>`, and the same with `www.`. */
  named: string;
  www: string;
  /** Another site, with a page for every path. */
  other: string;
}

/** A small site as public reports of bugs in crawlers have them, and what a crawl of it gives. */
export interface Shape {
  site(at: Addresses): Routes | Handler;
  /** The entry page: a path, or made of the addresses. `/` by default. */
  entry?: string | ((at: Addresses) => string);
  /** Options of the crawl. */
  crawler?: object;
  /** Paths of the pages that are read, or how many those are. */
  pages: string[] | number;
  /** What does not become a page, by path: its code. Nothing else may be there. */
  errors?: Record<string, string>;
  /** `completed` by default. */
  status?: string;
  /** Also holds. */
  check?(site: Site, crawl: Crawl): void;
}

export type Shapes = Record<string, Shape>;

/** Paths that were asked for, in their order. */
export function asked({ hits }: Site): string[] {
  return hits.map(({ url }) => url);
}

export const xml = (body: string | Uint8Array) => ({ headers: { "content-type": "application/xml" }, body });
export const text = (body: string | Uint8Array) => ({ headers: { "content-type": "text/plain" }, body });

export function urlset(...urls: string[]): string {
  return `<urlset>${urls.map(url => `<url><loc>${url}</loc></url>`).join("")}</urlset>`;
}

export function indexOf(...urls: string[]): string {
  return `<sitemapindex>${urls.map(url => `<sitemap><loc>${url}</loc></sitemap>`).join("")}</sitemapindex>`;
}
