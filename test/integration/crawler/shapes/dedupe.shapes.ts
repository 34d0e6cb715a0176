import { page, pageWith, redirect } from "../site.ts";
import type { Shapes } from "./shape.ts";

/** One page under many addresses. */
export const dedupeShapes: Shapes = {
  "29 spellings of pages are 11 pages": {
    site: ({ own }) => {
      const spellings = [
        ...["/a", "/a/", "/a#top", "/a?", "/a?#", "/./a", "/x/../a", "/%61", `${own}/a`, "/a?utm_source=x"],
        ...["/d/", "/d", "/d/index.html", "/d/index.php", "/d/?gclid=1", "/d/;jsessionid=1"],
        ...["/q?x=1&y=2", "/q?y=2&x=1", "/q?x=1&y=2&fbclid=3", "/q?&x=1&&y=2"],
        ...["/%C3%BC", "/%c3%bc", "/\u00fc"],
        ...["/q?x=1&x=2", "/q?x=2&x=1", "/A", "/a%2Fb", "/a/b", "/q?x=1"],
      ];
      expect(spellings).toHaveLength(29);
      return (request, response) => {
        const isFile = request.url === "/robots.txt" || request.url === "/sitemap.xml";
        response.writeHead(isFile ? 404 : 200, { "content-type": "text/html; charset=utf-8" });
        response.end(request.url === "/" ? page("Home", ...spellings) : page("A page"));
      };
    },
    // The entry page and ten others, which have two spellings or one.
    pages: 11,
  },
  "a host in capitals, and with its default spelling": {
    site: ({ named }) => ({
      "/": page("Home", named.replace("shop", "SHOP").concat("/a"), `${named}/a`),
      "/a": page("A"),
    }),
    entry: ({ named }) => `${named}/`,
    pages: ["/", "/a"],
  },
  "`www.` is the site itself": {
    site: ({ www }) => ({ "/": page("Home", `${www}/`, `${www}/a`, "/a"), "/a": page("A") }),
    entry: ({ named }) => `${named}/`,
    pages: ["/", "/a"],
  },
  "an entry without its slash is read once": {
    site: () => ({ "/docs": page("Docs", "/docs", "/docs/"), "/docs/": page("Docs") }),
    entry: "/docs",
    pages: ["/docs"],
  },
  "redirects that add a slash": {
    site: () => ({ "/": page("Home", "/a"), "/a": redirect("/a/"), "/a/": page("A", "/a", "/a/") }),
    pages: ["/", "/a/"],
  },
  "redirects that take a slash away": {
    site: () => ({ "/": page("Home", "/a/"), "/a/": redirect("/a"), "/a": page("A") }),
    pages: ["/", "/a"],
  },
  "links to itself do not use up the limit": {
    site: () => ({
      "/": page("Home", "/", "/#a", "/?", "/index.html", "/a", "/b"),
      "/a": page("A"),
      "/b": page("B"),
    }),
    crawler: { limit: 3 },
    pages: ["/", "/a", "/b"],
  },
  "what is not included does not use up the limit": {
    site: () => ({
      "/": page("Home", ...Array.from({ length: 30 }, (_, n) => `/no/${n}`), "/yes/a", "/yes/b"),
      "/yes/a": page("A"),
      "/yes/b": page("B"),
    }),
    crawler: { limit: 3, include: ["/yes/*"] },
    pages: ["/", "/yes/a", "/yes/b"],
  },
  "an entry page that redirects counts once": {
    site: () => ({
      "/start": redirect("/home"),
      "/home": page("Home", "/a", "/b"),
      "/a": page("A"),
      "/b": page("B"),
    }),
    entry: "/start",
    crawler: { limit: 2 },
    pages: 2,
    errors: { "/start": "redirect" },
  },
  "redirects to another site are not entered": {
    site: ({ other }) => ({ "/": page("Home", "/away"), "/away": redirect(`${other}/x`) }),
    pages: ["/"],
    errors: { "/away": "redirect" },
  },
  "two redirects to one page": {
    site: () => ({
      "/": page("Home", "/a", "/b"),
      "/a": redirect("/c"),
      "/b": redirect("/c", 302),
      "/c": page("C"),
    }),
    pages: ["/", "/c"],
    errors: { "/a": "redirect", "/b": "redirect" },
  },
  "of several `base` elements the first one counts": {
    site: () => ({
      "/": pageWith('<base href="/one/"><base href="/two/">', "Home", "a"),
      "/one/a": page("A"),
    }),
    pages: ["/", "/one/a"],
  },
  "a relative `base`": {
    site: () => ({ "/docs/x": pageWith('<base href="../v2/">', "X", "a"), "/v2/a": page("A") }),
    entry: "/docs/x",
    crawler: { include_entire_domain: true },
    pages: ["/docs/x", "/v2/a"],
  },
  "a canonical address with tracking parameters removed": {
    site: () => ({
      "/": page("Home", "/a?from=home", "/a"),
      "/a": pageWith('<link rel="canonical" href="/a">', "A"),
    }),
    pages: ["/", "/a"],
    errors: { "/a?from=home": "duplicate" },
  },
};
