import { existsSync, globSync, readFileSync } from "node:fs";
import { basename, dirname, join, matchesGlob, resolve } from "node:path";
import { gunzipSync } from "node:zlib";
import { getPublicSuffix } from "tough-cookie";
import { parseHtml } from "../html/parse-html.ts";
import { plainText } from "../html/plain-text.ts";
import { readMetadata } from "../metadata/read-metadata.ts";
import { urlResolver } from "../page/page-links.ts";
import { decodeText } from "../text/decode-text.ts";

/** A page with what a person says its content is. */
export interface TrainingPage {
  /** The folder of its data set, below the folder that was asked for. */
  set: string;
  /** Name of one data set. */
  name: string;
  /** Article, forum and the like; the data set's name where it has no types. */
  type: string;
  /** Empty if it is not known. */
  url: string;
  /** Pages of one site are never on both sides of a cross-validation. */
  site: string;
  html: string;
  content: string;
  /** Texts of the page that are not content. */
  without: string[];
}

/** Where a page's files are. */
export interface PageFiles {
  set: string;
  name: string;
  html: string;
  truth: string;
}

export function readPage(files: PageFiles): TrainingPage {
  const layout = layouts.find(({ html }) => matchesGlob(files.html, `**/${html}`));
  if (layout === undefined) throw new Error(`No data set keeps its pages as ${files.html}.`);
  return layout.read(files);
}

/** Reads pages one after the other: together they are some 400 MB. */
export function* pagesOf(files: Iterable<PageFiles>): Generator<TrainingPage> {
  for (const each of files) yield readPage(each);
}

interface Layout {
  /** A pattern of the pages' paths in the data set's folder. */
  html: string;
  name: (path: string) => string;
  truth: (name: string) => string;
  read: (files: PageFiles) => TrainingPage;
}

const layouts: readonly Layout[] = [
  // WCXB, and own pages.
  {
    html: "html/*.{html,html.gz}",
    name: path => basename(path).replace(/\.html(\.gz)?$/, ""),
    truth: name => `ground-truth/${name}.json`,
    read: readAnnotated,
  },
  // mozilla/readability.
  {
    html: "test/test-pages/*/source.html",
    name: path => basename(dirname(path)),
    truth: name => `test/test-pages/${name}/expected.html`,
    read: files => readApproved(files, plainText(parseHtml(readText(files.truth)))),
  },
  // kepano/defuddle.
  {
    html: "tests/fixtures/*.html",
    name: path => basename(path, ".html"),
    truth: name => `tests/expected/${name}.md`,
    read: files => readApproved(files, textOfMarkdown(readText(files.truth))),
  },
];

/**
 * The pages of every data set in a folder or at most two levels below it, always in the same order. A data set in a
 * folder named `test` is held out: its pages are never read.
 */
export function findPages(folder: string): PageFiles[] {
  const found: PageFiles[] = [];
  for (const layout of layouts)
    for (const above of ["", "*/", "*/*/"])
      for (const path of globSync(above + layout.html, { cwd: folder })) {
        const set = path.split("/").slice(0, -layout.html.split("/").length).join("/");
        const root = resolve(folder, set);
        const name = layout.name(path);
        const files = { html: join(folder, path), truth: join(root, layout.truth(name)) };
        if (basename(root) !== "test" && existsSync(files.truth))
          found.push({ set: set || basename(root), name, ...files });
      }
  return found.sort((a, b) => (a.html < b.html ? -1 : 1));
}

/** A file of WCXB, as its schema 2.0 has it. */
interface Annotation {
  url?: string;
  _internal?: { page_type?: { primary?: string } | string | null } | null;
  ground_truth?: { main_content?: string | null; without?: string[] | null } | null;
}

function readAnnotated(files: PageFiles): TrainingPage {
  const { url = "", _internal, ground_truth } = JSON.parse(readFileSync(files.truth, "utf8")) as Annotation;
  const kind = _internal?.page_type;
  const type = (typeof kind === "string" ? kind : kind?.primary) ?? "article";
  return {
    ...{ set: files.set, name: files.name, type: type === "category" ? "collection" : type },
    ...{ url, site: siteOf(url) ?? files.name, html: readText(files.html) },
    content: ground_truth?.main_content ?? "",
    without: ground_truth?.without ?? [],
  };
}

/** Pages whose truth is what a tool made of them, approved by people. They have no address but what they say. */
function readApproved(files: PageFiles, content: string): TrainingPage {
  const html = readText(files.html);
  const root = parseHtml(html);
  const unknown = "https://page.invalid/";
  const url = readMetadata(root, urlResolver(root, unknown), unknown).canonical_url ?? "";
  const site = siteOf(url) ?? files.name.replace(/-\d+$/, "");
  return { set: files.set, name: files.name, type: files.set, url, site, html, content, without: [] };
}

/** The registrable domain, or the host where there is none. */
function siteOf(url: string): string | undefined {
  const host = URL.parse(url)?.hostname;
  if (!host || host === "page.invalid") return undefined;
  return getPublicSuffix(host, { ignoreError: true }) ?? host;
}

function readText(path: string): string {
  const bytes = readFileSync(path);
  return decodeText(path.endsWith(".gz") ? gunzipSync(bytes) : bytes, { charset: undefined }, "html");
}

/** The words of a file of Defuddle's: without its metadata, addresses and tags. */
function textOfMarkdown(markdown: string): string {
  return markdown
    .replace(/^```json\n.*?\n```\n/s, "")
    .replace(/\[([^[\]]*)\]\([^()]*\)/g, "$1")
    .replace(/<[^<>]*>/g, "");
}

/**
 * Divides pages into parts, no site into two. Sites with many pages are dealt first, each to the part with fewest pages,
 * so that the parts are of similar size.
 */
export function dealSites<Page extends { site: string }>(pages: readonly Page[], count: number): Set<Page>[] {
  const sites = [...Map.groupBy(pages, ({ site }) => site)];
  sites.sort(([a, own], [b, other]) => other.length - own.length || (a < b ? -1 : 1));
  const parts = Array.from({ length: count }, () => new Set<Page>());
  for (const [, own] of sites) {
    const smallest = parts.reduce((least, part) => (part.size < least.size ? part : least));
    for (const page of own) smallest.add(page);
  }
  return parts;
}
