import { escapeHtml } from "../text/escape-html.ts";
import { type Parts, unpack } from "./archive.ts";
import { DocumentError } from "./broken-document.ts";
import { documentHtml } from "./document-html.ts";
import { formulaHtml } from "./docx-formulas.ts";
import { blocksHtml, type ListedBlock, styledHtml } from "./list-html.ts";
import { officeFacts, pictureText, targetsOf } from "./office-package.ts";
import type { OfficeHtml } from "./read-docx.ts";
import {
  childOf,
  elementsIn,
  findAll,
  isElement,
  readTree,
  textIn,
  type XmlBudget,
  type XmlElement,
} from "./read-xml.ts";
import { chartHtml, diagramHtml } from "./slide-figures.ts";

/** Unpacked, of all slides. */
const maxBytes = 48 * 1024 * 1024;
const maxElements = 400_000;
const maxSlides = 1000;
const needs =
  /^(docProps\/core\.xml|ppt\/(?:presentation\.xml|_rels\/presentation\.xml\.rels|(?:slides|notesSlides|charts|diagrams)\/[^:]*\.(?:xml|rels)))$/i;

interface Slide {
  parts: Parts;
  targets: Map<string, string>;
  budget: XmlBudget;
  title: string;
}

/** Reads a presentation as HTML: a section for each slide that is shown, with its notes. Throws when it is broken. */
export function readPptx(bytes: Uint8Array, elements = maxElements): OfficeHtml {
  const parts = unpack(bytes, { needs, maxBytes });
  const budget = { elements, isCut: false };
  const paths = slidePaths(parts, budget);
  const slides = paths.slice(0, maxSlides).flatMap(path => {
    const slide = { parts, targets: targetsOf(parts, path), budget, title: "" };
    const html = slideHtml(path, slide);
    return html === "" ? [] : [{ html, title: slide.title }];
  });
  const facts = officeFacts(parts);
  const title = facts.title ?? slides.find(slide => slide.title !== "")?.title;
  const html = documentHtml({ ...facts, title }, slides.map(slide => slide.html).join("\n<hr>\n"));
  return { html, isCut: budget.isCut || paths.length > maxSlides };
}

/** The slides in the order of the presentation; by their numbers where it lists none. */
function slidePaths(parts: Parts, budget: XmlBudget): string[] {
  const path = "ppt/presentation.xml";
  if (parts[path] === undefined) throw new DocumentError("broken", "The document has no presentation.");
  const targets = targetsOf(parts, path);
  const listed = findAll(readTree(parts[path], budget), "p:sldId").flatMap(
    ({ attributes }) => targets.get(attributes["r:id"] ?? "") ?? [],
  );
  return [...new Set(listed)].filter(slide => parts[slide] !== undefined);
}

function slideHtml(path: string, slide: Slide): string {
  const root = readTree(slide.parts[path], slide.budget);
  const [sld] = elementsIn(root);
  if (sld === undefined || /^(?:0|false)$/.test(sld.attributes.show ?? "")) return "";
  const [tree] = findAll(sld, "p:spTree");
  const shapes = tree ? shapesIn(tree) : [];
  const title = shapes.find(isTitle);
  const others = shapes.filter(shape => shape !== title);
  const heading =
    title &&
    paragraphsIn(title)
      .map(paragraph => inlineHtml(paragraph, slide))
      .join(" ")
      .trim();
  if (title) slide.title = paragraphsIn(title).map(textOf).join(" ").trim();
  return [
    ...(heading ? [placeholder(title) === "ctrTitle" ? `<h1>${heading}</h1>` : `<h2>${heading}</h2>`] : []),
    ...others.map(shape => shapeHtml(shape, slide)),
    notesHtml(slide),
  ]
    .filter(html => html !== "")
    .join("\n");
}

/** The shapes of a slide, those of groups as well; of alternatives the first that is read. */
function shapesIn(tree: XmlElement): XmlElement[] {
  return elementsIn(tree).flatMap(child => {
    if (child.name === "p:grpSp") return shapesIn(child);
    if (child.name === "mc:AlternateContent") {
      const [chosen] = [...elementsIn(child, "mc:Choice"), ...elementsIn(child, "mc:Fallback")];
      return chosen ? shapesIn(chosen) : [];
    }
    return /^p:(?:sp|pic|graphicFrame)$/.test(child.name) && !isHidden(child) ? [child] : [];
  });
}

function properties(shape: XmlElement): XmlElement | undefined {
  return elementsIn(shape).find(({ name }) => /^p:nv\w+Pr$/.test(name));
}

function isHidden(shape: XmlElement): boolean {
  return /^(?:1|true)$/.test(childOf(properties(shape), "p:cNvPr")?.attributes.hidden ?? "");
}

/** The kind of a placeholder; undefined for what is none. */
function placeholder(shape: XmlElement): string | undefined {
  const found = childOf(childOf(properties(shape), "p:nvPr"), "p:ph");
  return found && (found.attributes.type ?? "obj");
}

function isTitle(shape: XmlElement): boolean {
  return /^(?:title|ctrTitle)$/.test(placeholder(shape) ?? "");
}

function shapeHtml(shape: XmlElement, slide: Slide): string {
  const kind = placeholder(shape);
  if (/^(?:sldNum|ftr|dt|hdr|sldImg)$/.test(kind ?? "")) return "";
  if (shape.name === "p:pic") {
    const text = pictureText(childOf(properties(shape), "p:cNvPr")?.attributes.descr);
    return text === "" ? "" : `<p><em>${escapeHtml(text)}</em></p>`;
  }
  if (shape.name === "p:graphicFrame") return frameHtml(shape, slide);
  const isList = kind === "obj" || kind === "body";
  return blocksHtml(paragraphsIn(shape).flatMap(paragraph => blockOf(paragraph, isList, slide)));
}

function frameHtml(frame: XmlElement, { parts, targets, budget, ...slide }: Slide): string {
  const [table] = findAll(frame, "a:tbl");
  if (table) return tableOf(table, { parts, targets, budget, ...slide });
  const partOf = (name: string, id: string) => {
    const path = targets.get(findAll(frame, name)[0]?.attributes[id] ?? "");
    return path === undefined ? undefined : parts[path];
  };
  const chart = partOf("c:chart", "r:id");
  if (chart) return chartHtml(readTree(chart, budget));
  const diagram = partOf("dgm:relIds", "r:dm");
  return diagram ? diagramHtml(readTree(diagram, budget)) : "";
}

function tableOf(table: XmlElement, slide: Slide): string {
  const rows = elementsIn(table, "a:tr").map(row => {
    const cells = elementsIn(row, "a:tc").flatMap(cell => {
      const { gridSpan, rowSpan, hMerge, vMerge } = cell.attributes;
      if (hMerge || vMerge) return [];
      const spans = `${span("colspan", gridSpan)}${span("rowspan", rowSpan)}`;
      const text = paragraphsIn(cell).map(paragraph => inlineHtml(paragraph, slide));
      return [`<td${spans}>${text.filter(line => line !== "").join("<br>")}</td>`];
    });
    return `<tr>${cells.join("")}</tr>`;
  });
  const [head = "", ...body] = rows;
  return `<table><thead>${head.replaceAll("<td", "<th").replaceAll("</td>", "</th>")}</thead><tbody>${body.join("\n")}</tbody></table>`;
}

function span(name: string, value: string | undefined): string {
  return value !== undefined && /^[1-9]\d{0,2}$/.test(value) ? ` ${name}="${value}"` : "";
}

function paragraphsIn(shape: XmlElement): XmlElement[] {
  return findAll(shape, "a:p");
}

function textOf(paragraph: XmlElement): string {
  return findAll(paragraph, "a:t").map(textIn).join("");
}

/** A paragraph; in a place for lists it is an item unless it says that it has no bullet. */
function blockOf(paragraph: XmlElement, isList: boolean, slide: Slide): ListedBlock[] {
  const html = inlineHtml(paragraph, slide).trim();
  if (html === "") return [];
  const look = childOf(paragraph, "a:pPr");
  const isOrdered = childOf(look, "a:buAutoNum") !== undefined;
  const isItem =
    isOrdered ||
    ["a:buChar", "a:buBlip"].some(name => childOf(look, name)) ||
    (isList && childOf(look, "a:buNone") === undefined);
  if (!isItem) return [{ html: `<p>${html}</p>` }];
  return [{ html, list: { level: Number(look?.attributes.lvl ?? 0) || 0, isOrdered } }];
}

/** The runs of a paragraph. Those that are set alike are one: programs cut a word into several. */
function inlineHtml(paragraph: XmlElement, slide: Slide): string {
  const runs: { html: string; key: string; wrap: (html: string) => string }[] = [];
  for (const child of paragraph.children) {
    if (!isElement(child)) continue;
    const piece = runOf(child, slide);
    const last = runs.at(-1);
    if (last && last.key === piece.key) last.html += piece.html;
    else runs.push(piece);
  }
  return runs.map(({ html, wrap }) => wrap(html)).join("");
}

const fixedWidth = /\b(?:courier|consolas|menlo|monaco|\w*mono)\b/i;
const asIs = (html: string) => html;

function runOf(element: XmlElement, { targets }: Slide): { html: string; key: string; wrap: typeof asIs } {
  if (element.name === "a:br") return { html: "<br>", key: "", wrap: asIs };
  if (element.name === "a14:m" || element.name === "mc:AlternateContent") {
    const math = [...findAll(element, "m:oMathPara"), ...findAll(element, "m:oMath")][0];
    return { html: math ? formulaHtml(math) : "", key: "", wrap: asIs };
  }
  if (element.name !== "a:r" && element.name !== "a:fld") return { html: "", key: "", wrap: asIs };
  const look = childOf(element, "a:rPr");
  const { b, i, strike = "noStrike", baseline = "0" } = look?.attributes ?? {};
  const style = {
    bold: isTrue(b),
    italic: isTrue(i),
    code: fixedWidth.test(childOf(look, "a:latin")?.attributes.typeface ?? ""),
    struck: strike !== "noStrike",
    script: Number.parseInt(baseline, 10) > 0 ? "sup" : Number.parseInt(baseline, 10) < 0 ? "sub" : undefined,
  } as const;
  const url = targets.get(childOf(look, "a:hlinkClick")?.attributes["r:id"] ?? "") ?? "";
  const href = /^(?:https?|mailto):/i.test(url) ? url : "";
  const html = escapeHtml(textIn(childOf(element, "a:t")));
  const link = (inner: string) => (href === "" ? inner : `<a href="${escapeHtml(href)}">${inner}</a>`);
  return { html, key: JSON.stringify([style, href]), wrap: inner => link(styledHtml(inner, style)) };
}

function isTrue(value: string | undefined): boolean {
  return value === "1" || value === "true";
}

function notesHtml({ parts, targets, budget, title }: Slide): string {
  const path = [...targets.values()].find(target => /\/notesSlides\//.test(target));
  const tree = path === undefined ? undefined : findAll(readTree(parts[path], budget), "p:spTree")[0];
  const body = tree && shapesIn(tree).find(shape => placeholder(shape) === "body");
  if (path === undefined || body === undefined) return "";
  const slide = { parts, targets: targetsOf(parts, path), budget, title };
  const html = blocksHtml(paragraphsIn(body).flatMap(paragraph => blockOf(paragraph, false, slide)));
  return html === "" ? "" : `<blockquote>${html}</blockquote>`;
}
