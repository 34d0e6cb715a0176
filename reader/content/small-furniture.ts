import type { ElementNode } from "../html/tree.ts";
import { isAdvertisingName } from "../lines/advertising.ts";
import { endOf } from "./article-core.ts";
import { type Frame, type Outline, type OutlinedBlock, sumOver } from "./outline.ts";

const named =
  /(?:^|[\s_-])(?:newsletters?|mailing-?list|cookies?-?(?:banner|notice|consent|bar|popup|info)|gdpr|share-?(?:bar|buttons|links|tools|icons)|social-?(?:share|links|media|icons|bar|buttons)|addtoany|addthis\w*|tag-?(?:list|links|cloud)|(?:post|entry|article)-?tags|hover-?card)(?:$|[\s_-])/i;
/** Words that name facts as well, such as the price of a share. */
const general = /(?:^|[\s_-])(?:share|sharing|tags)(?:$|[\s_-])/i;
const aLabel = /^(?!tag|share|topic|filed)[^:：]{2,40}[:：]/i;
const fewWords = 4;
const mostWords = 80;
const mostOfPage = 0.2;

/**
 * Drops small parts with the name of what belongs to no article: advertisements, forms for newsletters, bars to share,
 * tags, cards that open over names. What holds more has that name by chance.
 */
export function dropNamed(outline: Outline, kept: readonly boolean[]): boolean[] {
  const result = [...kept];
  const words = sumOver(outline, ({ shape }, at) => (kept[at] ? shape.words : 0));
  const most = mostOfPage * words[0]!;
  const known = new Map<string, Naming>();
  let done = 0;
  for (const frame of outline.frames) {
    if (frame.firstBlock < done || frame.words > mostWords || words[frame.index]! > most) continue;
    if (words[frame.index] === 0) continue;
    const naming = namingOf(frame, known);
    if (naming === "none" || (naming === "general" && !saysNothing(frame, outline.blocks))) continue;
    done = endOf(frame);
    result.fill(false, frame.firstBlock, done);
  }
  return result;
}

/** What the names of an element say: that it is furniture, that it may be, or nothing. */
type Naming = "furniture" | "general" | "none";

/** Remembers each class and id, since a page has most of them many times. */
function namingOf({ element: { attributes } }: Frame, known: Map<string, Naming>): Naming {
  if (attributes.size === 0) return "none";
  const [classes, id] = [attributes.get("class") ?? "", attributes.get("id") ?? ""];
  const names = id === "" ? classes : `${classes} ${id}`;
  if (names === "") return "none";
  let naming = known.get(names);
  if (naming === undefined) {
    const words = names.replace(/([a-z])([A-Z])/g, "$1-$2");
    const isOne = named.test(words) || isAdvertisingName(names);
    naming = isOne ? "furniture" : general.test(words) ? "general" : "none";
    known.set(names, naming);
  }
  return naming;
}

/** Whether a part is mostly links, or a few words without a number or a label. */
function saysNothing(
  { words, linkWords, firstBlock, blocks }: Frame,
  all: readonly OutlinedBlock[],
): boolean {
  if (2 * linkWords >= words) return true;
  const lines = all.slice(firstBlock, firstBlock + blocks);
  return words <= fewWords && lines.every(({ text, shape }) => shape.digits === 0 && !aLabel.test(text));
}

/** Words of classes and ids that name what a page has beside its content. */
const furniture = new Set(
  (
    "ad ads adsbygoogle advert adverts advertisement advertising advertorial sponsor sponsored sponsors promo promos promotion " +
    "related recommend recommended recommendation recommendations recirc recirculation teaser teasers trending popular mostread " +
    "outbrain taboola zergnet share shares sharing sharer social socials sharebar addtoany addthis follow newsletter newsletters " +
    "subscribe subscription subscriptions signup optin mailchimp mailinglist cookie cookies consent gdpr comment comments " +
    "commentlist respond disqus discussion breadcrumb breadcrumbs crumbs pagination pager paging tags taglist hashtags nav " +
    "navbar navigation menu submenu sidebar widget widgets popup modal login signin paywall regwall prevnext toolbar cta " +
    "byline authorbox bio"
  ).split(" "),
);
const pairOfWords =
  /(?:^|[\s_-])(?:read|see|more|also|most|you|up|post|article|entry|next|prev|previous)[_-](?:more|also|next|read|like|news|stories|articles|posts|popular|viewed|might|nav|navigation|links|tags|meta)(?:$|[\s_-])/i;

/** Whether the names of an element say that it is no content: an advertisement, links to other pages, a form, a bar. */
export function namesFurniture({ name, attributes }: ElementNode): boolean {
  if (name === "nav" || name === "form") return true;
  if (attributes.size === 0) return false;
  const role = attributes.get("role") ?? "";
  if (role === "navigation" || role === "search" || role === "complementary") return true;
  const names = `${attributes.get("class") ?? ""} ${attributes.get("id") ?? ""}`;
  if (names.length < 2 || names.length > 500) return false;
  const words = names.replace(/([a-z])([A-Z])/g, "$1-$2").toLowerCase();
  return pairOfWords.test(words) || words.split(/[^a-z]+/).some(word => furniture.has(word));
}
