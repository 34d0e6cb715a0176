import { generateOpml } from "feedsmith";
import { oneLine } from "../text/one-line.ts";
import { namespace, type OpmlSource } from "./opml.ts";

/** A source to write, with the name for people. */
export interface OpmlRow extends OpmlSource {
  name: string;
}

const own = ["magpie:source", "magpie:sid", "magpie:options"] as const;
type Outline = Record<string, unknown> & { text: string };

/**
 * The document of some sources: first those without a tag, then a folder for each tag, all by name. A source with several
 * tags is in several folders. Folders are not nested, since most programs know one level of them. Equal lists make equal
 * documents.
 */
export function writeOpml(rows: readonly OpmlRow[]): string {
  const sorted = rows.map(row => ({ row, outline: outlineOf(row) })).sort(byName);
  const folders = [...new Set(rows.flatMap(({ tags }) => tags))].sort(compare).map(tag => ({
    text: tag,
    title: tag,
    outlines: sorted.filter(({ row }) => row.tags.includes(tag)).map(({ outline }) => outline),
  }));
  const outlines = [
    ...sorted.filter(({ row }) => row.tags.length === 0).map(each => each.outline),
    ...folders,
  ];
  if (outlines.length === 0) return empty;
  const document = generateOpml(
    { head: { title: "Magpie" }, body: { outlines } },
    { extraOutlineAttributes: own },
  );
  return document.replace("<opml ", `<opml xmlns:magpie="${namespace}" `);
}

/** The library writes no document without outlines. */
const empty = `<?xml version="1.0" encoding="utf-8"?>
<opml xmlns:magpie="${namespace}" version="2.0">
  <head>
    <title>Magpie</title>
  </head>
  <body/>
</opml>
`;

function outlineOf({ source, sid, listed, name, options }: OpmlRow): Outline {
  const title = oneLine(listed.title ?? name);
  const shared = {
    text: title,
    title,
    ...(listed.description !== undefined && { description: oneLine(listed.description) }),
    ...(Object.keys(Object(options)).length > 0 && { "magpie:options": JSON.stringify(options) }),
  };
  if (source === "rss")
    return { ...shared, type: "rss", xmlUrl: sid, ...(listed.html_url && { htmlUrl: listed.html_url }) };
  // OPML's own type for a page.
  if (source === "web") return { ...shared, type: "link", url: sid, "magpie:source": source };
  return { ...shared, "magpie:source": source, "magpie:sid": sid };
}

interface Sorted {
  row: OpmlRow;
  outline: Outline;
}

function byName(a: Sorted, b: Sorted): number {
  return compare(a.outline.text, b.outline.text) || compare(a.row.sid, b.row.sid);
}

/** Compares by code units, which sorts alike on all machines. */
function compare(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}
