import {
  adopt,
  type ElementNode,
  findElements,
  isElement,
  isText,
  newElement,
  type PageNode,
  TextNode,
} from "../html/tree.ts";

/** Whether an element holds the labels of tabs: by its role, or as MkDocs and VitePress write them. */
export function isTabList({ attributes }: ElementNode): boolean {
  if (attributes.get("role") === "tablist") return true;
  const classes = attributes.get("class");
  return classes === "tabbed-labels" || classes === "tabs";
}

/** Finds an element by its id. */
type Target = (id: string) => ElementNode | undefined;

const maxLabel = 80;
const maxTabs = 30;
/** The search for panels may go through the rest of the page; what has more lists is no page of tabs. */
const maxLists = 100;

/**
 * Puts the label of each tab before its panel, as a reader sees them one after the other. Leaves a list of tabs alone
 * unless each has a panel of its own.
 */
export function labelPanels(lists: readonly ElementNode[], target: Target): void {
  for (const list of lists.slice(0, maxLists)) {
    const tabs = tabsOf(list);
    if (tabs.length < 2 || tabs.length > maxTabs) continue;
    const labels = tabs.map(tab => tab.textContent.replace(/\s+/g, " ").trim());
    if (labels.some(label => label === "" || label.length > maxLabel)) continue;
    const panels = panelsOf(list, tabs, target);
    if (panels === undefined) continue;
    adopt(list, []);
    for (const [at, panel] of panels.entries()) beginWith(panel, labels[at] as string);
  }
}

function tabsOf(list: ElementNode): ElementNode[] {
  const byRole = findElements(list, ({ attributes }) => attributes.get("role") === "tab");
  return byRole.length > 0
    ? byRole
    : list.childNodes.filter(isElement).filter(({ name }) => name === "label");
}

function panelsOf(
  list: ElementNode,
  tabs: readonly ElementNode[],
  target: Target,
): ElementNode[] | undefined {
  const named = tabs.map(tab => target(tab.getAttribute("aria-controls")));
  const panels = named.every(panel => panel !== undefined) ? named : panelsBeside(list);
  const isFit = panels.length === tabs.length && new Set(panels).size === panels.length;
  return isFit && panels.every(panel => isPanelOf(panel, list)) ? panels : undefined;
}

/** The panels that follow a list of tabs: those with the role, or the children of the element after it. */
function panelsBeside(list: ElementNode): ElementNode[] {
  const siblings = list.parentNode?.childNodes.filter(isElement) ?? [];
  const following = siblings.slice(siblings.indexOf(list) + 1).slice(0, maxTabs);
  const byRole = following.flatMap(sibling =>
    sibling.attributes.get("role") === "tabpanel"
      ? [sibling]
      : findElements(sibling, ({ attributes }) => attributes.get("role") === "tabpanel"),
  );
  return byRole.length > 0 ? byRole : (following[0]?.childNodes.filter(isElement) ?? []);
}

const boxes = new Set(["div", "section", "article", "li"]);

function isPanelOf(panel: ElementNode, list: ElementNode): boolean {
  if (!boxes.has(panel.name)) return false;
  for (let at: ElementNode | null = list; at !== null; at = at.parentNode) if (at === panel) return false;
  for (let at: ElementNode | null = panel; at !== null; at = at.parentNode) if (at === list) return false;
  return true;
}

/** Nothing where the panel begins with its label. */
function beginWith(panel: ElementNode, label: string): void {
  if (firstText(panel) === label) return;
  const strong = newElement("strong", {}, []);
  adopt(strong, [new TextNode(label, strong)]);
  adopt(panel, [newElement("p", {}, [strong]), ...panel.childNodes]);
}

function firstText(node: ElementNode): string {
  for (const child of node.childNodes) {
    const text = isText(child) ? child.text.trim() : firstText(child);
    if (text !== "") return text;
  }
  return "";
}

/** Separates labels side by side, as those of tabs. */
export function followsLabel(label: ElementNode, before: PageNode[]): boolean {
  const previous = before.at(-1);
  return label.name === "label" && isElement(previous) && previous.name === "label";
}
