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

/** Parses HTML. linkedom makes the first element the root, so text without an `html` element is wrapped in one. */
export function parseDocument(html: string): Document {
  const whole = /<html[\s>]/i.test(html) ? html : `<html><body>${html}</body></html>`;
  return parseHTML(whole).document as unknown as Document;
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
