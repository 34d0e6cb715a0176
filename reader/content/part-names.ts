import type { ElementNode } from "../html/tree.ts";

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
const pairs =
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
  return pairs.test(words) || words.split(/[^a-z]+/).some(word => furniture.has(word));
}
