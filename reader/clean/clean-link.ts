import {
  adopt,
  type ElementNode,
  findElement,
  hasText,
  isBlock,
  isElement,
  newElement,
  type PageNode,
  TextNode,
} from "../html/tree.ts";
import type { ResolveUrl } from "../page/page-links.ts";

/** Links to their own heading and links that skip to the content are for the browser only. */
export function cleanLink(link: ElementNode, resolve: ResolveUrl): ElementNode | PageNode[] {
  if (link.getAttribute("href").startsWith("#")) {
    if (isSkipLink(link)) return [];
    const text = link.textContent.trim();
    if (/^h[1-6]$/.test(link.parentNode?.name ?? ""))
      return /[\p{L}\p{N}]/u.test(text) ? link.childNodes : [];
  }
  const href = link.attributes.has("href") ? resolve(link.getAttribute("href")) : null;
  if (href === null) return link.childNodes;
  link.attributes.set("href", href);
  return liftLink(link);
}

/** Whether a link skips to the content, for those who do not see the page. */
export function isSkipLink(link: ElementNode): boolean {
  return link.getAttribute("href").startsWith("#") && /^skip\b/i.test(link.textContent.trim());
}

/** The class of a paragraph that is the link to a player or frame. */
export const playerClass = "magpie-player";
const playerNames: Record<string, string> = { iframe: "Frame", video: "Video", audio: "Audio" };

/** Players and frames become links to their document; advertisements and frames of one pixel are removed. */
export function player(element: ElementNode, resolve: ResolveUrl): PageNode[] {
  const source = findElement(element, ({ name, attributes }) => name === "source" && attributes.has("src"));
  const address =
    element.getAttribute("src") || element.getAttribute("data-src") || source?.getAttribute("src") || "";
  const url = address === "" ? null : resolve(address);
  if (
    !url?.startsWith("http") ||
    isTiny(element) ||
    /googletagmanager|doubleclick|adsystem|recaptcha/.test(url)
  )
    return [];
  const label =
    element.getAttribute("title") || element.getAttribute("aria-label") || playerNames[element.name] || "";
  const link = newElement("a", { href: url }, []);
  link.childNodes.push(new TextNode(label, link));
  return [newElement("p", { class: playerClass }, [link])];
}

function isTiny(element: ElementNode): boolean {
  return (
    /^[01](?:px)?$/.test(element.getAttribute("width")) ||
    /^[01](?:px)?$/.test(element.getAttribute("height"))
  );
}

const headings = new Set(["h1", "h2", "h3", "h4", "h5", "h6"]);

/**
 * Markdown has no link around a whole card: its heading gets the link, and the rest follows it. In a link around blocks
 * without a heading, the first block with text of its own gets the link.
 */
function liftLink(link: ElementNode): ElementNode | PageNode[] {
  if (!holdsBlock(link)) return link;
  const target = findElement(link, ({ name }) => headings.has(name)) ?? findElement(link, isTextBlock);
  if (target === undefined) return link;
  adopt(target, [newElement("a", Object.fromEntries(link.attributes), target.childNodes)]);
  return link.childNodes;
}

function holdsBlock(element: ElementNode): boolean {
  return findElement(element, ({ name }) => isBlock(name)) !== undefined;
}

function isTextBlock(element: ElementNode): boolean {
  return isBlock(element.name) && !holdsBlock(element) && element.textContent.trim() !== "";
}

const kinds = new Map([
  ["b", "strong"],
  ["strong", "strong"],
  ["i", "em"],
  ["em", "em"],
  ["s", "del"],
  ["strike", "del"],
  ["del", "del"],
]);
/** Blocks that have no emphasis: headings are bold anyway, code is verbatim. */
const plain = new Set("h1 h2 h3 h4 h5 h6 pre hr table ul ol dl iframe video audio".split(" "));

/** The kind of emphasis of an element; `b` and `strong` are of one kind. */
export function emphasisOf(element: ElementNode): string | undefined {
  return kinds.get(element.name);
}

/**
 * Markdown has no emphasis around blocks: each block with text of its own gets it, and each run of text between them.
 * Returns the content; emphasis around a line of text stays as it is.
 */
export function spreadEmphasis(element: ElementNode): PageNode[] {
  if (!holdsBlock(element)) return [element];
  return spread(element, element);
}

function spread(parent: ElementNode, emphasis: ElementNode): PageNode[] {
  const result: PageNode[] = [];
  let run: PageNode[] = [];
  const endRun = (): void => {
    const wrapper = newElement(emphasis.name, Object.fromEntries(emphasis.attributes), run);
    result.push(...(run.length > 0 && hasText(wrapper) ? [wrapper] : run));
    run = [];
  };
  for (const child of parent.childNodes) {
    if (!isElement(child) || !(isBlock(child.name) || holdsBlock(child))) {
      run.push(child);
      continue;
    }
    endRun();
    if (!plain.has(child.name) || child.name === "ul" || child.name === "ol")
      adopt(child, plain.has(child.name) ? items(child, emphasis) : spread(child, emphasis));
    result.push(child);
  }
  endRun();
  return result;
}

function items(list: ElementNode, emphasis: ElementNode): PageNode[] {
  for (const item of list.childNodes) if (isElement(item)) adopt(item, spread(item, emphasis));
  return list.childNodes;
}
