import { decodeHTML } from "entities";
import { parseHtml } from "../html/parse-html.ts";
import { plainText } from "../html/plain-text.ts";
import {
  adopt,
  type ElementNode,
  findElements,
  isBlock,
  isElement,
  newElement,
  TextNode,
} from "../html/tree.ts";

const minLength = 500;
const maxLength = 1_000_000;
/** How many times as long as what is shown the article must be. */
const muchLonger = 2;
const maxBlocks = 200;
const minRepeated = 20;

/**
 * The content of a page with the article that its JSON-LD has (`articleBody`), where that is much longer than what the page
 * shows: after the heading, in place of the blocks that are a part of it.
 */
export function withStatedArticle(main: ElementNode, article: string): ElementNode {
  if (article.length < minLength || article.length > maxLength) return main;
  const shown = plainText(main).length;
  if (article.length < muchLonger * shown) return main;
  const paragraphs = paragraphsOf(article);
  const length = paragraphs.reduce((sum, paragraph) => sum + paragraph.length, 0);
  if (length < minLength || length < muchLonger * shown) return main;
  const stated = newElement("div", {}, paragraphs.map(paragraphElement));
  if (putInPlace(stated, repeatedBlocks(main, squeeze(paragraphs.join(" "))))) return main;
  return newElement("div", {}, [main, stated]);
}

/** The paragraphs of a text, which may be HTML. */
function paragraphsOf(article: string): string[] {
  const isHtml = /<\/?(?:p|br|div|span|a|h[1-6]|ul|li|strong|em|b|i)\b[^<>]{0,500}>/i.test(article);
  const text = isHtml ? plainText(parseHtml(article)) : decodeHTML(article);
  return text
    .split(/[\r\n\u2028\u2029]+/)
    .map(line => line.replace(/\s+/g, " ").trim())
    .filter(line => line !== "");
}

function paragraphElement(text: string): ElementNode {
  const paragraph = newElement("p", {}, []);
  paragraph.childNodes.push(new TextNode(text, paragraph));
  return paragraph;
}

/** The first blocks that repeat a part of the article: a teaser, cut off perhaps. */
function repeatedBlocks(main: ElementNode, article: string): ElementNode[] {
  const isLeaf = ({ childNodes }: ElementNode) =>
    !childNodes.some(child => isElement(child) && isBlock(child.name));
  const leaves = findElements(
    main,
    element => element.name !== "h1" && isBlock(element.name) && isLeaf(element),
  );
  return leaves.slice(0, maxBlocks).filter(({ textContent }) => {
    const text = squeeze(textContent.trim().replace(/(?:…|\.\.\.|\[…\])$/, ""));
    return text.length >= minRepeated && article.includes(text);
  });
}

/** Removes the blocks, and puts an element where the first was. */
function putInPlace(stated: ElementNode, [first, ...others]: ElementNode[]): boolean {
  const parent = first?.parentNode;
  if (first === undefined || parent == null) return false;
  for (const block of others) {
    const holder = block.parentNode;
    if (holder !== null)
      adopt(
        holder,
        holder.childNodes.filter(child => child !== block),
      );
  }
  adopt(
    parent,
    parent.childNodes.map(child => (child === first ? stated : child)),
  );
  return true;
}

function squeeze(text: string): string {
  return text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, "");
}
