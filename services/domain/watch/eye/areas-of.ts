import { type ElementNode, findElement, isElement } from "../../../../reader/html/tree.ts";
import type { Area } from "../line.ts";

const areaOfTag = new Map<string, Area>([
  ["main", "main"],
  ["nav", "navigation"],
  ["aside", "aside"],
  ["dialog", "dialog"],
]);
const areaOfRole = new Map<string, Area>([
  ["main", "main"],
  ["navigation", "navigation"],
  ["menubar", "navigation"],
  ["complementary", "aside"],
  ["banner", "header"],
  ["contentinfo", "footer"],
  ["dialog", "dialog"],
  ["alertdialog", "dialog"],
]);

/** Programs that ask for consent name their boxes so. */
const consentTools =
  /onetrust|cookie-?bot|cybot|usercentrics|didomi|trustarc|truste[-_]|iubenda|klaro|osano|quantcast|qc-cmp|sp_message|cmplz|borlabs|cookieyes|cky-|cookie-?law|cc-(?:window|banner|revoke)|tarteaucitron|axeptio|termly|complianz|consentmanager|cmpbox|fc-consent/i;
const consentWords =
  /(?:^|[-_\s])(?:cookies?|consent|gdpr|ccpa|dsgvo|rgpd|privacy-(?:banner|notice|popup)|eu-cookie)/i;
const consentText =
  /cookie|consent|einwillig|datenschutz|consentement|rgpd|privacidad|privacy|galletas|zgod|prywatno|согла|cookies|同意|クッキー/i;
const navigationWords =
  /(?:^|[-_\s])(?:nav|navbar|navigation|menu|menubar|submenu|megamenu|breadcrumbs?|pagination|pager|sitelinks|language-(?:switcher|selector)|skip-links?|tabs-nav|toc|table-of-contents)(?:$|[-_\s])/i;
const headerWords = /(?:^|[-_\s])(?:site|page|main|global|top)?-?(?:header|masthead|topbar|top-bar)(?:$|\s)/i;
const footerWords = /(?:^|[-_\s])(?:site|page|main|global)?-?(?:footer|colophon)(?:$|\s)/i;
const asideWords = /(?:^|[-_\s])(?:sidebar|side-bar|aside|rail|secondary|widget-area)(?:$|[-_\s])/i;
const relatedWords =
  /(?:^|[-_\s])(?:related|recommend(?:ed|ations?|er)?|recos?|recirc(?:ulation)?|similar|suggested|suggestions|you-?may-?(?:also-?)?like|also-?(?:bought|viewed|like|read)|more-?(?:from|like|stories|news|articles|on-this)|most-?(?:read|popular|viewed|shared|commented)|popular|trending|read-?(?:next|more-?stories)|up-?next|cross-?sells?|upsells?|frequently-?bought|recently-?viewed|read-?also|see-?also|further-?reading|empfehlungen|aehnliche?|verwandte?|meistgelesen)(?:$|[-_\s])/i;
const commentWords =
  /(?:^|[-_\s])(?:comments?|comment-?(?:list|section|thread|area|form)|disqus(?:_thread)?|respond|discussion-thread|kommentare|commentaires|comentarios)(?:$|[-_\s])/i;

const relatedTitles =
  /^(?:related|recommended|similar (?:items|products|articles|stories|posts|jobs|properties|listings|offers)|you (?:may|might)(?: also)? (?:like|be interested|enjoy)|(?:customers|people|others|readers)(?: who .*)? (?:also|who)|more (?:from|like this|stories|news|articles|on this)|most (?:read|popular|viewed|shared)|(?:popular|trending)(?: (?:now|posts|articles|stories|products|searches|topics|today|reads))?$|read (?:next|more|also)|up next|what to read next|don.t miss|recently viewed|frequently bought|inspired by your|suggested (?:for|posts|articles|products|reading)|see also|around the web|das könnte (?:sie|dich)|ähnliche|verwandte|meistgelesen|mehr (?:zum thema|aus|von)|weitere (?:artikel|meldungen|themen|produkte)|auch interessant|kunden (?:kauften|haben)|lesen sie auch|à lire (?:aussi|également)|articles (?:similaires|liés|connexes)|vous aimerez|les plus lus|sur le même (?:sujet|thème)|dans la même|te puede interesar|también te|lo más (?:leído|visto)|artículos relacionados|relacionad[oa]s|noticias relacionadas|potrebbe interessarti|ti potrebbe|i più letti|leggi anche|articoli correlati|leia (?:também|mais)|mais lidas|veja também|lees ook|meest gelezen|gerelateerd|zobacz też|czytaj także|podobne|najczęściej czytane|читайте также|похожие|рекомендуем|популярное|по теме|相关|相關|推荐|推薦|热门|熱門|関連|おすすめ|人気|関連記事|관련|추천|인기|اقرأ أيضا|مواضيع ذات صلة|الأكثر قراءة|benzer|ilgili|çok okunan)/iu;

const titleTags = new Set(["h2", "h3", "h4", "h5", "h6", "strong", "b", "p", "div", "span", "header"]);
const [maxTitle, maxConsent] = [80, 3000];
/** What holds more of the page's text is no part beside its content. */
const mostOfPage = 0.5;

/** Tells the area that an element begins by itself; undefined where it is a part of what is around it. */
export class AreasOf {
  private readonly byName = new Map<string, Area | null>();
  private readonly most: number;

  /** `body`: its elements have been weighed. */
  constructor(body: ElementNode) {
    this.most = body.chars * mostOfPage;
  }

  of(element: ElementNode, around: Area | undefined): Area | undefined {
    const area = this.named(element, around);
    if (area === undefined || area === around || area === "main") return area;
    if (element.chars > this.most) return area === "dialog" ? area : undefined;
    if (area === "consent") return consentText.test(element.textContent) ? area : undefined;
    if (area === "navigation") return element.name === "nav" || isOfLinks(element) ? area : undefined;
    return area === "related" && findElement(element, ({ name }) => name === "h1") ? undefined : area;
  }

  private named(element: ElementNode, around: Area | undefined): Area | undefined {
    const { name, attributes } = element;
    const isInContent = around === "main" || around === "comments";
    const byWords = attributes.size === 0 ? undefined : this.byWords(element);
    if (byWords === "consent" || byWords === "related" || byWords === "comments") return byWords;
    const role = attributes.get("role");
    const byRole = role === undefined ? undefined : areaOfRole.get(role);
    if (byRole !== undefined) return byRole;
    if (sections.has(name) && isTitledRelated(element)) return "related";
    const byTag = areaOfTag.get(name);
    if (byTag !== undefined) return byTag;
    if (isInContent || around === "dialog" || around === "consent")
      return byWords === "navigation" ? byWords : undefined;
    if (name === "header" || name === "footer") return isInArticle(element) ? undefined : name;
    if (name === "article" && around === undefined) return "main";
    return byWords;
  }

  private byWords({ attributes, chars }: ElementNode): Area | undefined {
    const names = `${attributes.get("class") ?? ""} ${attributes.get("id") ?? ""}`;
    if (names.length < 4) return undefined;
    let area = this.byName.get(names);
    if (area === undefined) {
      area = areaOfNames(names) ?? null;
      this.byName.set(names, area);
    }
    return area === "consent" && chars > maxConsent && !consentTools.test(names)
      ? undefined
      : (area ?? undefined);
  }
}

const sections = new Set(["section", "div", "aside", "ul"]);

function areaOfNames(names: string): Area | undefined {
  if (consentTools.test(names) || consentWords.test(names)) return "consent";
  if (relatedWords.test(names)) return "related";
  if (commentWords.test(names)) return "comments";
  if (navigationWords.test(names)) return "navigation";
  if (headerWords.test(names)) return "header";
  if (footerWords.test(names)) return "footer";
  return asideWords.test(names) ? "aside" : undefined;
}

/** Whether most of what an element says is in links. */
function isOfLinks({ chars, linkChars }: ElementNode): boolean {
  return linkChars * 2 >= chars;
}

/** Whether a part begins with a title such as "Customers also bought". */
function isTitledRelated(section: ElementNode): boolean {
  let at: ElementNode | undefined = section;
  for (let steps = 0; at !== undefined && steps < 4; steps++) {
    const first: ElementNode | undefined = at.childNodes.find(isElement);
    if (first === undefined || at.childNodes.some(child => !isElement(child) && !child.isWhitespace))
      return false;
    if (titleTags.has(first.name) && first.chars > 0 && first.chars <= maxTitle)
      return section.chars > first.chars && relatedTitles.test(first.textContent.trim());
    at = first;
  }
  return false;
}

function isInArticle({ parentNode }: ElementNode): boolean {
  for (let at = parentNode; at !== null; at = at.parentNode)
    if (at.name === "article" || at.name === "main") return true;
  return false;
}
