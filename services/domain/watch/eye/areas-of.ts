import { type ElementNode, findElement, findElements, isElement } from "../../../../reader/html/tree.ts";
import type { Made } from "../../../../reader/lines/show-controls.ts";
import { amountsIn } from "../../../../reader/recipe/money.ts";
import { plainDigits } from "../../../../reader/recipe/numbers.ts";
import type { Area } from "../line.ts";
import { relatedTitle } from "./related-titles.ts";

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
/** These name a box that asks for consent. */
const consentBoxes =
  /(?:^|[-_\s])(?:eu-)?(?:cookies?|consent|gdpr|ccpa|dsgvo|rgpd|privacy)[-_]?(?:banner|bar|box|notice|notification|popup|modal|dialog|overlay|alert|message|consent|hinweis|layer|manager|settings|law)(?:$|[-_\s])/i;
/** These may name anything else, such as a bakery's goods. */
const consentWords = /(?:^|[-_\s])(?:cookies?|consent|gdpr|ccpa|dsgvo|rgpd|eu-cookie)/i;
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

const contentsWords = /(?:^|[-_\s])(?:toc|table-of-contents)(?:$|[-_\s])/i;
const titleTags = new Set(["h2", "h3", "h4", "h5", "h6", "strong", "b", "p", "div", "span", "header"]);
const [maxTitle, maxConsent] = [80, 3000];
/** Links below a title that make a list of related things, at least. */
const fewLinks = 3;
/** Characters of a part that are searched for prices. */
const maxPrices = 4000;
/** What holds more of the page's text is no part beside its content. */
const mostOfPage = 0.5;

/** Tells the area that an element begins by itself; undefined where it is a part of what is around it. */
export class AreasOf {
  private readonly byName = new Map<string, Area | null>();
  private readonly most: number;
  private readonly made: Made;

  /** `body`: its elements have been weighed. `made`: what stands for its controls. */
  constructor(body: ElementNode, made: Made) {
    this.most = body.chars * mostOfPage;
    this.made = made;
  }

  of(element: ElementNode, around: Area | undefined): Area | undefined {
    const area = this.named(element, around);
    if (area === undefined || area === around || area === "main") return area;
    if (element.chars > this.most) return area === "dialog" ? area : undefined;
    if (area === "consent") return this.asksForConsent(element) ? area : undefined;
    if (area === "navigation") return isNavigation(element, around) ? area : undefined;
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
    if (sections.has(name) && this.isTitledRelated(element, around)) return "related";
    const byTag = areaOfTag.get(name);
    if (byTag !== undefined) return byTag;
    if (isInContent || around === "dialog" || around === "consent")
      return byWords === "navigation" ? byWords : undefined;
    if (name === "header" || name === "footer") return isInArticle(element) ? undefined : name;
    if (name === "article" && around === undefined) return "main";
    return byWords;
  }

  private byWords(element: ElementNode): Area | undefined {
    const names = namesOf(element);
    if (names.length < 4) return undefined;
    let area = this.byName.get(names);
    if (area === undefined) {
      area = areaOfNames(names) ?? null;
      this.byName.set(names, area);
    }
    return area === "consent" && element.chars > maxConsent && !consentTools.test(names)
      ? undefined
      : (area ?? undefined);
  }

  /** What is only named so must have something to press, and nothing to buy. */
  private asksForConsent(element: ElementNode): boolean {
    const names = namesOf(element);
    if (!consentText.test(element.textContent)) return false;
    if (consentTools.test(names) || consentBoxes.test(names)) return true;
    return (
      (this.hasControl(element) || findElement(element, isButtonLike) !== undefined) && prices(element) === 0
    );
  }

  /** Whether a part is a title such as "Customers also bought" and a list of links. */
  private isTitledRelated(section: ElementNode, around: Area | undefined): boolean {
    const title = titleOf(section);
    if (title === undefined || !relatedTitle.test(title.textContent.trim())) return false;
    if (findElements(section, isLink).length < fewLinks) return false;
    if (around === "main" && section.linkChars * 2 < section.chars - title.chars) return false;
    return !this.hasControl(section) && prices(section) === 0;
  }

  private hasControl(element: ElementNode): boolean {
    return (
      findElement(element, it => it.name === "form" || (controlTags.has(it.name) && this.made.has(it))) !==
      undefined
    );
  }
}

/** What stands for a control that is no part of a line. */
const controlTags = new Set(["p", "div"]);

const sections = new Set(["section", "div", "aside", "ul"]);

function areaOfNames(names: string): Area | undefined {
  if (consentTools.test(names) || consentBoxes.test(names) || consentWords.test(names)) return "consent";
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

/** A menu of a site, and not of a restaurant; contents of the page, and not a list of chapters. */
function isNavigation(element: ElementNode, around: Area | undefined): boolean {
  if (element.name === "nav") return true;
  if (!isOfLinks(element) || prices(element) > (around === "main" ? 0 : 1)) return false;
  return (
    around !== "main" ||
    !contentsWords.test(namesOf(element)) ||
    findElements(element, isLink).every(isWithinPage)
  );
}

function namesOf({ attributes }: ElementNode): string {
  return `${attributes.get("class") ?? ""} ${attributes.get("id") ?? ""}`;
}

function isLink({ name, attributes, chars }: ElementNode): boolean {
  return name === "a" && chars > 0 && attributes.has("href");
}

function isWithinPage({ attributes }: ElementNode): boolean {
  return attributes.get("href")?.includes("#") === true;
}

function isButtonLike({ name, attributes }: ElementNode): boolean {
  if (name !== "a") return false;
  return (
    attributes.get("role") === "button" || /(?:^|[\s_-])(?:btn|button)/i.test(attributes.get("class") ?? "")
  );
}

/** Amounts of money in a part. */
function prices(element: ElementNode): number {
  return amountsIn(plainDigits(element.textContent.slice(0, maxPrices))).length;
}

/** What a part begins with, if that may be its title. */
function titleOf(section: ElementNode): ElementNode | undefined {
  let at: ElementNode | undefined = section;
  for (let steps = 0; at !== undefined && steps < 4; steps++) {
    const first: ElementNode | undefined = at.childNodes.find(isElement);
    if (first === undefined || at.childNodes.some(child => !isElement(child) && !child.isWhitespace))
      return undefined;
    if (titleTags.has(first.name) && first.chars > 0 && first.chars <= maxTitle)
      return section.chars > first.chars ? first : undefined;
    at = first;
  }
  return undefined;
}

function isInArticle({ parentNode }: ElementNode): boolean {
  for (let at = parentNode; at !== null; at = at.parentNode)
    if (at.name === "article" || at.name === "main") return true;
  return false;
}
