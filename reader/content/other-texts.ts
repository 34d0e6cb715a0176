import { type ElementNode, findElement } from "../html/tree.ts";
import { endOf, isProse } from "./article-core.ts";
import { isCommenting } from "./furniture-words.ts";
import type { Frame, Outline, OutlinedBlock } from "./outline.ts";
import type { PageContext } from "./page-context.ts";

/** Drops other people's texts below an article: readers' comments, and the articles after the first. */
export function dropOtherTexts(outline: Outline, kept: readonly boolean[], page: PageContext): boolean[] {
  const result = [...kept];
  for (const frame of commentsOf(outline, kept, page)) result.fill(false, frame.firstBlock, endOf(frame));
  for (const frame of otherArticles(outline, page)) result.fill(false, frame.firstBlock, endOf(frame));
  return result;
}

/** Addresses of pages that people write together: what they say to each other is the content. */
const together =
  /forum|thread|topic|discuss|question|communit|board|\/t\/|\/r\/|comments\/|answers|\/issues?\/|\/pulls?\//i;
/** So many words of prose are kept before the comments on an article. */
const minArticle = 80;

/** The comments of readers. Where the page does not call itself an article, only those that are not most of its prose. */
function commentsOf({ blocks, frames }: Outline, kept: readonly boolean[], page: PageContext): Frame[] {
  const isArticle = /article/i.test(page.kind);
  if (together.test(page.url) || (page.kind !== "" && !isArticle)) return [];
  const proseBefore = new Uint32Array(blocks.length + 1);
  blocks.forEach((block, at) => {
    proseBefore[at + 1] = proseBefore[at]! + (kept[at] && isProse(block) ? block.shape.words : 0);
  });
  const least = isArticle ? minArticle : Math.max(minArticle, proseBefore[blocks.length]! / 2);
  const comments: Frame[] = [];
  const search = new CommentSearch(blocks);
  const prose = proseIn(blocks, kept);
  let done = 0;
  for (const frame of frames) {
    if (frame.firstBlock < done || proseBefore[frame.firstBlock]! < least || !search.isComments(frame))
      continue;
    if (isWithin(frame, prose)) continue;
    done = endOf(frame);
    comments.push(frame);
  }
  return comments;
}

/** Where the prose that is directly in an element begins and ends; that of its end is made as that of its beginning. */
interface Reach {
  first: Frame;
  last: number;
}

function proseIn(blocks: readonly OutlinedBlock[], kept: readonly boolean[]): Map<Frame, Reach> {
  const prose = new Map<Frame, Reach>();
  blocks.forEach((block, at) => {
    const { parent } = block.frame;
    if (parent === null || !kept[at] || !isProse(block)) return;
    const known = prose.get(parent);
    if (known === undefined) prose.set(parent, { first: block.frame, last: at });
    else if (known.first.signature === block.frame.signature) known.last = at;
  });
  return prose;
}

/** Whether the article goes on after an element, as a law does after an official comment. */
function isWithin(frame: Frame, prose: ReadonlyMap<Frame, Reach>): boolean {
  const own = frame.parent === null ? undefined : prose.get(frame.parent);
  return own !== undefined && own.first.firstBlock < frame.firstBlock && own.last >= endOf(frame);
}

const commentNames =
  /(?:^|[\s_-])(?:comments?|comment-?(?:list|area|section|wrap\w*)|respond|disqus\w*|fb-comments)(?:$|[\s_-])/i;
const whole = new Set(["body", "main", "article"]);

class CommentSearch {
  private readonly blocks: readonly OutlinedBlock[];
  /** Whether a block is the heading of comments: many elements begin with the same one. */
  private readonly headings = new Map<number, boolean>();
  /** Whether a class is that of comments: elements share theirs. */
  private readonly classes = new Map<string, boolean>();

  constructor(blocks: readonly OutlinedBlock[]) {
    this.blocks = blocks;
  }

  isComments(frame: Frame): boolean {
    const { name, attributes } = frame.element;
    if (whole.has(name)) return false;
    if (attributes.size > 0 && this.isNamed(attributes)) return true;
    return frame.blocks >= 3 && this.blocks[frame.firstBlock]!.frame !== frame && this.isHeaded(frame);
  }

  private isNamed(attributes: ReadonlyMap<string, string>): boolean {
    const [classes, id] = [attributes.get("class"), attributes.get("id")];
    if (id !== undefined && commentNames.test(id)) return true;
    if (classes === undefined) return false;
    let isOne = this.classes.get(classes);
    if (isOne === undefined) {
      isOne = commentNames.test(classes);
      this.classes.set(classes, isOne);
    }
    return isOne;
  }

  private isHeaded({ firstBlock }: Frame): boolean {
    let isOne = this.headings.get(firstBlock);
    if (isOne === undefined) {
      const { linkChars, text } = this.blocks[firstBlock]!;
      isOne = linkChars === 0 && isCommenting(text);
      this.headings.set(firstBlock, isOne);
    }
    return isOne;
  }
}

const [minTitle, sameTitle, headBlocks] = [8, 0.5, 12];

/**
 * Elements beside that of the article which the page is named after, made alike and with headings of the same level. Parts
 * of one text may be made so too: each of the others is an `article` of a page of articles, or has its own date, writer or page.
 */
function otherArticles({ blocks, frames }: Outline, page: PageContext): Frame[] {
  const own =
    blocks.find(({ headingLevel }) => headingLevel === 1) ??
    blocks.find(({ headingLevel }) => headingLevel === 2);
  if (own === undefined || !isTitle(own.text, page.title)) return [];
  let article: Frame | null = own.frame;
  while (article !== null && (article.twins === 1 || article.proseWords < minArticle))
    article = article.parent;
  if (article?.parent == null) return [];
  const { parent, signature, firstBlock, element } = article;
  const isNamed = /article/i.test(page.kind) && element.name === "article";
  const others = frames.filter(
    frame => frame.parent === parent && frame.signature === signature && frame.firstBlock > firstBlock,
  );
  const isArticle = (frame: Frame) => {
    const heading = blocks
      .slice(frame.firstBlock, Math.min(endOf(frame), frame.firstBlock + headBlocks))
      .find(({ headingLevel }) => headingLevel === own.headingLevel);
    return heading !== undefined && (isNamed || isSigned(frame.element) || leadsAway(heading, page.url));
  };
  return others.every(isArticle) ? others : [];
}

const signatureClass =
  /(?:^|[\s_-])(?:by-?line|author|(?:post|entry|pub(?:lish(?:ed)?)?)-?(?:date|meta)|dateline)(?:$|[\s_-])/i;

/** Whether a part of a page has a date or a writer of its own. */
function isSigned(part: ElementNode): boolean {
  const isSignature = ({ name, attributes }: ElementNode) =>
    name === "time" || signatureClass.test(attributes.get("class") ?? "");
  return findElement(part, isSignature) !== undefined;
}

/** Whether a heading is a link to another page. */
function leadsAway({ parent, linkChars }: OutlinedBlock, url: string): boolean {
  if (linkChars === 0) return false;
  const link = findElement(parent, ({ name }) => name === "a") ?? parent.parentNode;
  const address = link?.getAttribute("href").replace(/#.*$/s, "") ?? "";
  return address !== "" && address !== url.replace(/#.*$/s, "");
}

/** Whether a heading and a title are the same but for some words, such as the site's name. */
function isTitle(heading: string, title: string): boolean {
  const [shorter, longer] = [wordsOf(heading), wordsOf(title)].toSorted((a, b) => a.length - b.length);
  return shorter!.length >= Math.max(minTitle, sameTitle * longer!.length) && longer!.includes(shorter!);
}

function wordsOf(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, " ")
    .trim();
}
