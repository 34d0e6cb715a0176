import { weighTree } from "../html/plain-text.ts";
import {
  adopt,
  type ElementNode,
  findElement,
  hasText,
  isElement,
  newElement,
  type PageNode,
  TextNode,
  type Weight,
} from "../html/tree.ts";
import { isEmptyItem, isInList, nestList } from "../markdown/lists.ts";
import { type PageAnchors, type ResolveUrl, readAnchors } from "../page/page-links.ts";
import { isAdmonition, quoteAdmonition } from "./admonition.ts";
import { ampContent, cleanLink, objectAddress, objectContent, player } from "./clean-link.ts";
import { codeListing, flattenLayoutTable, isButtonCell } from "./clean-table.ts";
import { joinLines } from "./code-lines.ts";
import { emphasiseAs, emphasisOf, isEmphasis } from "./emphasis.ts";
import {
  type Footnotes,
  findFootnotes,
  isLinkBack,
  isNoteLink,
  markReference,
  noteOf,
  unbracket,
} from "./footnotes.ts";
import { type FormulaBudget, isFormula, newFormulaBudget, readFormula } from "./formula.ts";
import {
  isAllButton,
  isHidden,
  isMarkedByClass,
  isPanel,
  isPanelTitle,
  isRead,
  isSpokenOnly,
  placeLeft,
  revealPage,
} from "./hidden.ts";
import { emojiOf, fallbackImage, iconInCell, mendImage, pictureImage } from "./lazy-image.ts";
import { asListing, isEditLink, isLanguageLabel } from "./listing.ts";
import { elementByRole } from "./roles.ts";
import { flattenShadow, shadowTemplate, showServerContent } from "./server-content.ts";
import { followsLabel, labelPanels } from "./tab-panels.ts";
import { gatherItems, wordItem } from "./word-list.ts";

const dropped = new Set(
  (
    "head title meta link base applet canvas param select option optgroup datalist textarea " +
    "progress meter dialog template slot-fallback map area source track rp"
  ).split(" "),
);
const maxQuoteDepth = 12;

/**
 * Removes what no reader sees (form controls, hidden elements, tracking pixels) and normalises the rest in place:
 * absolute URLs, real images for lazy ones, plain blocks for layout tables, links for players and frames, TeX for formulas,
 * code without its line numbers, notes that are marked as such. Keeps hidden content that a control of the page opens.
 * Returns the body.
 */
export function cleanTree(root: ElementNode, resolve: ResolveUrl): ElementNode {
  const body = findElement(root, ({ name }) => name === "body") ?? root;
  let anchors = readAnchors(body);
  if (showServerContent(body, anchors.serverContent)) anchors = readAnchors(body);
  const weigh = weighTree(body);
  revealPage(body, weigh);
  labelPanels(anchors.tabLists, anchors.target);
  const page = {
    resolve,
    anchors,
    notes: findFootnotes(anchors, note => isRead(note, anchors.controlled, weigh)),
    formulas: newFormulaBudget(),
    marked: new Map<string, boolean>(),
    hasWordItems: false,
    weigh,
  };
  cleanChildren(body, { page, quoteDepth: 0, keepsButtons: false, emphasis: "", isInObject: false });
  return body;
}

/** What is known of the whole page. */
interface Page {
  resolve: ResolveUrl;
  anchors: PageAnchors;
  notes: Footnotes;
  formulas: FormulaBudget;
  /** Tells for each list of classes whether its elements may be formulas, admonitions, labels of code, or for screen readers only. */
  marked: Map<string, boolean>;
  /** Whether there are items of lists that are not in a list yet. */
  hasWordItems: boolean;
  weigh(element: ElementNode): Weight;
}

/** The position of an element. */
interface Place {
  page: Page;
  quoteDepth: number;
  /** Within a heading that consists of a button. */
  keepsButtons: boolean;
  /** The kinds of emphasis around it. */
  emphasis: string;
  isInObject: boolean;
}

/** Where nothing changes, an element keeps its list of children. */
function cleanChildren(parent: ElementNode, place: Place): void {
  const template = place.page.anchors.hasShadow ? shadowTemplate(parent) : undefined;
  if (template !== undefined) flattenShadow(parent, template);
  const given = parent.childNodes;
  let children: PageNode[] | undefined;
  for (let at = 0; at < given.length; at++) {
    const child = given[at] as PageNode;
    if (!isElement(child)) {
      children?.push(child);
      continue;
    }
    if (looksBack(child, place.page)) children ??= given.slice(0, at);
    if (children !== undefined && followsLabel(child, children)) children.push(new TextNode(" ", parent));
    const cleaned = cleanElement(child, children ?? nothing, place);
    if (cleaned === child) children?.push(child);
    else {
      children ??= given.slice(0, at);
      for (const node of Array.isArray(cleaned) ? cleaned : [cleaned]) children.push(node);
    }
  }
  if (children !== undefined) adopt(parent, place.page.hasWordItems ? gatherItems(children) : children);
}

const nothing: PageNode[] = [];

/** Whether cleaning an element depends on what is before it, or changes that. */
function looksBack(element: ElementNode, { notes }: Page): boolean {
  const { name } = element;
  if (name === "label" || name === "noscript") return true;
  if (name === "ul" || name === "ol") return isInList(element);
  return isNoteLink(element, notes);
}

/** What an element becomes; it is itself where it stays in its place. */
type Cleaned = ElementNode | PageNode[];

function cleanElement(element: ElementNode, before: PageNode[], place: Place): Cleaned {
  const { page } = place;
  const isMarked = isMarkedByClass(element, page.marked);
  if ((isMarked || formulaTags.has(element.name)) && isFormula(element)) {
    const formula = readFormula(element, page.formulas);
    if (formula !== undefined) return formula;
  }
  if (isNoteLink(element, page.notes)) unbracket(element, before);
  if (isLeftOut(element, page, isMarked)) return placeLeft(element);
  return cleanLeaf(element, before, place) ?? cleanBranch(element, before, place, isMarked);
}

/** Elements that are taken or replaced as a whole. */
function cleanLeaf(element: ElementNode, before: PageNode[], place: Place): Cleaned | undefined {
  const { resolve } = place.page;
  switch (element.name) {
    case "button":
      return cleanButton(element, place);
    case "noscript":
      return fallbackImage(element, before, resolve);
    case "input":
      return element.getAttribute("type").toLowerCase() === "checkbox" ? element : [];
    case "img":
      return emojiOf(element) ?? (mendImage(element, resolve) ? element : []);
    case "picture":
      return pictureImage(element, resolve);
    case "iframe":
    case "video":
    case "audio":
    case "embed":
      return player(element, resolve);
    case "object": {
      const address = objectAddress(element);
      cleanChildren(element, { ...place, isInObject: true });
      return objectContent(element, { address, isInner: place.isInObject, resolve });
    }
    default:
      return element.name.startsWith("amp-") ? ampContent(element, resolve) : iconInCell(element);
  }
}

function isLeftOut(element: ElementNode, { notes, anchors, weigh }: Page, isMarked: boolean): boolean {
  if (dropped.has(element.name)) return true;
  if (element.attributes.size === 0) return false;
  if (isMarked && isSpokenOnly(element)) return true;
  if (isHidden(element)) return !isPanel(element, anchors.controlled, weigh(element));
  if (notes.backlinks.size > 0 && isLinkBack(element, notes)) return true;
  return isMarked && (isEditLink(element) || isLanguageLabel(element));
}

function cleanBranch(element: ElementNode, before: PageNode[], place: Place, isMarked: boolean): Cleaned {
  const { page, quoteDepth } = place;
  const own = emphasisOf(element);
  const kinds = own.length === 0 ? own : own.filter(kind => !place.emphasis.includes(kind));
  const isNote = (isMarked || element.attributes.has("data-callout")) && isAdmonition(element);
  const isQuote = isNote || quoting.has(element.name);
  const isButton = !place.keepsButtons && (isAllButton(element) || isButtonCell(element));
  if (kinds.length === 0 && !isQuote && !isButton) cleanChildren(element, place);
  else
    cleanChildren(element, {
      page,
      quoteDepth: isQuote ? quoteDepth + 1 : quoteDepth,
      keepsButtons: place.keepsButtons || isButton,
      isInObject: place.isInObject,
      emphasis: kinds.length === 0 ? place.emphasis : [place.emphasis, ...kinds].join(" "),
    });
  // Each level of quotes and lists prefixes every line below it; a page of nothing but levels must not grow so.
  if (isQuote && quoteDepth >= maxQuoteDepth) return element.childNodes;
  if (isNote) return quoteAdmonition(element);
  if (quoteDepth > maxQuoteDepth && items.has(element.name))
    return [newElement("div", {}, element.childNodes)];
  if (kinds.length > 0 || isEmphasis(element)) return emphasiseAs(kinds, element);
  const label = page.notes.notes.size === 0 ? undefined : page.notes.notes.get(element);
  return finish(label === undefined ? element : noteOf(label, element), before, page);
}

function finish(element: ElementNode, before: PageNode[], page: Page): Cleaned {
  switch (element.name) {
    case "p": {
      const item = wordItem(element);
      page.hasWordItems ||= item !== undefined;
      return item ?? elementByRole(element) ?? element;
    }
    case "rt":
      return annotation(element);
    case "a":
      return page.notes.references.has(element)
        ? markReference(element, page.notes, page.resolve)
        : cleanLink(element, page.resolve);
    case "li":
      return bullets.has(element.parentNode?.name ?? "") && isEmptyItem(element)
        ? apart([], element)
        : element;
    case "ul":
    case "ol":
      return nestList(element, before);
    case "code":
      return asListing(element) ?? element;
    case "table":
      return codeListing(element) ?? flattenLayoutTable(element);
    case "menu":
      return isPoints(element)
        ? newElement("ul", Object.fromEntries(element.attributes), element.childNodes)
        : element;
    case "cite":
      return isQuoter(element) ? newElement("div", {}, element.childNodes) : element;
    case "footer":
      return element.parentNode?.name === "blockquote" ? newElement("div", {}, element.childNodes) : element;
    default:
      return joinLines(element) ?? asListing(element) ?? elementByRole(element) ?? element;
  }
}

/** Whether an element is the source at the end of a quotation, which is a line of its own. */
function isQuoter(element: ElementNode): boolean {
  const { parentNode } = element;
  if (parentNode?.name !== "blockquote") return false;
  const last = parentNode.childNodes.findLast(child => isElement(child) || !child.isWhitespace);
  return last === element && parentNode.childNodes[0] !== element;
}

/** Whether a menu is a list of what it says, not of links or buttons. */
function isPoints({ chars, linkChars }: ElementNode): boolean {
  return chars > 0 && linkChars < chars / 2;
}

/** A button is the title of what it opens, or no content. */
function cleanButton(button: ElementNode, place: Place): PageNode[] {
  const { anchors, weigh } = place.page;
  const opensPanel = (id: string): boolean => {
    const panel = anchors.target(id);
    return panel !== undefined && isHidden(panel) && isPanel(panel, anchors.controlled, weigh(panel));
  };
  if (!place.keepsButtons && !isPanelTitle(button, opensPanel)) return [];
  cleanChildren(button, place);
  if (place.keepsButtons) return apart(button.childNodes, button);
  const title = newElement("strong", {}, button.childNodes);
  return [newElement("p", Object.fromEntries(button.attributes), [title])];
}

const formulaTags = new Set(["math", "tex", "mjx-container"]);
const bullets = new Set(["ul", "menu", "dir"]);
const quoting = new Set(["blockquote", "ul", "ol", "menu", "dl"]);

const items = new Set(["li", "dd", "dt"]);

/** The content of a removed element, separated from the words around it. */
function apart(nodes: PageNode[], parent: ElementNode): PageNode[] {
  return [new TextNode(" ", parent), ...nodes, new TextNode(" ", parent)];
}

/** The pronunciation of a word, in brackets as browsers without ruby show it. */
function annotation(element: ElementNode): PageNode[] {
  if (!hasText(element)) return apart([], element);
  const bracket = (text: string) => {
    const node = newElement("rp", {}, []);
    node.childNodes.push(new TextNode(text, node));
    return node;
  };
  return [bracket("("), element, bracket(")")];
}
