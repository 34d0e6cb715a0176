import { createHash } from "node:crypto";
import { withoutNoise } from "../page-change/noise.ts";
import type { FeedItem } from "./feed.ts";
import { toText } from "./feed-text.ts";
import { contentId } from "./item.ts";

/** What tells the items of a feed apart. `link` is for feeds whose guids do not do it. */
export type IdentityRule = "guid" | "link";

/** Hashes of an item: who it is, where it leads, what it says. */
export interface Fingerprint {
  id: string;
  /** Who it is by its guid, whatever the rule. */
  guid: string;
  /** Empty when the item has no link of its own. */
  link: string;
  content: string;
}

/**
 * Fingerprints of all items, in order. Guid, else link, else title and content, as Miniflux has it; under the rule
 * `link` the guid is passed over. Links that several items share tell nothing.
 */
export function fingerprints(items: FeedItem[], rule: IdentityRule): Fingerprint[] {
  const links = items.map(({ url }) => (url === undefined ? "" : shortHash(plainLink(url))));
  const shared = new Set(links.filter((link, index) => links.indexOf(link) !== index));
  return items.map((item, index) => {
    const link = shared.has(links[index] ?? "") ? "" : (links[index] ?? "");
    return { id: identity(item, link, rule), guid: shortHash(item.id), link, content: contentHash(item) };
  });
}

function identity(item: FeedItem, link: string, rule: IdentityRule): string {
  if (rule === "guid") return shortHash(item.id);
  return link === "" ? shortHash(contentId(item)) : link;
}

const trackingParameter = /^(utm_.*|mc_[ce]id|fbclid|gclid|msclkid|yclid|igshid|ref|source|cmpid|at_.*)$/i;

/** A link without what does not change where it leads. */
function plainLink(link: string): string {
  const url = new URL(link);
  for (const name of [...url.searchParams.keys()])
    if (trackingParameter.test(name)) url.searchParams.delete(name);
  const path = url.pathname.replace(/\/+$/, "");
  return `${url.host.replace(/^www\./, "")}${path}${url.search}${url.hash}`;
}

/** The same for texts that differ in markup, white space, tracking parameters, comment counts and the like only. */
function contentHash({ title, content_html, content_text, summary, attachments = [] }: FeedItem): string {
  const text = toText(content_html) ?? content_text ?? summary ?? "";
  const files = attachments.map(({ url }) => new URL(url).pathname);
  return shortHash(JSON.stringify([withoutNoise(title ?? ""), withoutNoise(text), files]));
}

// 72 bits: enough among the items of one feed, and short in its state.
function shortHash(text: string): string {
  return createHash("sha256").update(text).digest("base64url").slice(0, 12);
}
