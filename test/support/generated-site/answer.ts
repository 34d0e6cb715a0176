import { gzipSync } from "node:zlib";
import { prose } from "../../bench/text.ts";
import { calendarPath, closedPath, openPath } from "../generated-site.ts";
import type { Graph, Link, Node } from "./node.ts";

/** Where the site and the other site that it links to are, without a slash at the end. */
export interface Origins {
  origin: string;
  elsewhere: string;
}

export interface Answer {
  status: number;
  headers: Record<string, string>;
  body: string | Buffer;
  /** What was asked for; null for what belongs to crawlers, and for what the site does not have. */
  node: Node | null;
}

export interface Robots {
  status: number;
  text: string;
}

/** What robots.txt says unless a site is given another. */
export function usualRobots({ origin }: Origins): Robots {
  const text = `User-agent: *\nDisallow: ${closedPath}\nAllow: ${openPath}\n\nSitemap: ${origin}/maps/index.xml\n`;
  return { status: 200, text };
}

/** What the site answers to a path and query. */
export function answer(
  graph: Graph,
  target: string,
  origins: Origins,
  robots = usualRobots(origins),
): Answer {
  const own = ownAnswer(graph, target, origins, robots);
  if (own) return { status: 200, node: null, ...own };
  // Clients differ in whether they send the mark of an empty query.
  const id = graph.spellings.get(target.replace(/\?$/, ""));
  const node = (id && graph.nodes.get(id)) || calendarPage(target);
  if (!node) return { ...html(404, page("Not here", "", "")), node: null };
  return { ...pageAnswer(node, origins), node };
}

type OwnAnswer = Pick<Answer, "headers" | "body"> & { status?: number };

function ownAnswer(graph: Graph, target: string, origins: Origins, robots: Robots): OwnAnswer | null {
  const plain = { "content-type": "text/plain" };
  const listed = graph.listed;
  const half = Math.ceil(listed.length / 2);
  if (target === "/robots.txt") return { status: robots.status, headers: plain, body: robots.text };
  if (target === "/maps/index.xml") return xml(siteMapIndex(origins));
  if (target === "/maps/one.xml") return xml(siteMap(listed.slice(0, half), origins));
  if (target === "/maps/two.xml.gz")
    return {
      headers: { "content-type": "application/gzip" },
      body: gzipSync(siteMap(listed.slice(half), origins)),
    };
  return null;
}

function pageAnswer(node: Node, origins: Origins): Omit<Answer, "node"> {
  const to = node.target && absolute(node.target, origins);
  if (node.kind === "missing") return html(404, page("Not here", "", ""));
  if (node.kind === "file")
    return { status: 200, headers: { "content-type": "application/zip" }, body: Buffer.from("PK\x03\x04") };
  if (node.kind === "redirect")
    return { status: node.id.length % 2 ? 301 : 302, headers: { location: to ?? "" }, body: "" };
  const head = [
    node.kind === "copy" ? `<link rel="canonical" href="${escaped(to ?? "")}">` : "",
    node.nofollow === "meta" ? `<meta name="robots" content="index, nofollow">` : "",
  ].join("");
  const answered = html(200, page(node.id, head, node.links.map(link => anchor(link, origins)).join("\n")));
  if (node.nofollow === "header") answered.headers["x-robots-tag"] = "nofollow";
  return answered;
}

/** Mail addresses, scripts and fragments are on every page, since they are on most. */
function page(title: string, head: string, links: string): string {
  const text = prose(title.length * 31 + Number(/\d+/.exec(title)?.[0] ?? 0));
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${escaped(title)}</title>${head}</head>
<body><main><h1>${escaped(title)}</h1><p>${text.paragraph(4)}</p><p>${text.paragraph(3)}</p>
<ul>${links}</ul><p><a href="mailto:a@site.test">Mail</a> <a href="javascript:void(0)">Do</a> <a href="#top">Top</a> <a href="tel:+4312345">Call</a></p></main></body></html>`;
}

function anchor({ to, href, nofollow, next }: Link, origins: Origins): string {
  const rel = [nofollow ? "nofollow" : "", next ? "next" : ""].join(" ").trim();
  return `<li><a href="${escaped(filled(href, origins))}"${rel && ` rel="${rel}"`}>${escaped(to)}</a></li>`;
}

/** A month links to its days and to the months before and after, without end. */
function calendarPage(target: string): Node | undefined {
  const id = target.replace(/\?.*/, "");
  const [, year, month, day] = /^(\d{4,5})-(\d\d)(-\d\d)?$/.exec(id.slice(calendarPath.length)) ?? [];
  if (!id.startsWith(calendarPath) || year === undefined) return undefined;
  const months = Number(year) * 12 + Number(month) - 1;
  const near = [months - 1, months + 1].map(monthId);
  const days = day ? [] : Array.from({ length: 28 }, (_, n) => `${id}-${String(n + 1).padStart(2, "0")}`);
  return {
    id,
    kind: "page",
    links: [...near, ...days].map(to => ({ to, href: `${to}?utm_term=${months}` })),
  };
}

function monthId(months: number): string {
  return `${calendarPath}${Math.floor(months / 12)}-${String((months % 12) + 1).padStart(2, "0")}`;
}

function html(status: number, body: string): Omit<Answer, "node"> {
  return { status, headers: { "content-type": "text/html; charset=utf-8" }, body };
}

function xml(body: string): OwnAnswer {
  return { headers: { "content-type": "application/xml" }, body: `<?xml version="1.0"?>\n${body}` };
}

const namespace = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"';

function siteMapIndex({ origin }: Origins): string {
  const maps = ["/maps/one.xml", "/maps/two.xml.gz"];
  return `<sitemapindex ${namespace}>${maps.map(path => `<sitemap><loc>${origin}${path}</loc></sitemap>`).join("")}</sitemapindex>`;
}

function siteMap(listed: Link[], origins: Origins): string {
  const urls = listed.map(
    link => `<url>\n<loc> ${escaped(absolute(link, origins))} </loc><priority>0.5</priority></url>`,
  );
  return `<urlset ${namespace}>${urls.join("\n")}</urlset>`;
}

function absolute({ href }: Link, origins: Origins): string {
  return href.startsWith("{") ? filled(href, origins) : origins.origin + href;
}

function filled(href: string, { origin, elsewhere }: Origins): string {
  return href
    .replace("{origin}", origin)
    .replace("{ORIGIN}", origin.toUpperCase())
    .replace("{elsewhere}", elsewhere);
}

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");
}
