import { type ElementNode, isElement, type Weight } from "../html/tree.ts";
import { admonitionClass } from "./admonition.ts";
import { labelClass } from "./clean-table.ts";
import { mathClass } from "./formula.ts";

const kept = new Set(["html", "body", "main", "article"]);

/** Whether a browser does not show the element, unless a script or a click does. */
export function isHidden(element: ElementNode): boolean {
  const { attributes, name } = element;
  if (attributes.size === 0 || kept.has(name)) return false;
  const hidden = attributes.get("hidden");
  // React streams parts of a page as hidden blocks named `S:<n>`, which its script moves into place.
  if (hidden !== undefined && hidden !== "until-found")
    return attributes.get("id")?.startsWith("S:") !== true;
  if (attributes.get("aria-hidden") === "true" && name !== "img") return true;
  const style = attributes.get("style");
  return style !== undefined && /(?:display\s*:\s*none|visibility\s*:\s*hidden)/i.test(style);
}

/** A cell that is not read keeps its place, unless a browser gives it none: the cells after it stay in theirs. */
export function placeLeft(element: ElementNode): ElementNode | [] {
  const isCell = element.name === "td" || element.name === "th";
  if (!isCell || isUnplaced(element)) return [];
  element.childNodes = [];
  return element;
}

/** Whether a hidden element takes no place among those beside it. */
function isUnplaced({ attributes }: ElementNode): boolean {
  return attributes.has("hidden") || /display\s*:\s*none/i.test(attributes.get("style") ?? "");
}

const spokenOnlyClass =
  /(?:^|\s)(?:sr-only|visually-?hidden|screen-reader-(?:text|only)|hidden-visually|a11y-hidden|u-visually-hidden)(?:\s|$)/i;

/** Whether only screen readers read the element. The page's own title counts as content all the same. */
export function isSpokenOnly({ name, attributes }: ElementNode): boolean {
  const classes = attributes.get("class");
  return classes !== undefined && name !== "h1" && !kept.has(name) && spokenOnlyClass.test(classes);
}

/** Parts of more than these shares of a page's text or prose are the page itself. */
const mostText = 0.5;
const mostProse = 0.6;

/** Reads a page that is hidden until its script has run (streamed or faded in) as if the script had run. */
export function revealPage(body: ElementNode, weigh: (element: ElementNode) => Weight): void {
  const whole = weigh(body);
  const isMost = (element: ElementNode): boolean => {
    const { chars, proseChars } = weigh(element);
    return (
      chars > mostText * whole.chars || (whole.proseChars > 0 && proseChars > mostProse * whole.proseChars)
    );
  };
  let at: ElementNode | undefined = body;
  while (at !== undefined) {
    if (isHidden(at) && !isFurniture(at))
      for (const name of ["hidden", "aria-hidden", "style"]) at.attributes.delete(name);
    at = at.childNodes.find((child): child is ElementNode => isElement(child) && isMost(child));
  }
  revealHidden(body, weigh);
}

/** Characters of prose: a page shows less before its script has run, and has at least so many hidden. */
const [littleProse, muchProse] = [200, 500];

/** If nearly all prose of a page is hidden, reveals the element that has most of it, which a script shows when it is ready. */
function revealHidden(body: ElementNode, weigh: (element: ElementNode) => Weight): void {
  const { proseChars } = weigh(body);
  if (proseChars < muchProse) return;
  const hidden: ElementNode[] = [];
  let left = proseChars;
  const visit = (parent: ElementNode): void => {
    for (const child of parent.childNodes) {
      if (!isElement(child) || weigh(child).proseChars === 0) continue;
      if (!isHidden(child)) visit(child);
      else {
        left -= weigh(child).proseChars;
        if (!isFurniture(child) && !isOnlyFurniture(child)) hidden.push(child);
      }
    }
  };
  visit(body);
  const [most] = hidden.sort((a, b) => weigh(b).proseChars - weigh(a).proseChars);
  if (most === undefined || left >= littleProse || weigh(most).proseChars < muchProse) return;
  for (const name of ["hidden", "aria-hidden", "style"]) most.attributes.delete(name);
}

/** Whether all that an element holds is one element of the page's frame. */
function isOnlyFurniture({ childNodes }: ElementNode): boolean {
  const elements = childNodes.filter(isElement);
  return elements.length === 1 && elements.every(isFurniture);
}

/** What a control of the page opens beside the content rather than in it. */
const furnitureTags = new Set(["nav", "header", "footer", "dialog", "menu", "search", "aside", "select"]);
const furnitureRoles = new Set(
  "dialog alertdialog menu menubar listbox tooltip navigation search status alert banner contentinfo".split(
    " ",
  ),
);
const furnitureWords = new Set(
  (
    "modal menu nav navbar navigation submenu megamenu cookie cookies consent gdpr onetrust popup dropdown flyout drawer " +
    "overlay lightbox tooltip toast filter filters cart minicart bag search login signin share newsletter header footer " +
    "sidebar mobile lang language loading loader spinner"
  ).split(" "),
);
const disclosureWords = new Set(
  (
    "accordion accordian accordions faq faqs tab tabs tabpanel tabbed collapse collapsed collapsible collapsable expand " +
    "expanded expander expandable toggle answer question disclosure panel details readmore"
  ).split(" "),
);

function isFurniture(element: ElementNode): boolean {
  if (furnitureTags.has(element.name)) return true;
  return furnitureRoles.has(element.getAttribute("role")) || hasWord(element, furnitureWords);
}

/** Whether the element is in a menu, a dialog or the like, where nothing hidden is content. */
export function isInFurniture({ parentNode }: ElementNode): boolean {
  if (parentNode === null || parentNode.name === "body") return false;
  parentNode.isFurnished ??= isFurniture(parentNode) || isInFurniture(parentNode);
  return parentNode.isFurnished;
}

/** The browser marks so what a style sheet hides beside a control that opens it. */
const panelMark = "data-magpie-panel";

/**
 * Whether a hidden element holds content that a control of the page opens: a panel of tabs, of an accordion, an answer. Other
 * hidden elements are menus, dialogs, slides and templates. A panel of links only is a menu.
 */
export function isPanel(
  panel: ElementNode,
  controlled: ReadonlySet<string>,
  { chars, linkChars }: Weight,
): boolean {
  if (isFurniture(panel) || isInFurniture(panel)) return false;
  if (panel.getAttribute("role") === "tabpanel") return true;
  if (linkChars > chars / 2) return false;
  if (panel.attributes.has(panelMark)) return true;
  return controlled.has(panel.getAttribute("id")) || hasWord(panel, disclosureWords);
}

/** Whether neither the element nor what holds it is removed as hidden. */
export function isRead(
  element: ElementNode,
  controlled: ReadonlySet<string>,
  weigh: (element: ElementNode) => Weight,
): boolean {
  if (isHidden(element) && !isPanel(element, controlled, weigh(element))) return false;
  return element.parentNode === null || isRead(element.parentNode, controlled, weigh);
}

/** Whether a button is the title of a part of the content, as a question is that opens its answer. */
export function isPanelTitle(button: ElementNode, openable: (id: string) => boolean): boolean {
  const { attributes, parentNode } = button;
  const isQuestion = button.textContent.trim().endsWith("?");
  if (!isQuestion && !attributes.has("aria-expanded")) return false;
  if (attributes.has("aria-haspopup") || isFurniture(button) || isInFurniture(button)) return false;
  return (
    isQuestion ||
    hasWord(button, disclosureWords) ||
    (parentNode !== null && hasWord(parentNode, disclosureWords)) ||
    openable(button.getAttribute("aria-controls"))
  );
}

/** A heading that consists of a button, as in an accordion or above a column to sort by, gets the text of the button. */
const titles = new Set(["h1", "h2", "h3", "h4", "h5", "h6", "dt", "summary", "legend", "caption", "th"]);

export function isAllButton(element: ElementNode): boolean {
  return titles.has(element.name) && !hasTextBesideButtons(element);
}

function hasTextBesideButtons(element: ElementNode): boolean {
  return element.childNodes.some(child =>
    isElement(child) ? child.name !== "button" && hasTextBesideButtons(child) : !child.isWhitespace,
  );
}

/** Whether a class or the id has one of the words: `faq__answer`, `CardAccordion`. */
function hasWord({ attributes }: ElementNode, words: ReadonlySet<string>): boolean {
  const label = `${attributes.get("class") ?? ""} ${attributes.get("id") ?? ""}`;
  return (
    label.length > 1 &&
    label.split(/[\s_\-:/]+|(?<=[a-z])(?=[A-Z])/).some(part => words.has(part.toLowerCase()))
  );
}

/** Classes of formulas, admonitions, labels of code, and of what is for screen readers only. */
const markingClasses = [mathClass, admonitionClass, labelClass, spokenOnlyClass];
/** A part of each of them; most classes have none. */
const anyMark =
  /math|katex|mjx|matex|ltx|admonition|alert|block|aside|information|lang|edit|react|reader|only|hidden/i;

/** Whether the element's class is one of those that the cleaning looks for. Pages repeat theirs: `known` has the answers. */
export function isMarkedByClass({ attributes }: ElementNode, known: Map<string, boolean>): boolean {
  const classes = attributes.size === 0 ? undefined : attributes.get("class");
  if (classes === undefined) return false;
  let isMarked = known.get(classes);
  if (isMarked === undefined) {
    isMarked = anyMark.test(classes) && markingClasses.some(pattern => pattern.test(classes));
    known.set(classes, isMarked);
  }
  return isMarked;
}
