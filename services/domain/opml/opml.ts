/*
 * A list of sources as other programs read and write it: OPML 2.0 (opml.org/spec2.opml), with attributes of Magpie's own
 * for what OPML cannot say.
 */

import { oneLine } from "../text/one-line.ts";

/** The namespace of those attributes: `source` and `sid`, as `POST /track/{source}` takes them, and `options` as JSON. */
export const namespace = "urn:magpie:opml";

/** What a list says of a source beside its address; it is kept, and written again. */
export interface Listed {
  title?: string;
  html_url?: string;
  description?: string;
}

/** A source in a list. */
export interface OpmlSource {
  /** The kind in lower case; a document may name any. */
  source: string;
  sid: string;
  tags: string[];
  listed: Listed;
  /** Options as `POST /track/{source}` takes them, without tags. They are as the document has them: unchecked. */
  options?: unknown;
}

/** The rules of tags (`services/contracts/source.ts`), to which the names of folders are fitted. */
export const longestTag = 64;
export const mostTags = 20;
/** Characters of a folder's name that are read: its tag has fewer. */
const longestName = 1000;

/** The tag for a folder and those around it; undefined where there is no name. */
export function tagOf(folders: readonly string[]): string | undefined {
  const short = pathOf(folders).slice(0, longestTag).toWellFormed().trim();
  return short === "" ? undefined : short;
}

/** The names of a folder and those around it, as one text without commas. */
export function pathOf(folders: readonly string[]): string {
  return folders
    .map(each => oneLine(each.slice(0, longestName)).replaceAll(",", ";"))
    .filter(each => each !== "")
    .join("/");
}
