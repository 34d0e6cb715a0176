import { readdir, readFile } from "node:fs/promises";
import { join, posix } from "node:path";

/** A page of the documentation, as it is written. */
export interface Page {
  /** Its name in addresses; the index of the guide has none. */
  slug: string;
  /** The path of the page in the repository. */
  path: string;
  title: string;
  markdown: string;
}

/** Pages that belong together, in the order in which to read them. */
export interface Section {
  title: string;
  pages: Page[];
}

export interface Documentation {
  index: Page;
  /** The sections that the index names, and the decisions after them. */
  sections: Section[];
  bySlug: Map<string, Page>;
  byPath: Map<string, Page>;
  /** Drawings as SVG, by the name that `drawingName` gives their source. */
  drawings: Map<string, string>;
  /** Pictures, by their path in the repository. */
  images: Map<string, Buffer>;
}

export const decisionsTitle = "Decisions";

export function isDecision({ path }: Page): boolean {
  return path.startsWith("docs/decisions/");
}

/**
 * Reads the folder of documentation. The index, `README.md`, gives sections and order: its headings of the second level, and
 * the pages that each links to. Notes of the lab are for those who work on the code, and are no pages of the guide. Throws when
 * two pages would have the same address.
 */
export async function readDocumentation(folder: string): Promise<Documentation> {
  const names = (await readdir(folder, { recursive: true }))
    .map(name => name.replaceAll("\\", "/"))
    .filter(name => !name.startsWith("lab/"))
    .sort();
  const pick = async <Content>(pattern: RegExp, read: (path: string) => Promise<Content>) =>
    new Map(
      await Promise.all(
        names
          .filter(name => pattern.test(name))
          .map(async name => [`docs/${name}`, await read(join(folder, name))] as const),
      ),
    );
  const [texts, svgs, images] = await Promise.all([
    pick(/\.md$/, path => readFile(path, "utf8")),
    pick(/^drawings\/\w+\.svg$/, path => readFile(path, "utf8")),
    pick(/\.(png|webp)$/, path => readFile(path)),
  ]);
  const byPath = new Map([...texts].map(([path, markdown]) => [path, pageOf(path, markdown)]));
  const bySlug = new Map<string, Page>();
  for (const page of byPath.values()) {
    const other = bySlug.get(page.slug);
    if (other) throw new Error(`${page.path} and ${other.path} have the same address`);
    bySlug.set(page.slug, page);
  }
  const index = byPath.get("docs/README.md");
  if (!index) throw new Error(`${folder} has no README.md`);
  const drawings = new Map([...svgs].map(([path, svg]) => [posix.basename(path, ".svg"), svg]));
  return { index, sections: sectionsOf(index, byPath), bySlug, byPath, drawings, images };
}

function pageOf(path: string, markdown: string): Page {
  const title = /^# (.+)$/m.exec(markdown)?.[1] ?? path;
  return { slug: slugOf(path), path, title: title.replaceAll("`", ""), markdown };
}

/** Folders do not appear in addresses: `docs/guides/webhooks.md` is `webhooks`. */
function slugOf(path: string): string {
  const name = posix.basename(path, ".md");
  if (name !== "README") return name;
  const folder = posix.basename(posix.dirname(path));
  return folder === "docs" ? "" : folder;
}

function sectionsOf(index: Page, byPath: Map<string, Page>): Section[] {
  const parts = index.markdown.split(/^## /m).slice(1);
  const taken = new Set<Page>([index]);
  const sections = parts.map(part => ({
    title: part.slice(0, part.indexOf("\n")).trim(),
    pages: take(linkedPages(index, part, byPath), taken),
  }));
  const decisions = byPath.get("docs/decisions/README.md");
  const list = decisions ? take(linkedPages(decisions, decisions.markdown, byPath), taken) : [];
  return [...sections, { title: decisionsTitle, pages: list }].filter(({ pages }) => pages.length > 0);
}

/** Each page once, where it is named first. */
function take(pages: Page[], taken: Set<Page>): Page[] {
  return pages.filter(page => !taken.has(page) && taken.add(page));
}

function linkedPages(from: Page, markdown: string, byPath: Map<string, Page>): Page[] {
  return [...markdown.matchAll(/\]\(([^)\s]+)\)/g)].flatMap(
    ([, link = ""]) => byPath.get(pathOf(from, link).path) ?? [],
  );
}

/** Where a relative link of a page leads in the repository. */
export function pathOf(from: Page, link: string): { path: string; anchor: string } {
  const [file = "", anchor = ""] = link.split("#", 2);
  return { path: file === "" ? from.path : posix.join(posix.dirname(from.path), file), anchor };
}
