import { numberInTexts } from "../../../reader/recipe/stated-number.ts";
import { jsonValues, type PlacedValue, parseExactJson } from "../../../reader/structured/json-values.ts";
import { parseXmlTree, xmlValues } from "../../../reader/structured/xml-values.ts";
import type { KeyedLine } from "./align.ts";
import type { Line } from "./line.ts";
import type { FieldChanges, Fields } from "./read-fields.ts";
import { type Extract, quoted } from "./view.ts";

/** The values that are extracted from a document, of any type that its server names; or why there are none. */
export function readExtract(
  source: string | undefined,
  { json_path = [], xpath = [] }: Extract,
): { ok: true; values: PlacedValue[] } | { ok: false; reason: string } {
  if (source === undefined) return { ok: false, reason: "Nothing can be extracted from this document." };
  if (json_path.length > 0) {
    const document = parseExactJson(source);
    if (document === undefined)
      return { ok: false, reason: "This document is no JSON, which `extract` reads." };
    return found(jsonValues(document, json_path), json_path);
  }
  if (!/^\ufeff?\s*</.test(source))
    return { ok: false, reason: "This document is no XML, which `extract` reads." };
  return found(xmlValues(parseXmlTree(source.replace(/^\ufeff/, "")), xpath), xpath);
}

function found(values: PlacedValue[], paths: readonly string[]): ReturnType<typeof readExtract> {
  if (values.length > 0) return { ok: true, values };
  const [what, finds] = paths.length > 1 ? ["paths", "find"] : ["path", "finds"];
  return { ok: false, reason: `The ${what} ${quoted(paths)} ${finds} nothing in this document.` };
}

/** The values as lines, `items[id=7].price: 12`, in an order that does not depend on the document's. */
export function linesOfValues(values: readonly PlacedValue[]): Line[] {
  const sorted = values.map(each => ({
    ...each,
    key: each.path.replace(/\d+/g, digits => digits.padStart(15, "0")),
  }));
  sorted.sort((a, b) => (a.key < b.key ? -1 : 1));
  return sorted.map(({ path, value }) => ({
    text: `${path}: ${JSON.stringify(value)}`,
    place: placeOf(path),
    area: "main",
  }));
}

function placeOf(path: string): string {
  return `value ${path}`;
}

/** The values of lines by their paths. */
export function valuesOfLines(lines: readonly Pick<Line, "text" | "place">[]): Fields {
  const entries = lines.map(({ text, place }) => {
    const path = place.slice(placeOf("").length);
    return [path, JSON.parse(text.slice(path.length + 2)) as unknown];
  });
  return Object.fromEntries(entries);
}

/** What the values were and are whose lines differ; null for one that is not there. */
export function changedValues(
  { added, removed }: { added: readonly KeyedLine[]; removed: readonly KeyedLine[] },
  [before, after]: readonly [readonly KeyedLine[], readonly KeyedLine[]],
): FieldChanges {
  const places = new Set([...removed, ...added].map(({ place }) => place));
  const [from, to] = [before, after].map(lines =>
    valuesOfLines(lines.filter(({ place }) => places.has(place))),
  );
  const paths = [...Object.keys(from ?? {}), ...Object.keys(to ?? {})];
  return Object.fromEntries(
    paths.map(path => [path, { from: from?.[path] ?? null, to: to?.[path] ?? null }]),
  );
}

/** The first number among them; null where none is or states one. */
export function numberOfValues(values: readonly PlacedValue[], language: string): number | null {
  for (const { value } of values) {
    const number = typeof value === "string" ? numberInTexts([value], language) : value;
    if (typeof number === "number") return number;
  }
  return null;
}
