import { decodeHTML } from "entities";
import { collapse } from "../html/plain-text.ts";
import type { ElementNode } from "../html/tree.ts";
import { headingText, isLinkHome } from "./heading-text.ts";
import type { LinkedFacts } from "./linked-facts.ts";
import type { PageHints } from "./page-hints.ts";

const metaNames = [
  "og:title",
  "twitter:title",
  "citation_title",
  "dc.title",
  "dcterms.title",
  "parsely-title",
];
const noTitle =
  /^(?:undefined|null|none|untitled(?: document| page)?|home(?: ?page)?|title|index|new page|document)$/i;
const maxHeading = 250;
const maxTitle = 1000;
/** General names that a reader sees all the same where a heading has them: "Home". */
const generalName = /^(?:home(?: ?page)?|title|index|document)$/i;
/** How much of the words of heading and title must be the same. */
const alike = 0.4;

/**
 * What the page is called, without its site's name: its heading where that is near to what the page states as its title,
 * else the first title that is more than the site's name. Empty where it says nothing.
 */
export function readTitle(
  hints: PageHints,
  linked: LinkedFacts,
  { sites, host, isStart }: { sites: readonly string[]; host: string; isStart: boolean },
): string {
  const names = new Names([...sites, host, host.replace(/\.[^.]*$/, "")], host);
  const isTitle = (text: string) => text !== "" && text.length <= maxTitle && !noTitle.test(text);
  const metas = metaNames.map(name => stated(hints.metas.get(name)?.[0])).filter(isTitle);
  const page = stated(hints.title?.textContent);
  const all = [...metas.slice(0, 1), page, ...metas.slice(1), ...linked.titles.map(stated)].filter(isTitle);
  const own = isStart ? all : all.filter(text => !names.has(plain(text)));
  const isOfPage = (heading: ElementNode) => isStart || !isLinkHome(heading, host);
  const headings = hints.headings.map(heading => headingOf(heading, all)).filter(isTitle);
  const fitting = hints.headings
    .filter(isOfPage)
    .map(heading => headingOf(heading, all))
    .filter(text => isTitle(text) && (isStart || !names.has(plain(text))));
  const [first] = own;
  if (first === undefined) return fitting[0] ?? all[0] ?? headings[0] ?? generalHeading(hints);
  const rest = withoutSite(first, own, names);
  const telling = fitting.filter(heading => isTelling(heading, own, rest));
  return nearest(telling, own) ?? rest;
}

/** What a heading says; a title that it begins with where a button or a note follows. */
function headingOf(heading: ElementNode, titles: readonly string[]): string {
  const text = stated(headingText(heading, maxHeading));
  const lower = text.toLowerCase();
  const isPart = (title: string) =>
    title.length >= leastPart &&
    lower.startsWith(`${title.toLowerCase()} `) &&
    title.length * 2 > text.length;
  return titles.find(isPart) ?? text;
}

/** A stated title that is shorter is no part of a heading. */
const leastPart = 8;

/**
 * Whether a heading says more than where the page is: `News`, the last part of a title, and a single word of a title of
 * several do not, unless the title begins with it.
 */
function isTelling(heading: string, titles: readonly string[], rest: string): boolean {
  const words = wordsOf(heading).size;
  const own = plain(heading);
  const parts = titles.slice(0, 3).map(title => title.split(joints).map(plain));
  if (parts.some(([first]) => first === own)) return true;
  if (parts.some(of => of.length > 1 && of.at(-1) === own)) return false;
  return words >= 2 || wordsOf(rest).size <= 2;
}

const joints = /\s+[|｜·•»«›‹–—:-]+\s+|[|｜]|:\s/u;

function generalHeading({ headings }: PageHints): string {
  return (
    headings.map(heading => stated(headingText(heading, maxHeading))).find(text => generalName.test(text)) ??
    ""
  );
}

/** The heading that is most like one of the titles. */
function nearest(headings: readonly string[], titles: readonly string[]): string | undefined {
  let best: string | undefined;
  let most = alike;
  for (const heading of headings)
    for (const title of titles.slice(0, 3)) {
      const likeness = likenessOf(wordsOf(heading), wordsOf(title));
      if (likeness > most) [best, most] = [heading, likeness];
    }
  return best;
}

/** The share of the heading's words that the title has too; articles and the like count where it has no others. */
function likenessOf(heading: ReadonlySet<string>, title: ReadonlySet<string>): number {
  const telling = [...heading].filter(word => word.length > 3 || /\d|[^\p{Script=Latin}]/u.test(word));
  const words = telling.length > 0 ? telling : [...heading];
  return words.filter(word => title.has(word)).length / Math.max(1, words.length);
}

/** The names of a site. */
class Names {
  private readonly known: ReadonlySet<string>;
  /** As they are written, in lower case, the longest first. */
  private readonly written: readonly string[];
  private readonly host: string;

  constructor(names: readonly string[], host: string) {
    this.known = new Set(
      names.flatMap(name => [plain(name), plain(name.replace(/^the\s/i, ""))]).filter(name => name !== ""),
    );
    this.written = names
      .map(name => name.toLowerCase().trim())
      .filter(name => name.length >= minInHost)
      .sort((a, b) => b.length - a.length);
    this.host = plain(host);
  }

  has(name: string): boolean {
    return this.known.has(name);
  }

  /** A title without a name at its end or beginning that a joint sets apart; the name may have joints itself. */
  cutFrom(title: string): string | undefined {
    const lower = title.toLowerCase();
    if (lower.length !== title.length) return undefined;
    for (const name of this.written) {
      const [before, after] = [title.slice(0, -name.length).trimEnd(), title.slice(name.length).trimStart()];
      if (lower.endsWith(name) && endJoint.test(before))
        return before.replace(endJoint, "").trim() || undefined;
      if (lower.startsWith(name) && startJoint.test(after))
        return after.replace(startJoint, "").trim() || undefined;
    }
    return undefined;
  }

  /** Whether a part of a title is a name of the site, or is in the name of its host. */
  isSite(part: string): boolean {
    const name = plain(part);
    return this.known.has(name) || (name.length >= minInHost && this.host.includes(name));
  }
}

const minInHost = 3;
const endJoint = /(?:[|｜·•»«›‹–—]|\s[-:]{1,2})$/u;
const startJoint = /^(?:[|｜·•»«›‹–—:]|[-:]{1,2}\s)/u;

function withoutSite(title: string, titles: readonly string[], names: Names): string {
  if (title.length > maxHeading) return title;
  let text = title;
  for (let cut = cutOnce(text, names); cut !== undefined; cut = cutOnce(text, names)) text = cut;
  const others = new Set(titles.map(plain));
  for (const part of prefixes(text)) if (others.has(plain(part))) return part;
  return text === title ? beforeBar(text) : text;
}

const last = /^(.*\S)\s*(?:\s[|｜·•»«›‹–—:-]+\s|[|｜])\s*([^|｜]*?)$/u;
const begin = /^([^|｜:]*?)\s*(?:\s[|｜·•»«›‹–—-]+\s|[|｜]|::?\s)\s*(\S.*)$/u;

/** Without the last words after a single bar: such a bar sets the name of a site apart that nothing else names. */
function beforeBar(text: string): string {
  const [before = "", after = "", ...more] = text.split(/[|｜]/);
  const isName = more.length === 0 && wordsOf(after).size > 0 && after.trim().split(/\s+/).length <= 3;
  return isName && before.trim().includes(" ") ? before.trim() : text;
}

/** Without a name of the site at its end or its beginning. */
function cutOnce(text: string, names: Names): string | undefined {
  const cut = names.cutFrom(text);
  if (cut !== undefined) return cut;
  const [, before, name] = last.exec(text) ?? [];
  if (before !== undefined && name !== undefined && names.isSite(name)) return before;
  const [, first, after] = begin.exec(text) ?? [];
  if (after !== undefined && first !== undefined && names.isSite(first)) return after;
  return undefined;
}

function prefixes(text: string): string[] {
  const found: string[] = [];
  for (const { index } of text.matchAll(/\s+[|｜·•»«›‹–—-]+\s+/gu)) found.push(text.slice(0, index));
  return found;
}

function wordsOf(text: string): Set<string> {
  return new Set(
    text
      .toLowerCase()
      .split(/[^\p{L}\p{N}]+/u)
      .filter(word => word !== ""),
  );
}

function plain(text: string): string {
  return text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, "");
}

const inlineTags = /<\/?(?:em|i|b|strong|span|br|sup|sub)\b[^<>]{0,100}>/gi;

/** A text as a page states it, on one line. Programs that write pages escape texts twice: `&amp;amp;`. */
export function stated(value: string | undefined): string {
  const text = collapse(value ?? "")
    .replace(inlineTags, "")
    .trim();
  return /&(?:#\d{1,6}|#x[\da-f]{1,5}|[a-z]{2,8});/i.test(text)
    ? decodeHTML(text).replace(inlineTags, "").trim()
    : text;
}
