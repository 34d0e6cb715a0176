import { adopt, type ElementNode, findElement, hasText, newElement, TextNode } from "../html/tree.ts";

/** Classes that generators of documentation give to a note beside the text; `callout` counts with its attribute only. */
export const admonitionClass =
  /(?:^|\s)(?:(?:theme-)?admonition|admonitionblock|markdown-alert|custom-block|starlight-aside|confluence-information-macro)(?:\s|$)/;
const holders = new Set(["div", "aside", "section", "details"]);

/**
 * Whether an element is an admonition: of GitHub, Docusaurus, Sphinx, MkDocs, VitePress, Starlight, Asciidoctor,
 * Confluence or Obsidian.
 */
export function isAdmonition({ name, attributes }: ElementNode): boolean {
  if (attributes.size === 0 || !holders.has(name)) return false;
  const classes = attributes.get("class");
  return classes !== undefined && (admonitionClass.test(classes) || attributes.has("data-callout"));
}

const titleClass = /(?:^|[\s_-])(?:title|admonition-?heading|heading)(?:[\s_-]|$)|admonitionHeading/i;
const maxTitle = 120;

/** A quote that begins with the title, or the kind where there is none: `> **Note**`. Nothing if it has no text. */
export function quoteAdmonition(element: ElementNode): ElementNode[] {
  const title = takeTitle(element) ?? kindOf(element);
  if (!hasText(element) && title === undefined) return [];
  const { childNodes } = findElement(element, isContentCell) ?? element;
  const quote = newElement("blockquote", Object.fromEntries(element.attributes), childNodes);
  if (title === undefined) return [quote];
  const strong = newElement("strong", {}, []);
  adopt(strong, [new TextNode(title, strong)]);
  adopt(quote, [newElement("p", {}, [strong]), ...quote.childNodes]);
  return [quote];
}

/** Asciidoctor arranges icon and text in a table. */
function isContentCell({ name, attributes }: ElementNode): boolean {
  return name === "td" && attributes.get("class") === "content";
}

/** Takes the title out of an admonition that begins with one. */
function takeTitle(element: ElementNode): string | undefined {
  const title = findElement(element, isTitle);
  const holder = title?.parentNode;
  if (title === undefined || holder === null || holder === undefined) return undefined;
  const text = title.textContent.replace(/\s+/g, " ").trim();
  if (text === "" || text.length > maxTitle || !beginsWith(element, text)) return undefined;
  adopt(
    holder,
    holder.childNodes.filter(child => child !== title),
  );
  return kinds.has(text.toLowerCase()) ? capitalised(text) : text;
}

function isTitle({ name, attributes }: ElementNode): boolean {
  return name === "summary" || titleClass.test(attributes.get("class") ?? "");
}

function beginsWith({ textContent }: ElementNode, text: string): boolean {
  return textContent
    .slice(0, 20 * maxTitle)
    .replace(/\s+/g, " ")
    .trimStart()
    .startsWith(text);
}

const kinds = new Set(
  (
    "note info tip hint important warning caution danger attention error success question failure bug example abstract " +
    "todo seealso quote summary tldr check done"
  ).split(" "),
);

/** The kind that its label or a class names: `markdown-alert-tip`, `admonition warning`. */
function kindOf({ attributes }: ElementNode): string | undefined {
  const label = attributes.get("aria-label")?.trim() ?? "";
  if (label !== "" && label.length <= maxTitle) return capitalised(label);
  const names = `${attributes.get("data-callout") ?? ""} ${attributes.get("class") ?? ""}`;
  const kind = names
    .toLowerCase()
    .split(/[\s_-]+/)
    .find(part => kinds.has(part));
  return kind === undefined ? undefined : capitalised(kind);
}

function capitalised(text: string): string {
  const rest = text === text.toUpperCase() ? text.slice(1).toLowerCase() : text.slice(1);
  return text.charAt(0).toUpperCase() + rest;
}
