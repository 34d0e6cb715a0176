import type { DocumentNode } from "../html/tree.ts";
import type { PageElement } from "./page-element.ts";
import { entriesIn, itemsOf, type PageItem } from "./page-items.ts";
import { openPage, type Page } from "./parse-page.ts";
import { repeatedBlocks, sectionHeads } from "./repeated-blocks.ts";

/** The entries of a page that lists something, and the CSS selector that finds them again. */
export interface FoundItems {
  selector: string;
  items: PageItem[];
}

/** With fewer entries nothing says that they are a list. */
const fewest = 3;

/**
 * Finds the list that a page is about: of elements that repeat, those whose entries have most of what entries have, in the
 * main part of the page. Undefined where none is one. Throws `TooMuchWork`.
 */
export function findItems(tree: DocumentNode, url: string): FoundItems | undefined {
  const page = openPage(tree, url);
  const heads = sectionHeads(page.root).filter(({ selector }) => headSelector.test(selector));
  const selectors = [...repeatedBlocks(page.root), ...heads].map(({ selector }) => selector);
  let best: (FoundItems & { score: number }) | undefined;
  const rate = (selector: string) => {
    const entries = entriesIn(page.root, selector);
    const items = itemsOf(page, entries);
    const score = items.length < fewest ? 0 : scoreOf(items, entries, page);
    if (score > (best?.score ?? 0)) best = { selector, items, score };
    return items.length === entries.length && items.some(({ link }) => link === undefined);
  };
  for (const selector of new Set(selectors)) {
    const isMixed = rate(selector);
    if (isMixed && !headSelector.test(selector)) rate(`${selector}:has(a[href])`);
  }
  return best && { selector: best.selector, items: best.items };
}

/** A selector of headings, which begin entries. */
const headSelector = /(?:^|[\s>])(?:h[2-6]|dt)(?![\w-])[^\s>]*$/;

const beside =
  "nav, footer, aside, form, [role=navigation], [role=contentinfo], [role=complementary], [class*=sidebar i], [class*=related i], [class*=recommend i], [class*=menu i], [class*=breadcrumb i], [class*=pagination i], [class*=pager i], [class*=comment-list i], [id=comments], [id*=sidebar i]";

/** Points for what entries have; 0 for what is no list of entries. */
function scoreOf(items: readonly PageItem[], entries: readonly PageElement[], { root }: Page): number {
  const share = (test: (item: PageItem) => boolean) => items.filter(test).length / items.length;
  const distinct = (of: (item: PageItem) => string | undefined) =>
    new Set(items.flatMap(item => of(item) ?? [])).size / items.length;
  const titles = distinct(({ title }) => title);
  const kept = items.length / Math.max(1, entries.length);
  if (titles < 0.5 || kept < 0.5) return 0;
  const links = distinct(({ link }) => link);
  const has = {
    link: Math.min(
      links,
      share(({ link }) => link !== undefined),
    ),
    date: share(({ date }) => date !== undefined),
    picture: share(({ picture }) => picture !== undefined),
    text: share(({ text }) => text.length > 0),
    prose: share(({ text }) => text.length > 60),
    named: share(({ title }) => title.length > 14),
  };
  const isBare = has.date + has.picture + has.text < 0.5;
  const outside = entries.filter(entry => isBeside(entry, root)).length / entries.length;
  return (
    10 +
    has.link * 10 +
    has.date * 8 +
    has.picture * 4 +
    has.text * 3 +
    has.prose * 3 +
    has.named * 5 +
    Math.min(2.5 * Math.log2(items.length), 14) -
    (1 - titles) * 10 -
    (1 - kept) * 10 -
    (isBare ? 6 : 0) -
    outside * 20
  );
}

function isBeside(entry: PageElement, root: PageElement): boolean {
  // A section is cut out of its page.
  if (entry.order === 0) return false;
  const frame = entry.parentElement?.closest(beside);
  return frame !== null && frame !== undefined && frame !== root && frame.share < 0.6;
}
