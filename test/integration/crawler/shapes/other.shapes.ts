import { page, pageWith, redirect } from "../site.ts";
import type { Shapes } from "./shape.ts";

/** What else there is. */
export const otherShapes: Shapes = {
  "a ring of canonical addresses keeps one page": {
    site: () => ({
      "/": page("Home", "/a", "/b"),
      "/a": pageWith('<link rel="canonical" href="/b">', "A"),
      "/b": pageWith('<link rel="canonical" href="/a">', "B"),
    }),
    pages: 2,
    check: (_, { progress }) => expect(progress).toMatchObject({ completed: 2, skipped: 1 }),
  },
  "`nofollow` of a page": {
    site: () => ({
      "/": page("Home", "/a"),
      "/a": pageWith('<meta name="robots" content="nofollow">', "A", "/b"),
      "/b": page("B"),
    }),
    pages: ["/", "/a"],
  },
  "`X-Robots-Tag: nofollow`": {
    site: () => ({
      "/": page("Home", "/a"),
      "/a": { headers: { "x-robots-tag": "nofollow" }, body: page("A", "/b") },
      "/b": page("B"),
    }),
    pages: ["/", "/a"],
  },
  "`nofollow` of a link": {
    site: () => ({
      "/": page("Home", '<a rel="nofollow" href="/a">A</a>', "/b"),
      "/a": page("A"),
      "/b": page("B"),
    }),
    pages: ["/", "/b"],
  },
  "areas of an image map": {
    site: () => ({
      "/": page("Home", '<map name="m"><area href="/a" alt="A"></map>'),
      "/a": page("A"),
    }),
    pages: ["/", "/a"],
  },
  "links within `noscript`": {
    site: () => ({ "/": page("Home", '<noscript><a href="/a">A</a></noscript>'), "/a": page("A") }),
    pages: ["/", "/a"],
  },
  "links that are no pages": {
    site: () => ({
      "/": page("Home", "mailto:x@y.example", "javascript:void(0)", "tel:1", "data:text/plain,x", "#a", "/a"),
      "/a": page("A"),
    }),
    pages: ["/", "/a"],
  },
  "a file costs only its own page": {
    site: () => ({
      "/": page("Home", "/f.zip", "/a"),
      "/f.zip": { headers: { "content-type": "application/zip" }, body: "PK\u0003\u0004" },
      "/a": page("A"),
    }),
    pages: ["/", "/a"],
    errors: { "/f.zip": "unsupported_media_type" },
  },
  "a page of twenty megabytes costs only itself": {
    site: () => ({
      "/": page("Home", "/large", "/a"),
      "/large": `<p>${"a ".repeat(10 * 1024 * 1024)}</p>`,
      "/a": page("A"),
    }),
    pages: ["/", "/a"],
    errors: { "/large": "upstream_error" },
  },
  "a reset costs only its own page": {
    site: () => ({
      "/": page("Home", "/reset", "/a"),
      "/reset": (_, response) => response.destroy(),
      "/a": page("A"),
    }),
    pages: ["/", "/a"],
    errors: { "/reset": "target_unreachable" },
  },
  "an error page is a page whose links are not followed": {
    site: () => ({
      "/": page("Home", "/gone", "/a"),
      "/gone": { status: 404, body: page("Gone", "/from-gone") },
      "/a": page("A"),
      "/from-gone": page("No"),
    }),
    pages: ["/", "/a", "/gone"],
  },
  "a redirect by the page itself": {
    site: () => ({
      "/": page("Home", "/old"),
      "/old": '<!doctype html><title>Old</title><meta http-equiv="refresh" content="0;url=/new"><p>Moved.',
      "/new": page("New"),
    }),
    pages: 2,
  },
  "a host that limits requests": {
    site: () => {
      const seen = new Set<string>();
      return ({ url = "/" }, response) => {
        if (url === "/robots.txt" || url === "/sitemap.xml") return void response.writeHead(404).end();
        const isFirst = !seen.has(url);
        seen.add(url);
        if (isFirst) return void response.writeHead(429, { "retry-after": "1" }).end();
        response.setHeader("content-type", "text/html").end(page("A page", "/a", "/b"));
      };
    },
    pages: ["/", "/a", "/b"],
  },
  "links out of the entry's directory": {
    site: () => ({
      "/docs/": page("Docs", "/docs/a", "/blog", "../x", "/docs"),
      "/docs/a": page("A"),
    }),
    entry: "/docs/",
    pages: ["/docs/", "/docs/a"],
  },
  "links to other sites, which may be read but not followed": {
    site: ({ other }) => ({ "/": page("Home", `${other}/x`, "/a"), "/a": page("A") }),
    crawler: { include_external_links: true },
    pages: ["/", "/a", "/x"],
  },
  "a depth that ends": {
    site: () => ({ "/": page("Home", "/a"), "/a": page("A", "/b"), "/b": page("B", "/c"), "/c": page("C") }),
    crawler: { max_depth: 2 },
    pages: ["/", "/a", "/b"],
  },
  "a page that moved for a while": {
    site: () => ({ "/": page("Home", "/a"), "/a": redirect("/b", 307), "/b": page("B") }),
    pages: ["/", "/b"],
    errors: { "/a": "redirect" },
  },
};
