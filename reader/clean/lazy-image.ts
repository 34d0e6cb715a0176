import {
  adopt,
  type ElementNode,
  findElement,
  findElements,
  hasText,
  isElement,
  newElement,
  type PageNode,
  TextNode,
} from "../html/tree.ts";
import type { ResolveUrl } from "../page/page-links.ts";

const lazySources = [
  "data-src",
  "data-lazy-src",
  "data-original",
  "data-url",
  "data-image",
  "data-lazy",
  "data-hi-res-src",
];
const lazySets = ["data-srcset", "data-lazy-srcset", "srcset"];
const placeholder =
  /(?:^|[/_-])(?:placeholder|spacer|blank|loading|lazy|transparent|pixel|1x1|grey|gray)[^/]*\.(?:gif|png|svg|jpe?g|webp)/i;

/** How far before a `noscript` the image may be that it replaces. */
const maxBetween = 20;

/** Sets the URL that an image has once loaded. Returns false for data URLs and tracking pixels. */
export function mendImage(image: ElementNode, resolve: ResolveUrl): boolean {
  if (isPixel(image)) return false;
  for (const source of sources(image)) {
    const url = resolve(source);
    if (url === null) continue;
    image.attributes.set("src", url);
    return true;
  }
  return false;
}

const emojiClass = /(?:^|[\s_-])(?:emoji|emoticon|smiley|twemoji)(?:[\s_-]|$)/i;
const emojiAddress = /\/(?:tw)?emoji\//i;
const maxEmoji = 16;

/** The characters that a picture of an emoji or a smiley is for. */
export function emojiOf(image: ElementNode): TextNode[] | undefined {
  const { attributes, parentNode } = image;
  const alt = attributes.get("alt")?.trim() ?? "";
  if (parentNode === null || alt === "" || alt.length > maxEmoji) return undefined;
  const isEmoji = /\p{Extended_Pictographic}|\p{Regional_Indicator}/u.test(alt);
  const isNamed =
    emojiClass.test(attributes.get("class") ?? "") ||
    (isEmoji && emojiAddress.test(attributes.get("src")?.slice(0, 500) ?? ""));
  return isNamed && (isEmoji || !/\p{L}{3}/u.test(alt)) ? [new TextNode(alt, parentNode)] : undefined;
}

/** The image of a `picture`: its own, else the largest of its first source. */
export function pictureImage(picture: ElementNode, resolve: ResolveUrl): ElementNode[] {
  const image = findElement(picture, ({ name }) => name === "img");
  if (image !== undefined && mendImage(image, resolve)) {
    adopt(picture, [image]);
    return [picture];
  }
  for (const source of findElements(picture, ({ name }) => name === "source")) {
    const made = newElement(
      "img",
      { ...Object.fromEntries(source.attributes), alt: image?.getAttribute("alt") ?? "" },
      [],
    );
    if (!mendImage(made, resolve)) continue;
    adopt(picture, [made]);
    return [picture];
  }
  return [];
}

/** A `noscript` is useful only if it has the image that a script would have put before it. */
export function fallbackImage(noscript: ElementNode, before: PageNode[], resolve: ResolveUrl): PageNode[] {
  const image = findElement(noscript, ({ name }) => name === "img");
  if (image === undefined || !mendImage(image, resolve)) return [];
  const previous = before.slice(-maxBetween).findLast(isElement);
  const shown = previous && firstImage(previous);
  return shown?.getAttribute("src") === image.getAttribute("src") ? [] : [image];
}

const firstImages = new WeakMap<ElementNode, ElementNode | null>();

/** The first image of a cleaned element, which many a `noscript` may follow. */
function firstImage(element: ElementNode): ElementNode | null {
  const known = firstImages.get(element);
  if (known !== undefined) return known;
  const isImage = ({ name }: ElementNode) => name === "img";
  const first = isImage(element) ? element : (findElement(element, isImage) ?? null);
  firstImages.set(element, first);
  return first;
}

/** URLs in order of trust: first what a script would load, unless the page already shows a real image. */
function sources(image: ElementNode): string[] {
  const shown = image.getAttribute("src").trim();
  const { attributes } = image;
  const lazy: string[] = [];
  for (const name of lazySources) {
    const address = attributes.get(name)?.trim() ?? "";
    if (isAddress(address)) lazy.push(address);
  }
  const isReal = shown !== "" && !shown.startsWith("data:") && !placeholder.test(shown);
  if (isReal) return [lazy[0] ?? shown, shown];
  const sets = lazySets.flatMap(name => largest(image.getAttribute(name)));
  return [...lazy, ...sets, ...(shown.startsWith("data:") ? [] : [shown])].filter(isAddress);
}

/** All that an image may show: its `src`, what a script would load in its place, and the largest of each set. */
export function imageSources(image: ElementNode): string[] {
  if (isPixel(image)) return [];
  const shown = image.getAttribute("src").trim();
  const lazy = lazySources.map(name => image.getAttribute(name).trim());
  const sets = lazySets.flatMap(name => largest(image.getAttribute(name)));
  return [...(placeholder.test(shown) ? [] : [shown]), ...lazy, ...sets].filter(isAddress);
}

function isAddress(value: string): boolean {
  return value !== "" && !/^[[{#]/.test(value) && !value.startsWith("data:");
}

/** The candidate of a `srcset` with the greatest width or density (HTML, image candidate strings). */
function largest(srcset: string): string[] {
  let best: { url: string; size: number } | undefined;
  for (const [, url, size] of srcset
    .slice(0, 10_000)
    .matchAll(/([^\s,](?:\S*[^\s,])?)(?:\s+([\d.]+)[wx])?\s*(?:,|$)/g)) {
    const value = Number(size ?? 1);
    if (url !== undefined && (best === undefined || value > best.size)) best = { url, size: value };
  }
  return best === undefined ? [] : [best.url];
}

function isPixel(image: ElementNode): boolean {
  return isLine(image.attributes.get("width")) || isLine(image.attributes.get("height"));
}

function isLine(size: string | undefined): boolean {
  return size !== undefined && size !== "" && Number.parseInt(size, 10) <= 1;
}

/** What an icon says that is all there is in a cell of a table: yes or no. */
export function iconInCell(icon: ElementNode): TextNode[] | undefined {
  const { attributes, parentNode } = icon;
  if (attributes.get("role") !== "img" || parentNode === null) return undefined;
  if (parentNode.name !== "td" && parentNode.name !== "th") return undefined;
  const label = attributes.get("aria-label")?.trim() ?? "";
  return label === "" || hasText(parentNode) ? undefined : [new TextNode(label, parentNode)];
}
