import { parseHTML } from "linkedom";
import type { Stated } from "./labels.ts";
import type { LinkedNode } from "./linked-data.ts";

/** A document and what is worked out of it once. */
export interface Page {
  document: Document;
  url: string;
  /** What relative addresses are relative to. */
  base: string;
  /** Language tag as the page declares it, or empty. */
  language: string;
  /** Filled on first use: JSON-LD of the page, microdata and labels below an element. */
  jsonld?: LinkedNode[];
  microdata: WeakMap<Element, LinkedNode[]>;
  labels: WeakMap<Element, Map<string, Stated>>;
}

/** As deep as browsers nest; what looks upwards from each element stays linear in the size of the page. */
const maxDepth = 512;

/**
 * Parses HTML. linkedom makes the first element the root, so text without an `html` element is wrapped in one. What
 * nests deeper than 512 levels is cut off.
 */
export function parseDocument(html: string): Document {
  const whole = /<html[\s>]/i.test(html) ? html : `<html><body>${html}</body></html>`;
  const document = parseHTML(whole).document as unknown as Document;
  cutDepth(document.documentElement);
  return document;
}

function cutDepth(root: Element): void {
  let at: Element | null = root;
  let depth = 0;
  while (at) {
    if (depth === maxDepth) at.replaceChildren();
    const child: Element | null = at.firstElementChild;
    if (child) {
      at = child;
      depth += 1;
      continue;
    }
    while (at && at !== root && !at.nextElementSibling) {
      at = at.parentElement;
      depth -= 1;
    }
    at = at && at !== root ? at.nextElementSibling : null;
  }
}

export function toPage(document: Document, url: string): Page {
  const base = document.querySelector("base[href]")?.getAttribute("href") ?? "";
  const language = document.documentElement?.getAttribute("lang") ?? "";
  return {
    document,
    url,
    base: URL.parse(base, url)?.href ?? url,
    language,
    microdata: new WeakMap(),
    labels: new WeakMap(),
  };
}
