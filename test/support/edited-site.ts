import { createHash } from "node:crypto";
import type { ServerResponse } from "node:http";
import { type EditCounts, type Expected, editSite, setBanner, usualEdits } from "./edited-site/edits.ts";
import { htmlOf, sitemapIndex, sitemapOf } from "./edited-site/html.ts";
import { type Answer, type Doc, type SiteModel, siteModel } from "./edited-site/model.ts";
import { startSite } from "./http-site.ts";

/** A site for tests of tracked sites: the same for the same seed. */
export interface EditedSiteOptions {
  seed: number;
  pages: number;
  /** Whether it has sitemaps, and whether they say when pages changed. Without them pages are found by links. */
  sitemaps?: "lastmod" | "plain" | "none";
  /** What the footer of a page says: the same on all, or something else at each visit. */
  footer?: "steady" | "rotating";
  host?: string;
}

/** What was asked of the site, and what it sent. */
export interface SiteTraffic {
  /** Requests for pages; of these: sent with a body, answered 304, and all else. */
  requests: number;
  bodies: number;
  notModified: number;
  others: number;
  /** Of robots.txt and sitemaps. */
  files: number;
}

export interface EditedSite {
  /** Its entry page. */
  url: string;
  /** The address of a path. */
  at(path: string): string;
  readonly pages: number;
  /** Traffic since the site began, or since `resetTraffic`. */
  readonly traffic: SiteTraffic;
  resetTraffic(): void;
  /** Requests for each path since then. */
  readonly asked: ReadonlyMap<string, number>;
  /** Edits, new pages, pages that are gone and pages that have moved, at random by `seed`. Answers what is to be told. */
  edit(seed: number, counts?: Partial<EditCounts>): Expected;
  /** Changes what is on every page; null for nothing. */
  setBanner(banner: string | null): Expected;
  /** For changes of another kind. */
  readonly model: SiteModel;
  close(): Promise<void>;
}

const perSitemap = 1000;
const noTraffic: SiteTraffic = { requests: 0, bodies: 0, notModified: 0, others: 0, files: 0 };

export async function startEditedSite({
  seed,
  pages,
  sitemaps = "lastmod",
  footer = "steady",
  host = "127.0.0.1",
}: EditedSiteOptions): Promise<EditedSite> {
  const model = siteModel(seed, pages, Date.now());
  const asked = new Map<string, number>();
  let traffic = { ...noTraffic };
  let served = 0;
  const footerOf = () => {
    served += 1;
    return footer === "steady" ? "All rights reserved." : `Thought of the moment: ${thoughtOf(served)}`;
  };
  const site = await startSite(
    (request, response) => {
      const path = (request.url ?? "/").split("?")[0] ?? "/";
      const file = fileAt(path);
      const condition = request.headers["if-none-match"];
      if (file !== undefined) {
        traffic.files += 1;
        sendTagged(response, file, condition);
        return;
      }
      traffic.requests += 1;
      asked.set(path, (asked.get(path) ?? 0) + 1);
      const sent = answerWith(response, model.answers.get(path) ?? { gone: 404 }, condition);
      traffic[sent] += 1;
    },
    undefined,
    host,
  );

  function fileAt(path: string): string | undefined {
    if (path === "/robots.txt")
      return `User-agent: *\nDisallow: /private/\n${sitemaps === "none" ? "" : `Sitemap: ${site.url}/sitemap.xml\n`}`;
    if (sitemaps === "none" || !path.includes("sitemap")) return undefined;
    const docs = docsOf(model);
    if (path === "/sitemap.xml") return sitemapIndex(site.url, Math.ceil(docs.length / perSitemap));
    const [, number] = /^\/sitemaps\/(\d+)\.xml$/.exec(path) ?? [];
    if (number === undefined) return undefined;
    const from = Number(number) * perSitemap;
    return sitemapOf(site.url, docs.slice(from, from + perSitemap), sitemaps === "lastmod");
  }

  function answerWith(
    response: ServerResponse,
    answer: Answer,
    condition: string | undefined,
  ): "bodies" | "notModified" | "others" {
    if ("gone" in answer) {
      response
        .writeHead(answer.gone, { "content-type": "text/html" })
        .end("<title>Nothing here</title><p>Nothing is here.");
      return "others";
    }
    if ("movedTo" in answer) {
      response.writeHead(301, { location: answer.movedTo }).end();
      return "others";
    }
    return sendTagged(response, htmlOf(answer.doc, model, site.url, footerOf()), condition);
  }

  return {
    url: `${site.url}${model.entry}`,
    at: path => `${site.url}${path}`,
    get pages() {
      return docsOf(model).length;
    },
    get traffic() {
      return { ...traffic };
    },
    resetTraffic: () => {
      traffic = { ...noTraffic };
      asked.clear();
    },
    asked,
    edit: (by, counts = {}) => editSite(model, by, { ...usualEdits, ...counts }, Date.now()),
    setBanner: banner => setBanner(model, banner),
    model,
    close: () => site.close(),
  };
}

/** The pages that a sitemap names: those at their own address. */
function docsOf({ answers }: SiteModel): Doc[] {
  return [...answers.values()].flatMap(answer =>
    "doc" in answer && (answer.doc.canonical ?? answer.doc.path) === answer.doc.path ? answer.doc : [],
  );
}

function sendTagged(
  response: ServerResponse,
  body: string,
  condition: string | undefined,
): "bodies" | "notModified" {
  const etag = `"${createHash("sha256").update(body).digest("base64url").slice(0, 16)}"`;
  const isKnown = condition !== undefined && condition.replace(/^W\//, "") === etag;
  const type = body.startsWith("<?xml")
    ? "application/xml"
    : body.startsWith("<")
      ? "text/html"
      : "text/plain";
  response.writeHead(isKnown ? 304 : 200, { etag, "content-type": `${type}; charset=utf-8` });
  response.end(isKnown ? undefined : body);
  return isKnown ? "notModified" : "bodies";
}

const thoughts = "larch oak pine beech birch maple ash elm willow cedar".split(" ");

function thoughtOf(n: number): string {
  const at = (step: number) => thoughts[Math.floor(n / step) % thoughts.length];
  return `a box of ${at(1)} beats one of ${at(10)}, and ${at(100)} beats both.`;
}
