import { gzipSync } from "node:zlib";
import type { Routes } from "../../../support/http-site.ts";
import { page } from "../site.ts";
import { type Addresses, indexOf, type Shape, type Shapes, text, urlset, xml } from "./shape.ts";

/** A site whose pages only its sitemaps name. */
function sitemaps(files: (at: Addresses) => Routes, read: string[], more: Partial<Shape> = {}): Shape {
  return {
    site: at => ({
      "/": page("Home"),
      "/a": page("A"),
      "/b": page("B"),
      ...files(at),
    }),
    pages: ["/", ...read],
    ...more,
  };
}

const named = (own: string, file: string) => ({ "/robots.txt": `Sitemap: ${own}${file}` });

/** Sitemaps as sites have them. */
export const sitemapShapes: Shapes = {
  "an index that lists itself": sitemaps(
    ({ own }) => ({
      "/sitemap.xml": xml(indexOf(`${own}/sitemap.xml`, `${own}/s.xml`)),
      "/s.xml": xml(urlset(`${own}/a`)),
    }),
    ["/a"],
  ),
  "four levels of indexes": sitemaps(
    ({ own }) => ({
      "/sitemap.xml": xml(indexOf(`${own}/2.xml`)),
      "/2.xml": xml(indexOf(`${own}/3.xml`)),
      "/3.xml": xml(indexOf(`${own}/4.xml`)),
      "/4.xml": xml(urlset(`${own}/a`)),
    }),
    ["/a"],
  ),
  "packed, with a suffix": sitemaps(
    ({ own }) => ({ ...named(own, "/s.xml.gz"), "/s.xml.gz": xml(gzipSync(urlset(`${own}/a`))) }),
    ["/a"],
  ),
  "packed, without one": sitemaps(
    ({ own }) => ({ "/sitemap.xml": xml(gzipSync(urlset(`${own}/a`))) }),
    ["/a"],
  ),
  "a byte order mark": sitemaps(
    ({ own }) => ({ "/sitemap.xml": xml(`\ufeff${urlset(`${own}/a`)}`) }),
    ["/a"],
  ),
  CDATA: sitemaps(({ own }) => ({ "/sitemap.xml": xml(urlset(`<![CDATA[${own}/a]]>`)) }), ["/a"]),
  "a text": sitemaps(
    ({ own }) => ({ ...named(own, "/s.txt"), "/s.txt": text(`${own}/a\r\n${own}/b\n`) }),
    ["/a", "/b"],
  ),
  RSS: sitemaps(
    ({ own }) => ({
      ...named(own, "/feed"),
      "/feed": xml(
        `<rss version="2.0"><channel><link>${own}/not-this</link><item><link>${own}/a</link></item></channel></rss>`,
      ),
    }),
    ["/a"],
  ),
  Atom: sitemaps(
    ({ own }) => ({
      ...named(own, "/feed"),
      "/feed": xml(
        `<feed xmlns="http://www.w3.org/2005/Atom"><link href="${own}/not-this"/>` +
          `<entry><link rel="edit" href="${own}/not-that"/><link href="${own}/a"/></entry>` +
          `<entry><link rel="alternate" href="${own}/b"/></entry></feed>`,
      ),
    }),
    ["/a", "/b"],
  ),
  "XML that breaks off": sitemaps(
    ({ own }) => ({
      "/sitemap.xml": xml(`${urlset(`${own}/a`).replace("</urlset>", "")}<url><loc>${own}/b`),
    }),
    ["/a"],
  ),
  "images are no pages": sitemaps(
    ({ own }) => ({
      "/sitemap.xml": xml(
        `<urlset xmlns:image="x"><url><loc>${own}/a</loc><image:image><image:loc>${own}/b</image:loc></image:image></url></urlset>`,
      ),
    }),
    ["/a"],
  ),
  "long lists of `hreflang`": sitemaps(
    ({ own }) => ({
      "/sitemap.xml": xml(
        `<urlset xmlns:xhtml="x">${`<url><loc>${own}/a</loc>${`<xhtml:link rel="alternate" hreflang="de" href="${own}/b"/>`.repeat(2000)}</url>`.repeat(3)}</urlset>`,
      ),
    }),
    ["/a"],
  ),
  "pages of other hosts": sitemaps(
    ({ own, other }) => ({ "/sitemap.xml": xml(urlset(`${other}/x`, `${own}/a`)) }),
    ["/a"],
  ),
  "a page in place of a sitemap": sitemaps(() => ({ "/sitemap.xml": page("Home", "/a") }), []),
  "a sitemap that is not there leaves the others": sitemaps(
    ({ own }) => ({
      "/robots.txt": `Sitemap: ${own}/gone.xml\nSitemap: /s.xml`,
      "/s.xml": xml(urlset(`${own}/a`)),
    }),
    ["/a"],
  ),
};
