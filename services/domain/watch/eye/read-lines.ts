import { cleanTree } from "../../../../reader/clean/clean-tree.ts";
import { weighTree } from "../../../../reader/html/plain-text.ts";
import { type DocumentNode, type ElementNode, findElement, isElement } from "../../../../reader/html/tree.ts";
import { dropAdvertising } from "../../../../reader/lines/advertising.ts";
import { Places } from "../../../../reader/lines/places.ts";
import { type Made, showControls } from "../../../../reader/lines/show-controls.ts";
import { type RawLine, splitLines } from "../../../../reader/lines/split-lines.ts";
import { strikeOldPrices } from "../../../../reader/lines/strike-old-prices.ts";
import { readMetadata } from "../../../../reader/metadata/read-metadata.ts";
import { contextOf } from "../../../../reader/page/extract-page.ts";
import { urlResolver } from "../../../../reader/page/page-links.ts";
import type { Area, Line } from "../line.ts";
import { AreasOf } from "./areas-of.ts";
import { type FoundMain, keptMain, withMark } from "./known-main.ts";
import { findMainPlaces, type IsMain, type MainPlaces, placedMain } from "./main-places.ts";

export interface ReadLinesOptions {
  /** Where the main content was at the checks before. */
  main?: MainPlaces;
  /** The tree is what somebody has selected: all of it counts. */
  isSelected?: boolean;
  /** The tree is a document without anything around its content. */
  isDocument?: boolean;
}

export interface PageLines {
  lines: Line[];
  /** Where the main content is, for the next check; absent where it was not asked. */
  main?: MainPlaces;
}

/**
 * Reads a page as lines: all that a browser shows of it, in order, with its place and area. What names itself an
 * advertisement is left out. Changes the tree. Pure; time is linear in the page.
 */
export function readLines(root: DocumentNode, url: string, options: ReadLinesOptions = {}): PageLines {
  const resolve = urlResolver(root, url);
  const title = titleOf(root);
  const isJudged = options.main === undefined && !options.isSelected && !options.isDocument;
  const page = isJudged ? contextOf(readMetadata(root, resolve, url), url) : undefined;
  const given = bodyOf(root);
  weighTree(given);
  if (!options.isDocument) dropAdvertising(given);
  strikeOldPrices(given);
  const made = showControls(given, options.isSelected === true);
  const body = cleanTree(root, resolve);
  weighTree(body);
  const places = new Places(body);
  const areas = areasIn(body, made);
  const areaOf = (element: ElementNode) => areas.get(element);
  const raw = splitLines(body, made);
  const parts = { body, places, lines: raw };
  if (options.isSelected || options.isDocument)
    return { lines: linesOf(raw, places, title, { isMain: () => true, areas }, options) };
  const found = (options.main && keptMain(parts, options.main)) ?? judged();
  return {
    lines: linesOf(raw, places, title, { ...found, areas }, options),
    main: withMark(parts, found),
  };

  function judged(): FoundMain {
    const context = page ?? contextOf(readMetadata(root, resolve, url), url);
    const main = findMainPlaces(body, places, { page: context, made, areaOf });
    return { isMain: placedMain(body, places, main) ?? (() => true), main };
  }
}

function bodyOf(root: DocumentNode): ElementNode {
  return findElement(root, ({ name }) => name === "body") ?? root;
}

function titleOf(root: DocumentNode): string {
  const title = findElement(root, ({ name }) => name === "title");
  return title?.textContent.replace(/\s+/g, " ").trim().slice(0, 1000) ?? "";
}

/** The area of each element, by itself or by what is around it. */
function areasIn(body: ElementNode, made: Made): Map<ElementNode, Area | undefined> {
  const own = new AreasOf(body, made);
  const areas = new Map<ElementNode, Area | undefined>();
  const visit = (element: ElementNode, around: Area | undefined): void => {
    const area = element === body ? undefined : (own.of(element, around) ?? around);
    areas.set(element, area);
    for (const child of element.childNodes) if (isElement(child)) visit(child, area);
  };
  visit(body, undefined);
  return areas;
}

interface Found {
  isMain: IsMain;
  areas: Map<ElementNode, Area | undefined>;
}

function linesOf(
  raw: readonly RawLine[],
  places: Places,
  title: string,
  { isMain, areas }: Found,
  { isSelected = false }: ReadLinesOptions,
): Line[] {
  const lines = raw.map(({ text, holder, index, isControl }): Line => {
    const place = places.of(holder);
    return {
      text,
      place: index === 0 ? place : `${place}+${index}`,
      area: isMain(holder) ? "main" : besideMain(areas.get(holder)),
      ...(isControl && { isControl }),
    };
  });
  const named = titleLine(title, lines, isSelected);
  return named === undefined ? lines : [named, ...lines];
}

/** What is in the page's own frame of its content and yet no content, such as what shares it, is beside it. */
function besideMain(area: Area | undefined): Area {
  return area === undefined || area === "main" ? "aside" : area;
}

/** The document's title: a heading where the content has none, and left out where the heading says the same. */
function titleLine(title: string, lines: readonly Line[], isSelected: boolean): Line | undefined {
  if (title === "") return undefined;
  const heading = lines.find(({ text, area }) => area === "main" && /^(?:[->] )*# /.test(text));
  if (heading === undefined) return { text: isSelected ? title : `# ${title}`, place: "title", area: "main" };
  return lettersOf(heading.text) === lettersOf(title)
    ? undefined
    : { text: title, place: "title", area: "header" };
}

function lettersOf(text: string): string {
  return text.replace(/[^\p{L}\p{N}]/gu, "").toLowerCase();
}
