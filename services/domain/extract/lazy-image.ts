import type { ResolveUrl } from "./page-url.ts";
import type { ElementNode } from "./tree.ts";

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

/** Gives an image the address that it would have once loaded. False for what is none: data, tracking pixels. */
export function mendImage(image: ElementNode, resolve: ResolveUrl): boolean {
  if (isPixel(image)) return false;
  const url = sources(image)
    .map(source => resolve(source))
    .find(source => source !== null);
  if (url === undefined || url === null) return false;
  image.attributes.set("src", url);
  return true;
}

/** Addresses in order of trust: what a script would load, unless the page already shows a real image. */
function sources(image: ElementNode): string[] {
  const shown = image.getAttribute("src").trim();
  const lazy = lazySources.map(name => image.getAttribute(name).trim()).filter(isAddress);
  const sets = lazySets.flatMap(name => largest(image.getAttribute(name)));
  const isReal = shown !== "" && !shown.startsWith("data:") && !placeholder.test(shown);
  return isReal
    ? [lazy[0] ?? shown, shown]
    : [...lazy, ...sets, ...(shown.startsWith("data:") ? [] : [shown])].filter(isAddress);
}

function isAddress(value: string): boolean {
  return value !== "" && !/^[[{]/.test(value) && !value.startsWith("data:");
}

/** The candidate of a `srcset` with the greatest width or density (HTML, image candidate strings). */
function largest(srcset: string): string[] {
  let best: { url: string; size: number } | undefined;
  for (const [, url, size] of srcset
    .slice(0, 10_000)
    .matchAll(/([^\s,]\S*[^\s,])(?:\s+([\d.]+)[wx])?\s*(?:,|$)/g)) {
    const value = Number(size ?? 1);
    if (url !== undefined && (best === undefined || value > best.size)) best = { url, size: value };
  }
  return best === undefined ? [] : [best.url];
}

function isPixel(image: ElementNode): boolean {
  const [width, height] = ["width", "height"].map(name =>
    Number.parseInt(image.getAttribute(name) || "99", 10),
  );
  return (width ?? 99) <= 1 || (height ?? 99) <= 1;
}
