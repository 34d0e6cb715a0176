import type { Handler } from "../../../support/http-site.ts";
import { page, pageWith, redirect } from "../site.ts";
import { asked, type Shape, type Shapes } from "./shape.ts";

/** Every path has a page, whose head and links depend on it. */
function endless(linksOf: (url: string) => string[], headOf: (url: string) => string = () => ""): Handler {
  return ({ url = "/" }, response) => {
    if (url === "/robots.txt" || url === "/sitemap.xml") return void response.writeHead(404).end();
    response.setHeader("content-type", "text/html");
    response.end(pageWith(headOf(url), `Page ${url}`, ...linksOf(url)));
  };
}

/** Ends at its limit, and nothing is asked for twice. */
function trap(site: Handler, limit = 10): Shape {
  return {
    site: () => site,
    crawler: { limit, max_depth: 10 },
    pages: limit,
    check: (visited, { stop_reason }) => {
      expect(stop_reason).toBe("limit");
      expect(new Set(asked(visited)).size).toBe(visited.hits.length);
    },
  };
}

/** Sites without an end. */
export const trapShapes: Shapes = {
  "a calendar": trap(endless(url => [`/?month=${Number(/\d+/.exec(url)?.[0] ?? 0) + 1}`])),
  "a session in the path": trap(endless(url => [`/s${url.length}${url.replaceAll("/", "-")}/a`])),
  "relative paths that grow": trap(endless(url => [`${url.replace(/\/?$/, "/")}more/`])),
  "`rel=next` without an end": trap(
    endless(
      () => [],
      url => `<link rel="next" href="/?page=${Number(/\d+/.exec(url)?.[0] ?? 0) + 1}">`,
    ),
  ),
  "filters that combine": trap(
    endless(url =>
      ["a", "b", "c"].map(name => `${url}${url.includes("?") ? "&" : "?"}${name}=${url.length}`),
    ),
  ),
  "a redirect to itself": {
    site: () => ({ "/": page("Home", "/loop"), "/loop": redirect("/loop") }),
    pages: ["/"],
    errors: { "/loop": "upstream_error" },
  },
  "a ring of redirects": {
    site: () => ({
      "/": page("Home", "/a"),
      "/a": redirect("/b"),
      "/b": redirect("/c"),
      "/c": redirect("/a"),
    }),
    pages: ["/"],
    errors: { "/a": "redirect", "/b": "redirect", "/c": "redirect" },
    check: site => expect(site.hits.length).toBeLessThan(10),
  },
  "more than ten redirects in a row end with a word": {
    site: () => ({
      "/": page("Home", "/0"),
      ...Object.fromEntries(Array.from({ length: 20 }, (_, n) => [`/${n}`, redirect(`/${n + 1}`)])),
    }),
    pages: ["/"],
    errors: {
      ...Object.fromEntries(Array.from({ length: 10 }, (_, n) => [`/${n}`, "redirect"])),
      "/10": "upstream_error",
    },
  },
  "redirects that grow": {
    site:
      () =>
      ({ url = "/" }, response) => {
        if (url === "/robots.txt" || url === "/sitemap.xml") return void response.writeHead(404).end();
        if (url === "/") return void response.setHeader("content-type", "text/html").end(page("Home", "/a"));
        response.writeHead(301, { location: `${url}a` }).end();
      },
    pages: ["/"],
    errors: {
      ...Object.fromEntries(Array.from({ length: 10 }, (_, n) => [`/${"a".repeat(n + 1)}`, "redirect"])),
      [`/${"a".repeat(11)}`]: "upstream_error",
    },
  },
};
