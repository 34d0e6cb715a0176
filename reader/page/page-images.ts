import { imageSources } from "../clean/lazy-image.ts";
import { type ElementNode, isElement, walk } from "../html/tree.ts";
import type { ResolveUrl } from "./page-links.ts";

/**
 * Every image of the page: absolute, http or https, distinct, in document order. Of an image in several sizes the largest
 * one, besides the one that it shows. Without images inside the page's own text (`data:`) and those that count visitors.
 */
export function findImages(root: ElementNode, resolve: ResolveUrl): string[] {
  const images = new Set<string>();
  walk(root, node => {
    if (!isElement(node)) return false;
    for (const source of sourcesOf(node)) {
      const url = resolve(source);
      if (url?.startsWith("http")) images.add(url);
    }
    return true;
  });
  return [...images];
}

function sourcesOf(element: ElementNode): string[] {
  switch (element.name) {
    case "img":
    case "amp-img":
      return imageSources(element);
    case "source":
      return element.parentNode?.name === "picture" ? imageSources(element) : [];
    case "video":
      return [element.getAttribute("poster").trim()].filter(poster => poster !== "");
    case "meta":
      return ofGraph.has(element.getAttribute("property")) ? [element.getAttribute("content").trim()] : [];
    default:
      return [];
  }
}

/** The images that a page names for where it is shared (OpenGraph). */
const ofGraph = new Set(["og:image", "og:image:url", "og:image:secure_url"]);
