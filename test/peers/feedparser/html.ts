import { type DefaultTreeAdapterMap, parseFragment } from "parse5";

type Node = DefaultTreeAdapterMap["childNode"];

/** The words of HTML, by another parser than the product's. */
export function plainText(html: string): string {
  return parseFragment(html).childNodes.map(textIn).join("");
}

function textIn(node: Node): string {
  if ("value" in node) return node.value;
  return "childNodes" in node ? node.childNodes.map(textIn).join("") : "";
}

const addresses = new Set(["href", "src"]);

/** HTML in one form: ordered attributes, absolute addresses, single spaces, no `div` around it (RFC 4287, 3.1.1.3). */
export function canonicalHtml(html: string, url: string): string {
  const { childNodes } = parseFragment(html.trim());
  const [only] = childNodes;
  const isWrapped = childNodes.length === 1 && only !== undefined && only.nodeName === "div";
  const inner = isWrapped && "childNodes" in only ? only.childNodes : childNodes;
  return inner
    .map(node => written(node, url))
    .join("")
    .replace(/\s+/g, " ")
    .trim();
}

function written(node: Node, url: string): string {
  if ("value" in node) return node.value.replaceAll("<", "&lt;");
  if (!("attrs" in node)) return "";
  const attributes = node.attrs
    .map(({ name, value }) => [name, addresses.has(name) ? (URL.parse(value, url)?.href ?? value) : value])
    .map(([name, value]) => ` ${name}="${value}"`)
    .sort()
    .join("");
  const inner = node.childNodes.map(child => written(child, url)).join("");
  return `<${node.tagName}${attributes}>${inner}</${node.tagName}>`;
}
