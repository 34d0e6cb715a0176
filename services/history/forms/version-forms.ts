import { parseHtml } from "../../../reader/html/parse-html.ts";
import { readMetadata } from "../../../reader/metadata/read-metadata.ts";
import { extractPage } from "../../../reader/page/extract-page.ts";
import { urlResolver } from "../../../reader/page/page-links.ts";
import { itemHtml, itemLines, itemMarkdown, readItem } from "../../domain/history/item-forms.ts";
import type { Fields } from "../../domain/watch/read-fields.ts";
import { type Learned, type Snapshot, takeSnapshot } from "../../domain/watch/snapshot.ts";
import type { View } from "../../domain/watch/view.ts";

/** A version as it is kept: the reduced page as HTML, or an item of a feed as JSON. */
export interface KeptVersion {
  content: string;
  isItem: boolean;
  /** The address of the page or feed: links are resolved against it. */
  url: string;
  title: string;
}

/** A version in all its forms but the picture. */
export interface VersionForms {
  /** What the view compares, line by line. */
  lines: string[];
  markdown: string;
  html: string;
  /** With `json`. */
  fields?: Fields;
}

/** A kept version as a view sees it, by the functions of a check. */
export function formsOf(kept: KeptVersion, view: View): VersionForms {
  if (!kept.isItem) return formsOfPage(kept, view);
  const item = readItem(kept.content);
  return { lines: itemLines(item), markdown: itemMarkdown(item), html: itemHtml(item) };
}

function formsOfPage(kept: KeptVersion, view: View): VersionForms {
  const { content: html, url } = kept;
  const { markdown = "" } = extractPage({ html, url }, { formats: ["markdown"], onlyMainContent: true });
  const snapshot = snapshotOf(kept, view);
  return {
    lines: linesOf(snapshot),
    markdown,
    html,
    ...(snapshot.ok && snapshot.fields && { fields: snapshot.fields }),
  };
}

/** The lines of a kept version that a view compares. */
export function comparedLines(kept: KeptVersion, view: View): string[] {
  return kept.isItem ? itemLines(readItem(kept.content)) : linesOf(snapshotOf(kept, view));
}

/** What a check with this view sees of a kept page, after what the check before has learned. */
export function snapshotOf(kept: KeptVersion, view: View, learned: Learned = {}): Snapshot {
  const { content: html, url, title } = kept;
  // The language decides how the number of a text is read.
  const language = view.when?.value ? languageOf(kept) : null;
  return takeSnapshot({ html, url, title, language }, view, learned);
}

function languageOf({ content, url }: KeptVersion): string | null {
  const root = parseHtml(content);
  return readMetadata(root, urlResolver(root, url), url).language;
}

function linesOf(snapshot: Snapshot): string[] {
  return snapshot.ok ? snapshot.text.split("\n").filter(line => line !== "") : [];
}
