import type { ElementNode } from "../html/tree.ts";

/** Parts of a page that elements and their roles name. */
export const areas: readonly string[] =
  "main article nav aside header footer section form ul table dl figure details blockquote".split(" ");

const bitOf = new Map(areas.map((name, at) => [name, 1 << at]));
bitOf.set("ol", bitOf.get("ul") ?? 0);

const areaOfRole = new Map([
  ["main", "main"],
  ["navigation", "nav"],
  ["complementary", "aside"],
  ["banner", "header"],
  ["contentinfo", "footer"],
  ["article", "article"],
  ["search", "form"],
  ["form", "form"],
  ["list", "ul"],
  ["table", "table"],
]);

/** A bit for each of `areas` that the element is, by its name or its role. */
export function areaBits({ name, attributes }: ElementNode): number {
  const own = bitOf.get(name) ?? 0;
  const role = attributes.size === 0 ? undefined : attributes.get("role");
  return role === undefined ? own : own | (bitOf.get(areaOfRole.get(role) ?? "") ?? 0);
}

export function isList({ name }: ElementNode): boolean {
  return name === "ul" || name === "ol";
}
