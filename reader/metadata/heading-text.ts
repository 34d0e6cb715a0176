import { collapse } from "../html/plain-text.ts";
import { type ElementNode, isText, type PageNode } from "../html/tree.ts";

const silent = new Set(["button", "small", "script", "style", "template", "svg", "select", "noscript"]);
const notes = /(?:^|\s)(?:(?:mw-)?edit-?section|tooltip)(?:$|\s)/i;
const anchors =
  /(?:^|\s)(?:headerlink|header-link|heading-link|header-anchor|anchor|anchor-link|anchorjs-link|hash-link|permalink)(?:$|\s)/i;
/** Characters that nobody sees, and the sign of a link to the heading itself at its end. */
const unseen = /[\u200b-\u200d\u2060\ufeff\u00ad]/g;
const sign = /\s*[¶§]\s*$/;

/** What a heading says, without its buttons, notes and links to itself; empty where it is longer. */
export function headingText(heading: ElementNode, maxLength: number): string {
  let text = "";
  const read = (node: PageNode): void => {
    if (text.length > maxLength) return;
    if (isText(node)) text += node.text;
    else if (!isTool(node)) {
      text += " ";
      node.childNodes.forEach(read);
      text += " ";
    }
  };
  heading.childNodes.forEach(read);
  const plain = collapse(text.replace(unseen, "")).replace(/ {2,}/g, " ").replace(sign, "").trim();
  return plain.length > maxLength ? "" : plain;
}

/** A link to a place of the page itself may hold the whole heading; one with a sign alone says nothing. */
function isTool(element: ElementNode): boolean {
  const { name, attributes } = element;
  if (silent.has(name)) return true;
  if (attributes.size === 0) return false;
  const classes = attributes.get("class") ?? "";
  if (notes.test(classes)) return true;
  const isLinked = name === "a" && attributes.get("href")?.startsWith("#") === true;
  return (isLinked || anchors.test(classes)) && !isWords(element);
}

function isWords({ textContent }: ElementNode): boolean {
  const text = textContent.slice(0, 500).trim();
  return /[\p{L}\p{N}]{2}/u.test(text) && !/^(?:permalink|permanent link|link|anchor|edit)$/i.test(text);
}

/** Whether a heading is wholly a link to the start page, as the name of a site is. */
export function isLinkHome(heading: ElementNode, host: string): boolean {
  const shown = heading.childNodes.filter(node => !isText(node) || node.text.trim() !== "");
  const [only] = shown;
  if (shown.length !== 1 || only === undefined || isText(only)) return false;
  if (only.name !== "a") return isLinkHome(only, host);
  const href = (only.attributes.get("href") ?? "").trim().toLowerCase();
  return (
    /^(?:\.?\/|\/?index\.\w{3,4})$/.test(href) ||
    [`http://${host}`, `https://${host}`, `http://www.${host}`, `https://www.${host}`].includes(
      href.replace(/\/$/, ""),
    )
  );
}
