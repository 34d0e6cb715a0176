import type { ElementNode } from "../html/tree.ts";
import { isAdvertisingName } from "../lines/advertising.ts";
import { endOf } from "./article-core.ts";
import { type Frame, type Outline, sumOver } from "./outline.ts";

const named =
  /(?:^|[\s_-])(?:newsletters?|mailing-?list|cookies?-?(?:banner|notice|consent|bar|popup|info)|gdpr|share|sharing|share-?(?:bar|buttons|links|tools|icons)|social-?(?:share|links|media|icons|bar|buttons)|addtoany|addthis\w*|tag-?(?:list|links|cloud)|tags|(?:post|entry|article)-?tags|hover-?card)(?:$|[\s_-])/i;
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
  const known = new Map<string, boolean>();
  let done = 0;
  for (const frame of outline.frames) {
    if (frame.firstBlock < done || frame.words > mostWords || words[frame.index]! > most) continue;
    if (words[frame.index] === 0 || !isNamed(frame, known)) continue;
    done = endOf(frame);
    result.fill(false, frame.firstBlock, done);
  }
  return result;
}

/** Remembers each class and id, since a page has most of them many times. */
function isNamed({ element }: Frame, known: Map<string, boolean>): boolean {
  if (element.attributes.size === 0) return false;
  const { attributes } = element;
  const [classes, id] = [attributes.get("class") ?? "", attributes.get("id") ?? ""];
  const names = id === "" ? classes : `${classes} ${id}`;
  if (names === "") return false;
  let isOne = known.get(names);
  if (isOne === undefined) {
    isOne = named.test(names.replace(/([a-z])([A-Z])/g, "$1-$2")) || isAdvertisingName(names);
    known.set(names, isOne);
  }
  return isOne;
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
