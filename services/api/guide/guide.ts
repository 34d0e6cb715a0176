import { join } from "node:path";
import { setImmediate as yieldToLoop } from "node:timers/promises";
import { type Html, html } from "./html.ts";
import { addressOf, type RenderedPage, renderPage } from "./markdown.ts";
import {
  type Documentation,
  decisionsTitle,
  type Page,
  pathOf,
  readDocumentation,
  type Section,
} from "./pages.ts";
import { type GuideSearch, openSearch } from "./search.ts";

/** The documentation of this version, rendered. */
export interface Guide extends Documentation {
  rendered: Map<Page, RenderedPage>;
  search: GuideSearch;
  /** All pages in reading order, the index first. */
  order: Page[];
}

const folder = join(import.meta.dirname, "../../../docs");

let opened: Promise<Guide> | undefined;

/** Reads the documentation once; it does not change while the process runs. */
export function theGuide(): Promise<Guide> {
  opened ??= openGuide(folder).catch(error => {
    // Clear the failure, so that the next request tries again.
    opened = undefined;
    throw error;
  });
  return opened;
}

export async function openGuide(path: string): Promise<Guide> {
  const documentation = await readDocumentation(path);
  const order = [documentation.index, ...documentation.sections.flatMap(({ pages }) => pages)];
  const rendered = new Map<Page, RenderedPage>();
  for (const page of order) {
    rendered.set(page, renderPage(page, documentation));
    // All pages take a while together, and the gateway has other requests.
    await yieldToLoop();
  }
  const search = await openSearch([...rendered].map(([page, { passages }]) => ({ page, passages })));
  return { ...documentation, order, rendered, search };
}

/** A sentence that says what a page is for: of the index's table, or the page's first. */
export function summaryOf({ index, byPath }: Documentation, page: Page): string {
  for (const row of index.markdown.matchAll(/^\| \[[^\]]*\]\(([^)]+)\) \| (.+) \|$/gm))
    if (byPath.get(pathOf(index, row[1] ?? "").path) === page) return withoutMarks(row[2] ?? "");
  const paragraphs = page.markdown.split(/\n{2,}/).filter(part => /^(?!Status: )[^#|\-`<\s]/.test(part));
  // A decision has its status first, and labels before its paragraphs: **Context.**
  const first = (paragraphs[0] ?? "").replace(/^\*\*[^*]+\.\*\* /, "");
  return withoutMarks(/^.*?[.:](?=\s|$)/s.exec(first)?.[0] ?? first).replace(/:$/, ".");
}

function withoutMarks(markdown: string): string {
  return markdown
    .replace(/\[([^\]]*)\]\([^)]*\)/g, "$1")
    .replace(/[*`]/g, "")
    .replace(/\s+/g, " ")
    .trim();
}

/** The Markdown of a page with the addresses that its links have beside it. */
export function servedMarkdown(page: Page, { byPath }: Documentation): string {
  return page.markdown
    .split(/(^```[\s\S]*?^```$|`[^`\n]*`)/m)
    .map((part, at) =>
      at % 2 === 1
        ? part
        : part.replace(/(!?)\[([^\]]*)\]\((?!https?:|#)([^)\s]+)\)/g, (link, picture, text, href) => {
            if (picture) return link;
            const { path, anchor } = pathOf(page, href);
            const target = byPath.get(path);
            if (!target) return `${text} (${path})`;
            return `[${text}](${markdownAddressOf(target)}${anchor && `#${anchor}`})`;
          }),
    )
    .join("");
}

/** The index of the guide has its Markdown under the name that its file has. */
export function markdownAddressOf({ slug }: Page): string {
  return `/guide/${slug === "" ? "README" : slug}.md`;
}

/** The list of pages. Of the decisions it names the index and, on one of them, the page itself. */
export function navigation({ sections }: Documentation, current?: Page): Html {
  return html`${sections
    .filter(({ title }) => title !== decisionsTitle)
    .map(section => sectionLinks(section, current))}`;
}

function sectionLinks({ title, pages }: Section, current: Page | undefined): Html {
  const links = pages.map(page => {
    const isHere = page === current || isAbove(page, current);
    return html`<li><a href="${addressOf(page)}"${isHere ? html` aria-current="${page === current ? "page" : "true"}"` : ""}>${page.title}</a></li>`;
  });
  return html`<h2>${title}</h2><ul>${links}</ul>`;
}

/** The index of the decisions is current on each of them. */
function isAbove(page: Page, current: Page | undefined): boolean {
  return (
    page.path.endsWith("/README.md") &&
    (current?.path.startsWith(page.path.replace("README.md", "")) ?? false)
  );
}
