import { createHash } from "node:crypto";
import { comparable, withoutNoise } from "../page-diff/noise.ts";
import { contentId, type FeedItem } from "./feed.ts";
import { toText } from "./feed-text.ts";
import { linesThatCount } from "./known-feeds.ts";

/** The memory of a feed's items. JSON; 28 bytes an item. */
export interface FeedMemory {
  rule: IdentityRule;
  /** Id (12 characters), link (8) and content (8) of every item seen, also of those that left the feed; the latest last. */
  seen: string;
  /** How many of them, at the end, were in the last document. */
  current: number;
  /** Comparisons that found a change, so that a text which changes back gets a new revision. */
  edits: number;
  /** The `contentVersion` of the contents. */
  version: number;
}

/** A remembered item. `content` is undefined where it cannot be compared. */
export interface SeenItem {
  id: string;
  link: string;
  content: string | undefined;
}

/** Limits of remembered items that have left the document: twice as many as it holds, within these bounds. */
const minGone = 300;
const maxGone = 2000;
const entryLength = 28;
const noLink = ".".repeat(8);

/** The remembered items of a feed, indexed by what identifies them. */
export class KnownItems {
  private readonly byId = new Map<string, SeenItem>();
  private readonly byLink = new Map<string, SeenItem>();
  private readonly latestByText = new Map<string, SeenItem>();

  constructor(memory: FeedMemory | undefined) {
    const seen = memory === undefined ? [] : unpack(memory);
    for (const entry of seen) {
      this.byId.set(entry.id, entry);
      // A link leads to one item: the latest that had it.
      if (entry.link !== "") this.byLink.set(entry.link, entry);
    }
    const current = memory?.current ?? 0;
    for (const entry of current > 0 ? seen.slice(-current) : []) this.latestByText.set(textKey(entry), entry);
  }

  has(id: string): boolean {
    return this.byId.has(id);
  }

  get(id: string): SeenItem | undefined {
    return this.byId.get(id);
  }

  /** Remembered items that may be an item with an unknown id, the likeliest first. */
  resembling(print: Fingerprint, rule: IdentityRule): SeenItem[] {
    if (rule === "guid") return [this.sameAtLink(print)].filter(entry => entry !== undefined);
    // Where links do not distinguish items, an item can only be unknown because its date is generated for each fetch.
    const byPlace = rule === "link" ? this.byLink.get(print.link) : this.latestByText.get(textKey(print));
    // Items seen before guids were abandoned can still be found by guid, while their content is the same.
    const byGuid = this.byId.get(print.guid);
    const candidates = [byPlace, byGuid?.content === print.content ? byGuid : undefined];
    return candidates.filter(entry => entry !== undefined);
  }

  sameAtLink({ link, content }: Fingerprint): SeenItem | undefined {
    const entry = link === "" ? undefined : this.byLink.get(link);
    return entry?.content === content ? entry : undefined;
  }

  /** Replaces a remembered item by its present state. */
  remember({ id, link, content }: Fingerprint, before: SeenItem | undefined): void {
    if (before) this.byId.delete(before.id);
    this.byId.delete(id);
    this.byId.set(id, { id, link, content });
  }

  /** The memory to store after a document with `current` items, which were remembered last. */
  pack(current: number, facts: Pick<FeedMemory, "rule" | "edits">): FeedMemory {
    const gone = Math.min(maxGone, Math.max(minGone, 2 * current));
    const kept = [...this.byId.values()].slice(-(current + gone));
    const seen = kept.map(
      ({ id, link, content = noLink }) => `${id}${link === "" ? noLink : link}${content}`,
    );
    return { ...facts, seen: seen.join(""), current, version: contentVersion };
  }
}

function textKey({ link, content }: Pick<SeenItem, "link" | "content">): string {
  return `${link} ${content}`;
}

function unpack({ seen, version }: FeedMemory): SeenItem[] {
  return Array.from({ length: seen.length / entryLength }, (_, index) => {
    const entry = seen.slice(index * entryLength, (index + 1) * entryLength);
    const [link, content] = [entry.slice(12, 20), entry.slice(20)];
    const isComparable = version === contentVersion && content !== noLink;
    return {
      id: entry.slice(0, 12),
      link: link === noLink ? "" : link,
      content: isComparable ? content : undefined,
    };
  });
}

/**
 * The rules that identify the items of a feed, the best first. `dated` uses link and date, `titled` also the title, `text`
 * also the text.
 */
export const identityRules = ["guid", "link", "dated", "titled", "text"] as const;
export type IdentityRule = (typeof identityRules)[number];

/** Hashes of an item: its identity, its link and its content. */
export interface Fingerprint {
  /** Its identity by the rule; 12 characters. */
  id: string;
  /** Its identity by guid; 12 characters. */
  guid: string;
  /** Hash of its link, 8 characters; empty when it has none of its own. */
  link: string;
  title: string;
  /** Hash of its content, 8 characters. Raise `contentVersion` when the computation changes. */
  content: string;
}

/** Content hashes of different versions cannot be compared. */
const contentVersion = 5;

/** Fingerprints of all items under each rule, in order. Parts that do not depend on the rule are computed once. */
export function fingerprintsOf(items: FeedItem[]): (rule: IdentityRule) => Fingerprint[] {
  const common = items.map(item => {
    const place = item.url === undefined ? "" : plainLink(item.url);
    const link = place === "" ? "" : shortHash(place, 8);
    return { guid: shortHash(item.id), link, title: item.title ?? "", content: contentHash(item) };
  });
  const owners = Map.groupBy(common, ({ link }) => link);
  return rule =>
    common.map((print, index) => {
      const id = rule === "guid" ? print.guid : identity(items[index] as FeedItem, print, rule);
      // A link that several items share does not identify any of them.
      const isShared = (rule === "guid" || rule === "link") && (owners.get(print.link)?.length ?? 0) > 1;
      return { ...print, id, link: isShared ? "" : print.link };
    });
}

type Parts = Pick<Fingerprint, "link" | "content">;

/** The identity of items without a usable guid, as in FreshRSS: link and date, then the title, then the text. */
function identity(item: FeedItem, { link, content }: Parts, rule: Exclude<IdentityRule, "guid">): string {
  const { title = "", date_published: date = "" } = item;
  if (rule === "link") return shortHash(link === "" ? contentId(item) : link);
  if (rule === "text") return shortHash(JSON.stringify([link, date, title, content]));
  const isTitled = rule === "titled" || link === "";
  const parts = isTitled ? [link, date, title] : [link, date];
  return shortHash(parts.every(part => part === "") ? contentId(item) : JSON.stringify(parts));
}

const trackingParameter = /^(utm_.*|mc_[ce]id|fbclid|gclid|msclkid|yclid|igshid|ref|source|cmpid|at_.*)$/i;

/** A link without the parts that do not change where it leads. */
function plainLink(link: string): string {
  const url = new URL(link);
  for (const name of [...url.searchParams.keys()])
    if (trackingParameter.test(name)) url.searchParams.delete(name);
  const path = url.pathname.replace(/\/+$/, "");
  return `${url.host.replace(/^www\./, "")}${path}${url.search}${url.hash}`;
}

/** A hash of the content, the same for texts that differ only in markup, white space and noise. */
function contentHash(item: FeedItem): string {
  const { title, content_html, content_text, summary, attachments = [] } = item;
  const shown = (toText(content_html) ?? content_text ?? summary ?? "").split("\n");
  const lines = comparable(linesThatCount(item, shown));
  const text = lines.filter(line => line !== "").join(" ");
  // The trackers of a torrent's address come and go; what it is has an item of its own.
  const files = attachments.map(({ url }) => new URL(url)).filter(({ protocol }) => protocol !== "magnet:");
  return shortHash(
    JSON.stringify([withoutNoise(title ?? ""), text, files.map(({ pathname }) => pathname)]),
    8,
  );
}

// 72 bits distinguish a million items of one feed; 48 are enough to compare two values.
function shortHash(text: string, length = 12): string {
  return createHash("sha256").update(text).digest("base64url").slice(0, length);
}
