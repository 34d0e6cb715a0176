import { parseHtml } from "../html/parse-html.ts";
import { toHtml } from "../html/to-html.ts";
import {
  adopt,
  type ElementNode,
  findElement,
  findElements,
  isElement,
  newElement,
  type PageNode,
  TextNode,
} from "../html/tree.ts";
import { pictureText } from "./office-package.ts";

const math =
  "math mrow mi mn mo ms mtext mspace msup msub msubsup mfrac msqrt mroot munder mover munderover mtable mtr mtd mstyle mfenced menclose mmultiscripts mprescripts none semantics annotation tex";
/** What the reader of pages knows and a page of others may not have; `style` says what is hidden. */
const also = {
  elements: new Set(math.split(" ")),
  attributes: new Set([
    "style",
    "hidden",
    "aria-hidden",
    "role",
    "display",
    "encoding",
    "alttext",
    "mathvariant",
  ]),
};

/** Gives the anchors of a page in a document names of their own, where several pages become one. */
export interface Anchors {
  /** The name of an element of this page, by its `id`. */
  ofElement(id: string): string;
  /** The name that an address within the document leads to. */
  ofLink(href: string): string | undefined;
}

/**
 * The body of a page that is within a document, as HTML. Addresses of the document's own parts lead nowhere outside: such
 * a link is its text, unless it leads to a note or back from it, and such a picture what is said of it.
 */
export function embeddedHtml(html: string, anchors?: Anchors): string {
  const tree = parseHtml(html);
  const body = findElement(tree, ({ name }) => name === "body") ?? tree;
  for (const link of findElements(body, ({ name }) => name === "a"))
    if (!isOutside(link.getAttribute("href"))) keepWithin(link, anchors);
  if (anchors)
    for (const element of findElements(body, ({ attributes }) => attributes.has("id")))
      element.attributes.set("id", anchors.ofElement(element.getAttribute("id")));
  for (const holder of [body, ...findElements(body, hasPicture)]) describePictures(holder);
  return toHtml(body, also);
}

/** A sign that leads to a note, or from it back. */
const noteSign =
  /^[\s[(]*(?:\d{1,4}|[*\u2020\u2021\u00a7]{1,3}|[\u21a9\u23ce^\u2191][\ufe0e\ufe0f]?)[\])\s.:]*$/;

function keepWithin(link: ElementNode, anchors: Anchors | undefined): void {
  const isNote = anchors !== undefined && noteSign.test(link.textContent.slice(0, 20));
  const name = isNote ? anchors.ofLink(link.getAttribute("href")) : undefined;
  if (name === undefined) link.attributes.delete("href");
  else link.attributes.set("href", `#${name}`);
}

function isOutside(address: string): boolean {
  return /^\s*(?:https?|mailto|tel):/i.test(address);
}

function hasPicture({ childNodes }: ElementNode): boolean {
  return childNodes.some(isPicture);
}

function isPicture(node: PageNode): node is ElementNode {
  return isElement(node) && (node.name === "img" || node.name === "image");
}

function describePictures(holder: ElementNode): void {
  const children = holder.childNodes.flatMap(child => {
    if (!isPicture(child) || isOutside(child.getAttribute("src"))) return [child];
    const text = pictureText(child.getAttribute("alt"));
    const emphasis = newElement("em", {}, []);
    adopt(emphasis, [new TextNode(text, emphasis)]);
    return text === "" ? [] : [emphasis];
  });
  adopt(holder, children);
}
