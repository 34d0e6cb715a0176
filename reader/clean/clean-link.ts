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
import { mendImage } from "./lazy-image.ts";

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
const playerNames: Record<string, string> = {
  iframe: "Frame",
  "amp-iframe": "Frame",
  video: "Video",
  "amp-video": "Video",
  "amp-youtube": "Video",
  "amp-vimeo": "Video",
  "amp-dailymotion": "Video",
  "amp-twitter": "Post",
  audio: "Audio",
  "amp-audio": "Audio",
  embed: "Object",
  object: "Object",
};

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

/** Elements of AMP that are no content: advertisements, counters, and what opens beside the page. */
const beside =
  /^amp-(?:ad|auto-ads|sticky-ad|embed|analytics|pixel|sidebar|consent|user-notification|social-share|lightbox-gallery|app-banner)$/;
const videos: Record<string, readonly [attribute: string, before: string]> = {
  "amp-youtube": ["data-videoid", "https://www.youtube.com/watch?v="],
  "amp-vimeo": ["data-videoid", "https://vimeo.com/"],
  "amp-dailymotion": ["data-videoid", "https://www.dailymotion.com/video/"],
  "amp-twitter": ["data-tweetid", "https://twitter.com/i/status/"],
};

/** The picture, player or frame that an element of AMP is; undefined for one whose content counts. */
export function ampContent(element: ElementNode, resolve: ResolveUrl): PageNode[] | undefined {
  const { name, attributes } = element;
  if (name === "amp-img" || name === "amp-anim") {
    const image = newElement("img", Object.fromEntries(attributes), []);
    return mendImage(image, resolve) ? [image] : [];
  }
  if (beside.test(name)) return [];
  const [attribute, before] = videos[name] ?? [];
  if (attribute !== undefined) {
    const id = element.getAttribute(attribute);
    if (!/^[\w-]{1,40}$/.test(id)) return undefined;
    return player(
      newElement(name, { src: `${before}${id}`, title: element.getAttribute("title") }, []),
      resolve,
    );
  }
  const isPlayer = /^amp-(?:video|audio|iframe|video-iframe)$/.test(name);
  return isPlayer ? player(element, resolve) : undefined;
}

interface ObjectPlace {
  address: string;
  /** Whether it is in another object, which is searched as a whole. */
  isInner: boolean;
  resolve: ResolveUrl;
}

/** What an object shows in place of a document that a browser may not show, with the way to the document. */
export function objectContent(object: ElementNode, { address, isInner, resolve }: ObjectPlace): PageNode[] {
  const document = address;
  if (isInner && object.childNodes.findLast(isElement) !== undefined) return object.childNodes;
  const holds = (name: string) => findElement(object, element => element.name === name) !== undefined;
  if (holds("img") || holds("a") || holds("table")) return object.childNodes;
  const type = object.getAttribute("type");
  if (/^image\//i.test(type) || /\.(?:svg|png|jpe?g|gif|webp)(?:[?#]|$)/i.test(document.slice(-200))) {
    const url = resolve(document);
    const alt = object.textContent.replace(/\s+/g, " ").trim() || object.getAttribute("aria-label");
    return url?.startsWith("http") ? [newElement("img", { src: url, alt }, [])] : object.childNodes;
  }
  const named = { title: object.getAttribute("title"), "aria-label": object.getAttribute("aria-label") };
  const link = player(newElement("object", { ...named, src: document }, []), resolve);
  return hasText(object) ? [...object.childNodes, ...link] : link;
}

/** The address of what an object shows. */
export function objectAddress(object: ElementNode): string {
  return object.getAttribute("data") || movieIn(object)?.getAttribute("src") || "";
}

/** An object in it has a movie of its own. */
function movieIn(element: ElementNode): ElementNode | undefined {
  for (const child of element.childNodes) {
    if (!isElement(child) || child.name === "object") continue;
    const isMovie = child.name === "embed" && child.attributes.has("src");
    const movie = isMovie ? child : movieIn(child);
    if (movie !== undefined) return movie;
  }
  return undefined;
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
