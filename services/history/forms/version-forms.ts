import { parseHtml } from "../../../reader/html/parse-html.ts";
import { readMetadata } from "../../../reader/metadata/read-metadata.ts";
import { extractTree } from "../../../reader/page/extract-page.ts";
import { urlResolver } from "../../../reader/page/page-links.ts";
import {
  itemHtml,
  itemLines,
  itemMarkdown,
  type KeptItem,
  readItem,
} from "../../domain/history/item-forms.ts";
import { kindOf } from "../../domain/watch/eye/reduce-page.ts";
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

/** The forms of a version that are made of its content. */
export interface VersionForms {
  /** What the view compares, line by line. */
  lines?: string[];
  markdown?: string;
  html?: string;
  /** With `lines`, where the view has fields. */
  fields?: Fields;
}

/** Forms of a kept version in a view. */
export interface FormsTask {
  kept: KeptVersion;
  view: View;
  wanted: readonly ("lines" | "markdown" | "html")[];
}

/** Makes the forms that are wanted, by the functions of a check. */
export function formsOf({ kept, view, wanted }: FormsTask): VersionForms {
  const forms = kept.isItem ? formsOfItem(readItem(kept.content)) : formsOfPage(kept, view);
  return Object.assign({}, ...wanted.map(form => forms[form]()));
}

type Makers = Record<"lines" | "markdown" | "html", () => VersionForms>;

function formsOfItem(item: KeptItem): Makers {
  return {
    lines: () => ({ lines: itemLines(item) }),
    markdown: () => ({ markdown: itemMarkdown(item) }),
    html: () => ({ html: itemHtml(item) }),
  };
}

function formsOfPage(kept: KeptVersion, view: View): Makers {
  return {
    lines: () => {
      const snapshot = snapshotOf(kept, view);
      return { lines: linesOf(snapshot), ...(snapshot.ok && snapshot.fields && { fields: snapshot.fields }) };
    },
    markdown: () => ({ markdown: markdownOf(kept) }),
    html: () => ({ html: kept.content }),
  };
}

/** A page by its main content; another document whole, and a text as it is. */
function markdownOf(kept: KeptVersion): string {
  const { content, url } = kept;
  const tree = parseHtml(content);
  const kind = kindOf(tree);
  if (kind === "text") return comparedLines(kept, {}).join("\n");
  return (
    extractTree(tree, url, { formats: ["markdown"], onlyMainContent: kind === undefined }).markdown ?? ""
  );
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
