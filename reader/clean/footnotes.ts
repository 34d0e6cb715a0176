import {
  adopt,
  type ElementNode,
  findElement,
  indexIn,
  isBlock,
  isElement,
  isText,
  newElement,
  type PageNode,
  type TextNode,
} from "../html/tree.ts";
import { type PageAnchors, type ResolveUrl, targetOf } from "../page/page-links.ts";

/** The footnotes of a page: what refers to them, where they are, and the links back. */
export interface Footnotes {
  /** The label of the note that a link refers to. */
  references: ReadonlyMap<ElementNode, string>;
  /** The label of an element that is a note. */
  notes: ReadonlyMap<ElementNode, string>;
  backlinks: ReadonlySet<ElementNode>;
}

/** How far a reference may be from the element that its note links back to, and a note's link from the note. */
const maxNear = 3;
const maxDepthInNote = 8;
const maxLabel = 10;

const marked = /(?:^|[\s_-])(?:foot-?notes?|noteref|fnref|endnotes?)(?:$|[\s_-])/i;
const noteNames =
  /(?:^|[\s_.:-])(?:foot-?notes?|end-?notes?|references|fn|ftn|cite|ref|note)(?:$|[\s_.:\d-])/i;

/**
 * Finds footnotes by their structure, which generators of pages share: a short raised or bracketed link to a block that has
 * a link back. A link that says that it refers to a note needs no link back.
 */
export function findFootnotes(anchors: PageAnchors, isRead: (note: ElementNode) => boolean): Footnotes {
  const references = new Map<ElementNode, string>();
  const notes = new Map<ElementNode, string>();
  const backlinks = new Set<ElementNode>();
  const candidates = anchors.fragmentLinks.filter(isReference);
  if (candidates.length === 0) return { references, notes, backlinks };
  const returns = linksBack(anchors);
  const used = new Set<string>();
  for (const link of candidates) {
    // In the older kind of note, the link back looks like a reference.
    if (backlinks.has(link)) continue;
    const target = targetOf(link, anchors);
    const note = target && noteAt(target);
    if (note === undefined || !(notes.has(note) || isRead(note))) continue;
    const back = returns.get(note);
    const origin = back && near(link).find(element => back.has(element));
    if (origin === undefined && !(hasMark(link) && isNamedNote(note, target))) continue;
    const label = notes.get(note) ?? newLabel(link, notes.size + 1, used);
    notes.set(note, label);
    references.set(link, label);
    for (const backlink of (origin && back?.get(origin)) ?? []) backlinks.add(backlink);
  }
  return { references, notes, backlinks };
}

/** For each block that may be a note: where its links lead, and which they are. */
function linksBack(anchors: PageAnchors): Map<ElementNode, Map<ElementNode, ElementNode[]>> {
  const returns = new Map<ElementNode, Map<ElementNode, ElementNode[]>>();
  for (const link of anchors.fragmentLinks) {
    const origin = targetOf(link, anchors);
    if (origin === undefined) continue;
    for (const block of blocksAround(link)) {
      const links = returns.get(block) ?? new Map<ElementNode, ElementNode[]>();
      links.set(origin, [...(links.get(origin) ?? []), link].slice(-maxNear));
      returns.set(block, links);
    }
  }
  return returns;
}

function blocksAround(link: ElementNode): ElementNode[] {
  const found: ElementNode[] = [];
  let at = link.parentNode;
  for (let depth = 0; at !== null && depth < maxDepthInNote; depth++, at = at.parentNode)
    if (isBlock(at.name)) found.push(at);
  return found;
}

const never = new Set("body html main article table tr td th h1 h2 h3 h4 h5 h6 ul ol dl".split(" "));

/** The block that is a note, if it is one: the target, or the paragraph that begins with it. */
function noteAt(target: ElementNode): ElementNode | undefined {
  let at: ElementNode | null = target;
  for (let depth = 0; at !== null && !isBlock(at.name); depth++) {
    if (depth >= maxNear || !isFirst(at)) return undefined;
    at = at.parentNode;
  }
  return at === null || never.has(at.name) ? undefined : at;
}

function isFirst(node: ElementNode): boolean {
  return node.parentNode?.childNodes.find(child => !isText(child) || !child.isWhitespace) === node;
}

/** The link itself, what holds it and what it holds: generators give the id that a note links to to any of them. */
function near(link: ElementNode): ElementNode[] {
  const found = [link, ...link.childNodes.filter(isElement).slice(0, maxNear)];
  let at = link.parentNode;
  for (let depth = 0; at !== null && depth < maxNear && !isBlock(at.name); depth++, at = at.parentNode)
    found.push(at, ...at.childNodes.slice(0, maxNear).filter(isElement));
  return found;
}

function isReference(link: ElementNode): boolean {
  const text = link.textContent.trim();
  if (text === "" || text.length > maxLabel + 2) return false;
  return /^\[.+\]$/.test(text) || isRaised(link) || isMarked(link);
}

function isRaised(link: ElementNode): boolean {
  const isSup = (node: PageNode | null): boolean => isElement(node) && node.name === "sup";
  return isSup(link.parentNode) || isSup(link.parentNode?.parentNode ?? null) || link.childNodes.some(isSup);
}

function isMarked(link: ElementNode): boolean {
  const { attributes } = link;
  if (attributes.get("role") === "doc-noteref" || attributes.has("data-footnote-ref")) return true;
  return marked.test(attributes.get("class") ?? "");
}

/** Whether the link's text is a number or a sign, as that of a reference. */
function hasMark(link: ElementNode): boolean {
  return /^[[(]?(?:\w{0,4}\d|[^\d\s]{1,2})[\])]?$/.test(link.textContent.trim());
}

/** Whether the block, the target in it, or the list that it is in has the name of a note. */
function isNamedNote(note: ElementNode, target: ElementNode | undefined): boolean {
  return [note, target, note.parentNode, note.parentNode?.parentNode].some(
    it => isElement(it) && noteNames.test(`${it.getAttribute("class")} ${it.getAttribute("id")}`),
  );
}

/** The reference's own text if it can be a label, else the note's number. */
function newLabel(link: ElementNode, number: number, used: Set<string>): string {
  const own = link.textContent
    .trim()
    .replace(/^\[|\]$/g, "")
    .trim()
    .replace(/\s+/g, "-");
  const isLabel = /^[\p{L}\p{N}_-]+$/u.test(own) && !used.has(own);
  let label = isLabel ? own : String(number);
  if (used.has(label)) label = `${own === "" ? "note" : label}-${number}`;
  used.add(label);
  return label;
}

/** Marks a reference to a note as what it is. */
export function markReference(link: ElementNode, { references }: Footnotes, resolve: ResolveUrl): PageNode[] {
  link.attributes.set("data-footnote", references.get(link) ?? "");
  link.attributes.set("href", resolve(link.getAttribute("href")) ?? "");
  return [link];
}

/** Whether the element is a link to a note or back from it. */
export function isNoteLink(element: ElementNode, { references, backlinks }: Footnotes): boolean {
  return references.size > 0 && element.name === "a" && (references.has(element) || backlinks.has(element));
}

/** Removes the brackets around a link, which only decorate it. `before` is what was written before it. */
export function unbracket(link: ElementNode, before: PageNode[]): void {
  const opening = before.at(-1);
  const closing = link.parentNode?.childNodes[indexIn(link.parentNode, link) + 1];
  if (opening === undefined || closing === undefined || !isText(opening) || !isText(closing)) return;
  if (!/\[\s*$/.test(opening.text) || !/^\s*\]/.test(closing.text)) return;
  opening.text = opening.text.replace(/\[\s*$/, "");
  closing.text = closing.text.replace(/^\s*\]/, "");
  if (opening.text === "") before.pop();
}

const backHolder = /(?:^|[\s_-])(?:backlink|back-?refs?|label)(?:$|[\s_-])/i;

/** Whether the element is a link back from a note, or a `span` that only holds such links and their marks. */
export function isLinkBack(element: ElementNode, { backlinks }: Footnotes): boolean {
  if (element.name === "a") return backlinks.has(element);
  if (element.name !== "span" || !backHolder.test(element.getAttribute("class"))) return false;
  return findElement(element, inner => backlinks.has(inner)) !== undefined;
}

/** The content of a note, marked as what it is, without the label that it begins with. */
export function noteOf(label: string, note: ElementNode): ElementNode {
  const first = firstText(note);
  const mark = /^\s*[[(]?([\p{L}\p{N}_-]{1,10})(?:[\].):]+\s*|\s*$)/u.exec(first?.text ?? "");
  const isWhole = mark?.[0] === first?.text && first?.parentNode === note;
  if (first !== undefined && mark?.[1] === label && !isWhole) first.text = first.text.slice(mark[0].length);
  adopt(note, [newElement("footnote", { label }, note.childNodes)]);
  return note;
}

function firstText(parent: ElementNode): TextNode | undefined {
  for (const child of parent.childNodes) {
    if (isText(child) && child.isWhitespace) continue;
    return isText(child) ? child : firstText(child);
  }
  return undefined;
}
