import { collapse } from "./collapse.ts";
import type { ResolveUrl } from "./page-url.ts";
import { type ElementNode, findElement, isElement, walk } from "./tree.ts";

/** What a page says of itself. */
export interface PageFacts {
  title: string;
  description: string | null;
  /** BCP 47 tag as the page declares it. */
  language: string | null;
  canonical_url: string | null;
  /** OpenGraph properties without their `og:` prefix; of a repeated one the first. */
  og: Record<string, string>;
}

/** Reads the facts from `<head>` wherever it stands; OpenGraph (ogp.me) comes before plain HTML for the title. */
export function readMetadata(root: ElementNode, resolve: ResolveUrl): PageFacts {
  const { metas, links, title } = headElements(root);
  const og = openGraph(metas);
  const named = (name: string) => metas.find(meta => meta.getAttribute("name").toLowerCase() === name);
  const content = (meta: ElementNode | undefined) => text(meta?.getAttribute("content")) || null;
  const html = findElement(root, ({ name }) => name === "html");
  const equiv = metas.find(meta => meta.getAttribute("http-equiv").toLowerCase() === "content-language");
  const canonical = links.find(link => /(?:^|\s)canonical(?:\s|$)/i.test(link.getAttribute("rel")));
  return {
    title: og.title || text(title?.textContent) || firstHeading(root),
    description:
      content(named("description")) ?? (og.description || null) ?? content(named("twitter:description")),
    language: languageOf(html, content(equiv), og.locale),
    canonical_url: webAddress(canonical?.getAttribute("href"), resolve) ?? webAddress(og.url, resolve),
    og,
  };
}

function headElements(root: ElementNode): {
  metas: ElementNode[];
  links: ElementNode[];
  title?: ElementNode;
} {
  const metas: ElementNode[] = [];
  const links: ElementNode[] = [];
  let title: ElementNode | undefined;
  walk(root, node => {
    if (!isElement(node)) return false;
    if (node.name === "meta") metas.push(node);
    else if (node.name === "link") links.push(node);
    else if (node.name === "title") title ??= node;
    return true;
  });
  return title === undefined ? { metas, links } : { metas, links, title };
}

function openGraph(metas: ElementNode[]): Record<string, string> {
  const og: Record<string, string> = {};
  for (const meta of metas) {
    const property = (meta.getAttribute("property") || meta.getAttribute("name")).trim().toLowerCase();
    if (!property.startsWith("og:")) continue;
    const key = property.slice(3);
    const value = text(meta.getAttribute("content"));
    if (key !== "" && key !== "__proto__" && value !== "" && !Object.hasOwn(og, key)) og[key] = value;
  }
  return og;
}

function languageOf(html: ElementNode | undefined, header: string | null, locale?: string): string | null {
  const stated =
    html?.getAttribute("lang") || html?.getAttribute("xml:lang") || header?.split(",")[0] || locale || "";
  const tag = stated.trim().replaceAll("_", "-");
  return /^[a-zA-Z]{2,8}(?:-[a-zA-Z0-9]{1,8})*$/.test(tag) ? tag : null;
}

function webAddress(address: string | undefined, resolve: ResolveUrl): string | null {
  const url = address?.trim() ? resolve(address) : null;
  return url?.startsWith("http") ? url : null;
}

function firstHeading(root: ElementNode): string {
  return text(findElement(root, ({ name }) => name === "h1")?.textContent);
}

function text(value: string | undefined): string {
  return collapse(value ?? "").trim();
}
