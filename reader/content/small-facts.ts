import { type ElementNode, findElement } from "../html/tree.ts";
import { endOf } from "./article-core.ts";
import { isList } from "./landmark-areas.ts";
import type { Frame, Outline, OutlinedBlock } from "./outline.ts";
import type { PageContext } from "./page-context.ts";
import { namesFurniture } from "./small-furniture.ts";
import { Surroundings } from "./surroundings.ts";

/**
 * What makes a part a fact: its element (a table, terms, a quotation with its author, an address), its name, or what its
 * lines say (hours, prices, telephone numbers).
 */
type FactForm = "element" | "name" | "lines";

/**
 * Keeps small facts that lie within the content with all that is in them. The model judges such short blocks one by one,
 * and the long prose of a page speaks against them.
 */
export function keepFacts(outline: Outline, kept: readonly boolean[], page: PageContext): boolean[] {
  const result = [...kept];
  const around = new Surroundings(outline, kept, page);
  const forms = new FactForms(outline, kept);
  let done = 0;
  for (const frame of outline.frames) {
    if (frame.firstBlock < done || frame.parent === null || around.isKept(frame)) continue;
    const place = around.placeOf(frame);
    const form = place === "outside" ? undefined : forms.of(frame);
    if (form === undefined || (place === "end" && form !== "element") || isFurniture(frame, form, around))
      continue;
    done = endOf(frame);
    for (let at = frame.firstBlock; at < done; at++)
      if (!isApart(outline.blocks[at]!, frame)) result[at] = true;
  }
  return result;
}

const elements = new Set("table dl blockquote address details menu".split(" "));
const inFigure = new Set("table blockquote pre dl".split(" "));
const named =
  /(?:^|[\s_-])(?:infobox|fact-?box|key-?facts|fact-?sheet|facts|hours|opening|contact\w*|specs?|specifications?)(?:$|[\s_-])/i;
/** Notes beside the text. */
const callout = /(?:^|\s)(?:callout(?:-\w+)?|warning|tip|note)(?:\s|$)/i;
const holders = new Set(["div", "aside", "section"]);
const mostNamedWords = 250;
const shortCode = 40;
const [mostLines, mostWords, leastFacts] = [30, 120, 0.4];

class FactForms {
  private readonly blocks: readonly OutlinedBlock[];
  /** Figures that are more than a picture. */
  private readonly figures = new Set<ElementNode>();
  /** Where some of a page's long code is content, all of it is. */
  private readonly keepsCode: boolean;

  constructor({ blocks, frames }: Outline, kept: readonly boolean[]) {
    this.blocks = blocks;
    this.keepsCode = blocks.some(({ parent }, at) => parent.name === "pre" && kept[at]);
    for (const { element, parent } of frames) if (inFigure.has(element.name)) this.addFigure(parent);
  }

  of(frame: Frame): FactForm | undefined {
    const { element, words, blocks } = frame;
    if (elements.has(element.name) || this.figures.has(element) || isPlainList(frame)) return "element";
    if (element.name === "pre") return this.keepsCode || words <= shortCode ? "element" : undefined;
    if (words <= mostNamedWords && isCallout(element)) return "element";
    if (words <= mostNamedWords && named.test(namesOf(element))) return "name";
    return words <= mostWords && blocks <= mostLines && this.saysFacts(frame) ? "lines" : undefined;
  }

  private addFigure(parent: Frame | null): void {
    let at = parent;
    for (let up = 0; up < 3 && at !== null && at.element.name !== "figure"; up++) at = at.parent;
    if (at?.element.name === "figure") this.figures.add(at.element);
  }

  /** Whether the lines of an element are labels and facts, and nothing else. */
  private saysFacts(frame: Frame): boolean {
    if (frame.proseWords > 0) return false;
    let facts = 0;
    for (let at = frame.firstBlock; at < endOf(frame); at++) if (isFact(this.blocks[at]!)) facts++;
    return facts > 0 && facts >= leastFacts * frame.blocks;
  }
}

function isCallout({ name, attributes }: ElementNode): boolean {
  return holders.has(name) && callout.test(attributes.get("class") ?? "");
}

/** A list whose items lead nowhere. */
function isPlainList(frame: Frame): boolean {
  return isList(frame.element) && frame.linkWords === 0 && frame.words <= mostNamedWords;
}

/** A time of day, a telephone number, a price, a number with its unit. */
const fact =
  /\d\s?[:.]\d\d\b|\b\d{1,2}\s?(?:am|pm|Uhr|h)\b|\+\d[\d ()./-]{6,}\d|\b\d{3,5}[ /-]\d{3,}|[$€£¥₹]\s?\d|\d\s?(?:[$€£¥₹]|kg|km|mm|cm|m²|GB|MB|kW|W|V|%)/;
const mailAddress = /[\w.]@[\w-]+\.\w/;
const mostFactChars = 200;

function isFact({ text, shape, linkChars, parent }: OutlinedBlock): boolean {
  if (text.length >= mostFactChars) return false;
  const says = (shape.digits > 0 && fact.test(text)) || (text.includes("@") && mailAddress.test(text));
  return says && (linkChars === 0 || holdsAddress(parent));
}

/** Whether something is linked that people call or write to. */
function holdsAddress(element: ElementNode): boolean {
  const isAddress = ({ name, attributes }: ElementNode) =>
    name === "a" && /^(?:tel|mailto):/.test(attributes.get("href") ?? "");
  return findElement(element, isAddress) !== undefined;
}

const writer = /(?:^|[\s_-])(?:authors?|writer|about-?me|profile)(?:$|[\s_-])/i;
const rights = /©|copyright|all rights reserved/i;
/** How far above a part its name is looked for, and how many lines contact data have. */
const [levels, contactLines] = [4, 10];

/** Whether a part is no content by itself: a list of links, or what its names or its heading say. */
function isFurniture(part: Frame, form: FactForm, around: Surroundings): boolean {
  if (around.isOfPost(part) || around.isBelowFurniture(part) || rights.test(around.firstText(part)))
    return true;
  if (part.linkWords > part.words / 2 && (part.blocks > contactLines || !holdsAddress(part.element)))
    return true;
  const mayBeWriter = form !== "element" || part.element.name === "address";
  let at = part;
  for (let level = 0; level < levels && at.parent !== null; level++) {
    const { element } = at;
    if (element.name === "article" || element.name === "main") return false;
    if (namesFurniture(element) || (mayBeWriter && writer.test(namesOf(element)))) return true;
    at = at.parent;
  }
  return false;
}

/** Whether a block in a part is no fact all the same. */
function isApart({ frame, text }: OutlinedBlock, part: Frame): boolean {
  if (text.includes("©")) return true;
  for (let at = frame; at !== part && at.parent !== null; at = at.parent)
    if (namesFurniture(at.element)) return true;
  return false;
}

function namesOf(element: ElementNode): string {
  return `${element.getAttribute("class")} ${element.getAttribute("id")}`;
}
