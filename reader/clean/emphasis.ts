import {
  adopt,
  type ElementNode,
  findElement,
  hasText,
  isBlock,
  isElement,
  newElement,
  type PageNode,
} from "../html/tree.ts";

const kinds = new Map([
  ["b", "strong"],
  ["strong", "strong"],
  ["i", "em"],
  ["em", "em"],
  ["s", "del"],
  ["strike", "del"],
  ["del", "del"],
]);
/** Blocks that have no emphasis: headings are bold anyway, code is verbatim. */
const plain = new Set("h1 h2 h3 h4 h5 h6 pre hr table ul ol dl iframe video audio".split(" "));

/** Whether an element is nothing but its emphasis, by its name. */
export function isEmphasis({ name }: ElementNode): boolean {
  return kinds.has(name);
}

/** Elements whose style may give or take emphasis. */
const styled = new Set(["span", "font", ...kinds.keys()]);
const weight = /font-weight\s*:\s*(?:(bold|[6-9]00)|(normal|lighter|[1-4]00))/i;
const slope = /font-style\s*:\s*(?:(italic|oblique)|(normal))/i;
const struck = /text-decoration(?:-line)?\s*:[^;]{0,60}line-through/i;
const maxStyle = 2000;
const none: readonly string[] = [];
const single = new Map([...kinds.values()].map(kind => [kind, [kind]]));

/** The kinds of emphasis of an element, by its name (`b` and `strong` are of one kind) and its own style. */
export function emphasisOf({ name, attributes, parentNode }: ElementNode): readonly string[] {
  const kind = kinds.get(name);
  const style = attributes.size > 0 && styled.has(name) ? attributes.get("style") : undefined;
  const own = kind === undefined ? none : (single.get(kind) ?? none);
  if (style === undefined || style.length > maxStyle) return own;
  const found = new Set(own);
  const take = (emphasis: string, [, given, taken]: RegExpExecArray | []): void => {
    if (given !== undefined) found.add(emphasis);
    if (taken !== undefined) found.delete(emphasis);
  };
  take("em", slope.exec(style) ?? []);
  if (!isInHeading(parentNode)) take("strong", weight.exec(style) ?? []);
  if (struck.test(style)) found.add("del");
  return [...found];
}

/** A heading is bold anyway. */
function isInHeading(parent: ElementNode | null, depth = 0): boolean {
  if (parent === null || depth > 3) return false;
  return /^(?:h[1-6]|th|dt|summary)$/.test(parent.name) || isInHeading(parent.parentNode, depth + 1);
}

/** Puts emphasis of these kinds around the content of an element, the first outermost. */
export function emphasiseAs(kinds: readonly string[], element: ElementNode): PageNode[] {
  let content: PageNode[] = [element];
  for (const kind of kinds.toReversed()) {
    const inner = content[0] === element ? element.childNodes : content;
    content = spreadEmphasis(newElement(kind, {}, inner));
  }
  return content[0] === element ? element.childNodes : content;
}

/**
 * Markdown has no emphasis around blocks: each block with text of its own gets it, and each run of text between them.
 * Returns the content; emphasis around a line of text stays as it is.
 */
function spreadEmphasis(element: ElementNode): PageNode[] {
  if (!holdsBlock(element)) return [element];
  return spread(element, element);
}

function holdsBlock(element: ElementNode): boolean {
  return findElement(element, ({ name }) => isBlock(name)) !== undefined;
}

function spread(parent: ElementNode, emphasis: ElementNode): PageNode[] {
  const result: PageNode[] = [];
  let run: PageNode[] = [];
  const endRun = (): void => {
    const wrapper = newElement(emphasis.name, Object.fromEntries(emphasis.attributes), run);
    result.push(...(run.length > 0 && hasText(wrapper) ? [wrapper] : run));
    run = [];
  };
  for (const child of parent.childNodes) {
    if (!isElement(child) || !(isBlock(child.name) || holdsBlock(child))) {
      run.push(child);
      continue;
    }
    endRun();
    if (!plain.has(child.name) || child.name === "ul" || child.name === "ol")
      adopt(child, plain.has(child.name) ? items(child, emphasis) : spread(child, emphasis));
    result.push(child);
  }
  endRun();
  return result;
}

function items(list: ElementNode, emphasis: ElementNode): PageNode[] {
  for (const item of list.childNodes) if (isElement(item)) adopt(item, spread(item, emphasis));
  return list.childNodes;
}
