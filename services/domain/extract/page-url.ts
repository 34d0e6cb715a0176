import { type ElementNode, findElement } from "./tree.ts";

/** Makes an address of the page absolute; null when it is none that a reader may follow. */
export type ResolveUrl = (address: string) => string | null;

const cleanPath = /^\/(?!\/)(?:[\w\-~%$+=@,;:!*]|\.(?!\.?(?:\/|$)))[\w\-~%$+=@,;:!*/.?&#]*$/;
const cleanUrl = /^https?:\/\/(?:[a-z0-9-]+\.)+[a-z]+\/[\w\-~%$+=@,;:!*/?&#]*(?:\.[\w\-~%$+=@,;:!*?&#]+)*$/;
const unsafe = new Set(["javascript:", "vbscript:", "data:", "blob:", "about:", "file:"]);

/** Resolves against `<base href>` of the page, which itself is resolved against the page's final URL. */
export function urlResolver(root: ElementNode, pageUrl: string): ResolveUrl {
  const declared = findElement(root, ({ name, attributes }) => name === "base" && attributes.has("href"));
  const base = (declared && URL.parse(declared.getAttribute("href").trim(), pageUrl)) ?? URL.parse(pageUrl);
  const origin = base !== null && base.origin !== "null" ? base.origin : null;
  const known = new Map<string, string | null>();
  return address => {
    if (cleanUrl.test(address)) return address;
    if (origin !== null && cleanPath.test(address) && !address.includes("/.")) return origin + address;
    let resolved = known.get(address);
    if (resolved === undefined) {
      resolved = resolve(address, base);
      known.set(address, resolved);
    }
    return resolved;
  };
}

function resolve(address: string, base: URL | null): string | null {
  const url = URL.parse(address.trim(), base ?? undefined);
  return url === null || unsafe.has(url.protocol) ? null : url.href;
}
