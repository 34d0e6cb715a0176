import type { ResolveUrl } from "./page-url.ts";
import { type ElementNode, isElement, walk } from "./tree.ts";

/**
 * Every address that the page links to: absolute, http or https, distinct, in document order. Links into the page
 * itself are left out.
 */
export function findLinks(root: ElementNode, resolve: ResolveUrl, pageUrl: string): string[] {
  const links = new Set<string>();
  const self = withoutFragment(URL.parse(pageUrl)?.href ?? pageUrl);
  walk(root, node => {
    if (isElement(node) && (node.name === "a" || node.name === "area") && node.attributes.has("href")) {
      const href = node.getAttribute("href").trim();
      const url = href.startsWith("#") ? null : resolve(href);
      if (url?.startsWith("http") && !(url.includes("#") && withoutFragment(url) === self)) links.add(url);
    }
    return true;
  });
  return [...links];
}

function withoutFragment(url: string): string {
  const at = url.indexOf("#");
  return at < 0 ? url : url.slice(0, at);
}
