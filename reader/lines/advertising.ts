import { adopt, type ElementNode, isElement, isText, type PageNode } from "../html/tree.ts";

/**
 * Names that a site gives to nothing but an advertisement. `ad` alone is also a classified one, so it counts with words of
 * places and sizes only; `advanced`, `address`, `adapter` or `ad-hoc` are other words.
 */
const place =
  "(?:banner|slot|unit|container|wrapper|wrap|box|block|space|placement|placeholder|frame|area|zone|label|leaderboard|" +
  "skyscraper|sidebar|rail|top|bottom|middle|inline|inner|outer|mpu|billboard|rectangle|square|sticky|native|google|dfp|gpt|" +
  "holder|break|marker|region|position|pos|widget|iframe|panel|sense|tag|spot|feed|hero|footer|header|left|right|center|" +
  "desktop|mobile|\\d+)";
const network =
  "adsbygoogle|adsense|google[-_]?ads?|googlead|div-gpt-ad|gpt-ad|dfp|doubleclick|taboola|trc_|outbrain|\\bob-widget|criteo|" +
  "mgid|revcontent|zergnet|teads|adthrive|mediavine|ezoic|raptive|freestar|playwire|nativo|sharethrough|carbonads|carbon-ads|" +
  "ethical-?ad|buysellads|aswift_";
const advertising = [
  new RegExp(
    `^(?:${network})(?:$|[-_\\d]|[a-z_-]*(?:container|widget|slot|unit|wrapper|placeholder|ads?|iframe))`,
    "i",
  ),
  new RegExp(`^(?:[a-z0-9]+[-_]{1,2})?(?:ads?|advert)(?:[-_]{1,2}?${place})+(?:[-_].*)?$`, "i"),
  new RegExp(
    `^(?:${place}|text|display|video|page|article|content|in-article|story|site|house|side)[-_]{1,2}ads?(?:[-_]?\\d+)?$`,
    "i",
  ),
  /^(?:ads?|advert(?:s|isements?|ising|orials?)?|advertize(?:ments?)?|pub|adv)$/i,
  /^(?:[a-z]+[-_]{1,2})?(?:advert|advertisements?|advertorials?)(?:[-_]{1,2}[a-z\d_-]+)?$/i,
  /^(?:ad|ads)(?:Banner|Slot|Unit|Container|Wrapper|Box|Block|Space|Placement|Placeholder|Frame|Label|Leaderboard|Sidebar|Holder|Zone)/,
  /^(?:[a-z]+[-_]{1,2})?(?:sponsored|sponsor-?(?:box|card|slot|banner)|promoted|paid-?(?:content|post|promotion))(?:[-_]{1,2}(?:ads?|post|posts|card|cards|content|contents|result|results|item|items|links?|listing|listings|product|products|box|block|section|label|unit|slot|banner|story|stories|tile|message))?$/i,
  /^(?:werbung|anzeigen?|werbe(?:banner|block|box|flaeche|platz|mittel)|publicite|pub-?(?:banner|slot|container|block)|publicidad|anuncios?|publicidade|pubblicita|reklam[ae]?|reklamy|mainos|advertentie|annons)(?:[-_]{1,2}[a-z\d]+)*$/i,
];

/** Words that make an advertisement a thing of the page: a job, a car, the editor of a classified one. */
const isOwn =
  /(?:^|[-_])(?:jobs?|careers?|classifieds?|stellen\w*|propert(?:y|ies)|vehicles?|cars?|wanted|search|detail|details|title|text|edit|form|guide|policy|blocker|free|hoc|my)(?:$|[-_])/i;

/** The words with which a page marks what it is paid for. */
const labels = new Set(
  (
    "ad|ads|adv|advert|advertisement|advertisements|advertising|advertise with us|sponsored|sponsored content|sponsored post|sponsored ad|" +
    "sponsored link|sponsored links|sponsored result|sponsored results|sponsored by|promoted|promoted content|promoted post|paid content|" +
    "paid post|paid partnership|paid for by|ad feedback|ad choices|adchoices|anzeige|anzeigen|werbung|gesponsert|gesponserter beitrag|" +
    "bezahlter inhalt|publicité|annonce|annonce sponsorisée|sponsorisé|contenu sponsorisé|publicidad|anuncio|anuncios|patrocinado|" +
    "contenido patrocinado|publicidade|anúncio|anúncios|conteúdo patrocinado|pubblicità|annuncio|annuncio sponsorizzato|sponsorizzato|" +
    "advertentie|gesponsord|reklama|reklamy|materiał sponsorowany|sponsorowane|reklam|annons|reklame|mainos|hirdetés|reclamă|διαφήμιση|" +
    "реклама|на правах рекламы|广告|廣告|広告|광고|إعلان|إعلانات|โฆษณา|quảng cáo|iklan"
  ).split("|"),
);
const maxLabel = 30;
const labelTags = new Set(
  "span small p div em i b strong label figcaption abbr sup h4 h5 h6 header".split(" "),
);
const boxTags = new Set("div section article aside li figure tr td ins a".split(" "));
/** Words of what a label marks, at most; and how far above the label it is. */
const [maxLabelled, maxSteps] = [1200, 4];
/** What holds more of the page's text is the page, whatever its name. */
const mostOfPage = 0.5;

const attributes =
  /^data-(?:ad(?:$|s$|-?(?:slot|unit|client|name|type|format|size|zone|position|placement|id|region|container|layout.*|test|status|target.*))|adunit|adslot|google-query-id|google-container-id|dfp.*|is-ad|native-ad|sponsored|promoted|taboola.*|ob-template)$/;
const tags = new Set(["amp-ad", "amp-sticky-ad", "amp-embed", "gpt-ad", "ad-slot", "google-ad"]);
const hosts =
  /^(?:https?:)?\/\/(?:[a-z0-9-]+\.)*(?:doubleclick\.net|googlesyndication\.com|adnxs\.com|amazon-adsystem\.com|adform\.net|criteo\.(?:com|net)|taboola\.com|outbrain\.com|rubiconproject\.com|pubmatic\.com|adservice\.google\.[a-z.]+)\//i;

/** Takes out of a tree, whose elements have been weighed, what names itself an advertisement. */
export function dropAdvertising(root: ElementNode): void {
  const known = new Map<string, boolean>();
  const most = root.chars * mostOfPage;
  const drop = (parent: ElementNode): void => {
    const named = new Set(
      parent.childNodes.filter(child => isElement(child) && isAdvertising(child, known, most)),
    );
    const isRid = named.size > 0 && !areTheContent(named, most);
    const left = isRid ? parent.childNodes.filter(child => !named.has(child)) : parent.childNodes;
    const kept = withoutLabelled(left, most);
    if (kept.length < parent.childNodes.length) adopt(parent, kept);
    for (const child of kept) if (isElement(child)) drop(child);
  };
  drop(root);
}

/** Classified ads are named so, too: many side by side that hold much of the page. */
function areTheContent(named: ReadonlySet<PageNode>, most: number): boolean {
  if (named.size < 3) return false;
  let chars = 0;
  for (const node of named) if (isElement(node)) chars += node.chars;
  return chars > most / 2;
}

function isAdvertising(element: ElementNode, known: Map<string, boolean>, most: number): boolean {
  if (tags.has(element.name)) return true;
  if (element.attributes.size === 0) return false;
  return namesItself(element, known) && !isPage(element, most);
}

/** What holds the page's heading, or most of its text, is no advertisement on it. */
function isPage(element: ElementNode, most: number): boolean {
  if (element.name === "html" || element.name === "body" || element.name === "main") return true;
  return element.chars > most || holds(element, ({ name }) => name === "h1" || name === "main");
}

function holds(element: ElementNode, test: (element: ElementNode) => boolean): boolean {
  return element.childNodes.some(child => isElement(child) && (test(child) || holds(child, test)));
}

function namesItself({ name, attributes: own }: ElementNode, known: Map<string, boolean>): boolean {
  for (const [key, value] of own) {
    if (key === "class" || key === "id" || key === "data-testid" || key === "data-component") {
      let isName = known.get(value);
      if (isName === undefined) {
        isName = isAdvertisingName(value);
        known.set(value, isName);
      }
      if (isName) return true;
    } else if (key === "aria-label" || key === "aria-roledescription" || key === "data-label") {
      if (name !== "a" && name !== "button" && isLabel(value)) return true;
    } else if (key.charCodeAt(0) === 100 && attributes.test(key)) {
      if (value !== "false" && value !== "0") return true;
    } else if (key === "src" && name === "iframe" && hosts.test(value)) return true;
  }
  return false;
}

/** Whether one of the names in a class or an id is that of an advertisement. */
export function isAdvertisingName(names: string): boolean {
  if (
    !/ad|pub|spons|promo|paid|werb|anzeig|anunc|rekl|mainos|annons|dfp|taboola|trc|outbrain|ob-|criteo|mgid|zerg|teads|mediavine|ezoic|raptive|freestar|playwire|nativo|sharethrough|aswift/i.test(
      names,
    )
  )
    return false;
  const all = names.trim().split(/\s+/);
  return all.some(name => advertising.some(pattern => pattern.test(name)) && !isOwn.test(name));
}

/** Whether a text says nothing but that something is an advertisement. */
export function isLabel(text: string): boolean {
  if (text.length > maxLabel * 2) return false;
  return labels.has(
    text
      .replace(/[\s\u00a0]+/g, " ")
      .replace(/^[^\p{L}]+|[^\p{L}]+$/gu, "")
      .toLowerCase(),
  );
}

/** Leaves out the boxes that a label in them marks. */
function withoutLabelled(children: PageNode[], most: number): PageNode[] {
  return children.filter(
    child =>
      !isElement(child) ||
      !boxTags.has(child.name) ||
      child.chars > maxLabelled ||
      !isLabelled(child, 0) ||
      isPage(child, most),
  );
}

/** Things that a page shows side by side. */
const unitTags = new Set(["li", "article", "tr"]);
const unitName =
  /(?:^|[-_\s])(?:card|item|result|tile|teaser|product|post|listing|entry)(?:\s|$|[-_](?!list|grid|page|detail|container|wrapper))/i;

function isUnit({ name, attributes: own }: ElementNode): boolean {
  return unitTags.has(name) || (own.size > 0 && unitName.test(own.get("class") ?? ""));
}

/**
 * Whether a box begins or ends with a label, and has more than that. In one of many things the label may be in its first
 * or last part.
 */
function isLabelled(box: ElementNode, steps: number): boolean {
  const children = box.childNodes.filter(child => !isText(child) || !child.isWhitespace);
  const ends = children.length > 1 ? [children[0], children.at(-1)] : children;
  const isSeenThrough = steps < maxSteps && (children.length === 1 || steps > 0 || isUnit(box));
  return ends.some(child => {
    if (!isElement(child)) return false;
    if (isLabelElement(child)) return box.chars > child.chars || holds(box, isShown) || steps > 0;
    return isSeenThrough && descends(child) && isLabelled(child, steps + 1);
  });
}

function isShown({ name }: ElementNode): boolean {
  return name === "img" || name === "iframe" || name === "video" || name === "picture";
}

/** A list or a table of things is not marked by the label of its first one. */
function descends({ name }: ElementNode): boolean {
  return name !== "ul" && name !== "ol" && name !== "table" && name !== "tbody" && name !== "main";
}

function isLabelElement(element: ElementNode): boolean {
  if (!labelTags.has(element.name) || element.chars === 0 || element.chars > maxLabel) return false;
  const text = labelText(element, maxDepth);
  return text !== undefined && isLabel(text);
}

const maxDepth = 4;

/** The text of an element that could be a label: it holds little, and no control. */
function labelText({ name, childNodes }: ElementNode, depth: number): string | undefined {
  if (depth === 0 || childNodes.length > maxDepth || name === "a" || name === "button") return undefined;
  let text = "";
  for (const child of childNodes) {
    const part = isText(child) ? child.text : labelText(child, depth - 1);
    if (part === undefined) return undefined;
    text += part;
  }
  return text;
}
