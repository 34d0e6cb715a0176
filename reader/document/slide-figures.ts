import { escapeHtml } from "../text/escape-html.ts";
import { maxColumns, maxRows, tableHtml } from "./document-html.ts";
import { childOf, elementsIn, findAll, textIn, type XmlElement } from "./read-xml.ts";

/** A chart of an office document as the table that it shows: a row for each category, a column for each series. */
export function chartHtml(chart: XmlElement): string {
  const series = findAll(chart, "c:ser").slice(0, maxColumns - 1);
  const [first] = series;
  if (first === undefined) return "";
  const categories = pointsOf(childOf(first, "c:cat") ?? childOf(first, "c:xVal"));
  const values = series.map(one => pointsOf(childOf(one, "c:val") ?? childOf(one, "c:yVal")));
  const count = Math.min(maxRows, Math.max(...[categories, ...values].map(points => points.length)));
  const title = findAll(chart, "c:title")
    .slice(0, 1)
    .map(it => findAll(it, "a:t").map(textIn).join("").trim())
    .join("");
  const head = ["", ...series.map(one => textIn(findAll(childOf(one, "c:tx") ?? one, "c:v")[0]))];
  const rows = Array.from({ length: count }, (_, at) => [
    categories[at] ?? String(at + 1),
    ...values.map(points => points[at] ?? ""),
  ]);
  const table = tableHtml([head, ...rows].map(row => row.map(cell => escapeHtml(cell))));
  return title === "" ? table : `<p>${escapeHtml(title)}</p>\n${table}`;
}

/** The points of a series, by their places. */
function pointsOf(data: XmlElement | undefined): string[] {
  const points: string[] = [];
  if (data === undefined) return points;
  for (const point of findAll(data, "c:pt").slice(0, maxRows)) {
    const at = Number(point.attributes.idx);
    if (Number.isInteger(at) && at >= 0 && at < maxRows) points[at] = exact(textIn(childOf(point, "c:v")));
  }
  return Array.from(points, value => value ?? "");
}

/** Without what binary fractions add: 8.1999999999999993 is 8.2. */
function exact(value: string): string {
  return /^-?\d+\.\d{14,}$/.test(value) ? String(Number(Number(value).toPrecision(15))) : value;
}

/** A diagram ("SmartArt") as the list of its texts. */
export function diagramHtml(diagram: XmlElement): string {
  const texts = findAll(diagram, "dgm:pt").flatMap(point =>
    elementsIn(point, "dgm:t").map(text => findAll(text, "a:t").map(textIn).join("").trim()),
  );
  const items = texts.filter(text => text !== "").map(text => `<li>${escapeHtml(text)}</li>`);
  return items.length === 0 ? "" : `<ul>${items.join("")}</ul>`;
}
