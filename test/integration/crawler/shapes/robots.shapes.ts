import { gzipSync } from "node:zlib";
import type { Handler, Reply } from "../../../support/http-site.ts";
import { page, redirect } from "../site.ts";
import { asked, type Shape, type Shapes, text } from "./shape.ts";

/** A site with such a robots.txt, and which of its pages `/a` and `/b` are read. */
function robots(file: Reply | Handler, read: string[], more: Partial<Shape> = {}): Shape {
  const closed = ["/a", "/b"].filter(path => !read.includes(path));
  return {
    site: () => ({
      "/robots.txt": file,
      "/": page("Home", "/a", "/b"),
      "/a": page("A"),
      "/b": page("B"),
      "/robots/real.txt": text("User-agent: *\nDisallow: /a"),
    }),
    pages: ["/", ...read],
    errors: Object.fromEntries(closed.map(path => [path, "robots"])),
    ...more,
  };
}

const closesA = "User-agent: *\nDisallow: /a";
const all = ["/a", "/b"];
let requests = 0;

/** Oddities of robots.txt. */
export const robotsShapes: Shapes = {
  "a byte order mark": robots(text(`\ufeff${closesA}`), ["/b"]),
  "carriage returns alone": robots(text(closesA.replaceAll("\n", "\r")), ["/b"]),
  "wildcards, and the longest rule": robots(text("User-agent: *\nDisallow: /*\nAllow: /$\nAllow: /*b"), [
    "/b",
  ]),
  escapes: robots(text("User-agent: *\nDisallow: /%61"), ["/b"]),
  "a file that is packed": robots(
    { headers: { "content-type": "text/plain", "content-encoding": "gzip" }, body: gzipSync(closesA) },
    ["/b"],
  ),
  "two megabytes, of which 500 KiB count": robots(
    text(`${closesA}\n${"# filler\n".repeat(230_000)}User-agent: *\nDisallow: /b`),
    ["/b"],
  ),
  "groups that are merged, in any case": robots(
    text(
      "user-AGENT: magpie\nDisallow: /a\n\nUser-agent: x\nDisallow: /\n\nUser-agent: MAGPIE\nDisallow: /b",
    ),
    [],
  ),
  "a delay outside of any group": robots(text(`Crawl-delay: 60\n${closesA}`), ["/b"]),
  "a delay that is no number": robots(text(`${closesA}\nCrawl-delay: soon`), ["/b"]),
  "401 allows": robots({ status: 401 }, all),
  "403 allows": robots({ status: 403 }, all),
  "410 allows": robots({ status: 410 }, all),
  "a page in place of the file": robots(page("Not found"), all),
  "a redirect to the file": robots(redirect("/robots/real.txt"), ["/b"]),
  "redirects in a loop": robots(redirect("/robots.txt"), all),
  "5xx is tried three times, then nothing is read": robots({ status: 500 }, [], {
    pages: [],
    errors: { "/": "robots" },
    status: "failed",
    check: site => expect(asked(site)).toEqual(["/robots.txt", "/robots.txt", "/robots.txt"]),
  }),
  "a 503 that passes": robots(
    (_, response) => {
      requests += 1;
      if (requests % 2 === 1) response.writeHead(503).end();
      else response.end(closesA);
    },
    ["/b"],
  ),
  "a connection that breaks once": robots(
    (request, response) => {
      const isFirst = !broken.has(request.headers.host ?? "");
      broken.add(request.headers.host ?? "");
      if (isFirst) response.destroy();
      else response.end(closesA);
    },
    ["/b"],
  ),
  "a slow file is waited for": robots(
    (_, response) => void setTimeout(() => response.end(closesA), 300),
    ["/b"],
    { check: site => expect(asked(site)[0]).toBe("/robots.txt") },
  ),
};

const broken = new Set<string>();
