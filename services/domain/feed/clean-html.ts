import { parseHtml } from "../../../reader/html/parse-html.ts";
import { type AlsoAllowed, toHtml } from "../../../reader/html/to-html.ts";
import {
  adopt,
  type ElementNode,
  isElement,
  newElement,
  type PageNode,
  TextNode,
} from "../../../reader/html/tree.ts";

/** Allowed in feeds but not in pages: audio and video, and pictures in several sizes. */
const media: AlsoAllowed = {
  elements: new Set(["video", "audio", "source", "track"]),
  attributes: new Set("srcset sizes poster controls loop muted type kind srclang media loading".split(" ")),
};
const addresses = ["href", "src", "poster", "cite", "srcset"];

/**
 * The HTML of a feed, safe to show: only known elements and attributes, without scripts, styles and handlers, and with
 * absolute links to the web or to mail addresses. A frame becomes a link to its page.
 */
export function cleanHtml(html: string, base: string): string {
  // A browser would take all up to the next tag's end for a comment.
  const root = parseHtml(html.replace(/<!(?!--|\[|doctype)/gi, "&lt;!"));
  cleanChildren(root, base);
  return toHtml(root, media);
}

function cleanChildren(parent: ElementNode, base: string): void {
  for (const child of parent.childNodes) {
    if (!isElement(child)) continue;
    for (const name of addresses) cleanAddress(child, name, base);
    cleanChildren(child, base);
  }
  if (parent.childNodes.some(isFrame)) adopt(parent, parent.childNodes.flatMap(withoutFrame));
}

function cleanAddress(element: ElementNode, name: string, base: string): void {
  const written = element.attributes.get(name);
  if (written === undefined) return;
  const address =
    name === "srcset" ? safeSources(written, base) : safeAddress(written, base, element.name === "img");
  if (address === undefined) element.attributes.delete(name);
  else element.attributes.set(name, address);
}

const picture = /^data:image\/(?:png|gif|jpe?g|webp|avif|bmp);/i;

/** Leaves absolute addresses as they are written. */
function safeAddress(written: string, base: string, isImage: boolean): string | undefined {
  const address = written.trim();
  if (address === "" || address.startsWith("#")) return address;
  if (isImage && picture.test(address)) return address;
  const url = URL.parse(address, base);
  if (!url || !/^(?:https?|mailto|tel|magnet):$/.test(url.protocol)) return undefined;
  return /^https?:\/\/[^\s\\]+$/i.test(address) ? address : url.href;
}

/** The candidates of `srcset` (HTML standard, 4.8.4.2.1): addresses, each with its size. */
function safeSources(written: string, base: string): string | undefined {
  const safe: string[] = [];
  const candidate = /[\s,]*(\S+)/y;
  for (let found = candidate.exec(written); found !== null; found = candidate.exec(written)) {
    const address = (found[1] ?? "").replace(/,+$/, "");
    // A comma inside an address belongs to it; after the address, or after its size, it ends the candidate.
    const comma = written.indexOf(",", candidate.lastIndex);
    const end = address !== found[1] ? candidate.lastIndex : comma < 0 ? written.length : comma;
    const size = written.slice(candidate.lastIndex, end).trim();
    candidate.lastIndex = end;
    const url = safeAddress(address, base, true);
    if (url) safe.push(`${url} ${size}`.trim());
  }
  return safe.length > 0 ? safe.join(", ") : undefined;
}

function isFrame(node: PageNode): node is ElementNode {
  return isElement(node) && node.name === "iframe";
}

function withoutFrame(node: PageNode): PageNode[] {
  if (!isFrame(node)) return [node];
  const url = node.getAttribute("src");
  if (!/^https?:/i.test(url)) return [];
  const link = newElement("a", { href: url }, []);
  link.childNodes.push(new TextNode(node.getAttribute("title") || url, link));
  return [link];
}
