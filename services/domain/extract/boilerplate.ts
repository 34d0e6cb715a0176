import type { Weight } from "./text-weight.ts";
import { adopt, type ElementNode, findElement, isElement } from "./tree.ts";

const roles = new Set(
  "navigation contentinfo complementary banner search menu menubar toolbar dialog alertdialog tablist tooltip".split(
    " ",
  ),
);
const tags = new Set(["nav", "footer", "aside", "menu", "search"]);
const note = /(?:^|[\s_-])(?:note|tip|warning|caution|important|callout|admonition|pullquote|infobox)/i;
const maxComments = 0.4;
const minArticle = 1000;
const frames = new Set(["html", "body", "main", "article"]);
const unlikely = new RegExp(
  "(?<!(?:^|[\\s_-])(?:has|with|without|no))(?:^|[\\s_-])(?:" +
    [
      "cookies?|consent|gdpr|onetrust|ccpa|privacy-(?:banner|notice)|newsletter|subscri(?:be|ption)|sign-?up|signin|log-?in",
      "share|sharing|sharedaddy|addthis|addtoany|social|socials|follow-us",
      "related|recommend(?:ed|ations?)?|also-like|more-(?:from|stories|posts|articles)|read-?next|up-?next|trending|most-(?:read|popular)|popular-posts|outbrain|taboola|jp-relatedposts|similar",
      "side-?bar|side-?nav|rail|breadcrumbs?|pagination|pager|paginator|post-nav(?:igation)?|nav-links|page-nav|next-prev",
      "menu|nav|navbar|navigation|topbar|top-bar|masthead|site-header|page-footer|site-footer|footer|global-header|mega-menu",
      "ad|ads|advert(?:s|isement|ising)?|adsense|dfp|sponsor(?:ed)?|promo(?:tion)?s?|promoted|banner-ad|marketing",
      "popup|pop-up|modal|overlay|lightbox|toast|offcanvas|drawer|skip-?(?:link|to|nav)|screen-reader-text|sr-only|visually-?hidden",
      "widget-area|sidebar-widget|tag-?cloud|tags-links|post-tags|entry-tags|author-(?:bio|box|card)|about-author|byline-bio",
      "toc|table-of-contents|print-only|no-?print|noprint|feedback|was-this-helpful|edit-page|edit-this-page|language-name|code-?lang|copy-?(?:button|btn|code)|code-?block-header|back-to-top|language-(?:switcher|selector)",
    ].join("|") +
    ")(?:$|[\\s_-])",
  "i",
);
const comments =
  /(?:^|[\s_-])(?:comments?(?:-?(?:area|list|section|form|wrapper|thread|respond|box))?|disqus(?:-thread)?|respond|reply-form|fb-comments)(?:$|[\s_-])/i;

/**
 * Takes out what surrounds content on most sites: navigation, page headers and footers, asides, cookie banners, share
 * bars, teasers for other pages, comments below an article. An element that holds a good part of the page's text stays
 * whatever it is called.
 */
export function dropBoilerplate(body: ElementNode, weigh: (element: ElementNode) => Weight): void {
  const total = weigh(body).chars;
  const inComments = commentWeight(body, weigh);
  const proseElsewhere = weigh(body).proseChars - inComments.proseChars;
  const isDiscussion = inComments.chars > maxComments * total && proseElsewhere < minArticle;
  prune(body, { weigh, total, isDiscussion }, false);
}

interface Page {
  weigh: (element: ElementNode) => Weight;
  total: number;
  /** What would be comments elsewhere is the content. */
  isDiscussion: boolean;
}

function commentWeight(parent: ElementNode, weigh: (element: ElementNode) => Weight): Weight {
  const sum = { chars: 0, linkChars: 0, proseChars: 0 };
  for (const child of parent.childNodes) {
    if (!isElement(child)) continue;
    const weight = comments.test(labels(child)) ? weigh(child) : commentWeight(child, weigh);
    sum.chars += weight.chars;
    sum.linkChars += weight.linkChars;
    sum.proseChars += weight.proseChars;
  }
  return sum;
}

function prune(parent: ElementNode, page: Page, isInContent: boolean): void {
  const kept = parent.childNodes.filter(
    child => !isElement(child) || !isBoilerplate(child, page, isInContent),
  );
  if (kept.length < parent.childNodes.length) adopt(parent, kept);
  for (const child of kept) {
    if (isElement(child))
      prune(child, page, isInContent || child.name === "main" || child.name === "article");
  }
}

function isBoilerplate(
  element: ElementNode,
  { weigh, total, isDiscussion }: Page,
  isInContent: boolean,
): boolean {
  const { chars, proseChars } = weigh(element);
  const { name, attributes } = element;
  if (frames.has(name) || attributes.get("role") === "main") return false;
  const share = chars / Math.max(1, total);
  const role = attributes.get("role") ?? "";
  if (tags.has(name) || roles.has(role))
    return share < 0.5 && !(name === "aside" && note.test(labels(element)));
  if (name === "header" && !isInContent) return share < 0.3 && !holdsHeading(element);
  if (attributes.size === 0) return false;
  const label = labels(element);
  if (label === "") return false;
  if (comments.test(label)) return !isDiscussion;
  return unlikely.test(label) && share < 0.3 && proseChars < 0.3 * total && !isHeadingLevel(name);
}

function labels(element: ElementNode): string {
  const label = `${element.getAttribute("class")} ${element.getAttribute("id")}`.trim();
  return label.replace(/([a-z])([A-Z])/g, "$1-$2");
}

function holdsHeading(element: ElementNode): boolean {
  return findElement(element, ({ name }) => name === "h1") !== undefined;
}

function isHeadingLevel(name: string): boolean {
  return /^h[1-6]$/.test(name);
}
