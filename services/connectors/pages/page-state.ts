import { gunzipSync, gzipSync } from "node:zlib";
import {
  emptyText,
  type PageText,
  readExactText,
  readPageText,
} from "../../domain/page-diff/compare-page.ts";
import { noiseRules } from "../../domain/page-diff/noise.ts";
import type { Memory } from "../../domain/watch/judge.ts";
import type { Seen } from "../../domain/watch/look-at.ts";
import type { SpentShare } from "../../domain/watch/picture-share.ts";
import type { View } from "../../domain/watch/view.ts";

/** The state of a page between polls, which only this connector writes. */
export interface PageState extends Omit<Memory, "text"> {
  /** The page's text: gzip, base64. */
  text: string;
  /** The version of the noise rules that made `hash`. */
  rules: number;
  intervalMs: number;
  name: string;
  /** Number of changes seen, so that a page which changes back gets a new revision. */
  changes: number;
  /** The last picture, as `scraper.pictureChange` answered it. */
  picture?: string;
  /** What pictures have spent of the watch's share. */
  pictured?: SpentShare;
}

export function pageState(state: Record<string, unknown>): Partial<PageState> {
  return state as Partial<PageState>;
}

export function packText({ hash, text }: PageText): Pick<PageState, "hash" | "text" | "rules"> {
  return { hash, text: gzipSync(text).toString("base64"), rules: noiseRules };
}

/** What is remembered, in the form of the state. */
export function packMemory({ hash, text, ...rest }: Memory): Pick<PageState, "hash" | "text" | "rules"> {
  return { ...packText({ hash, text }), ...rest };
}

/**
 * What is remembered of a page, and the look to compare it with. Where other noise rules made the stored hash, both are
 * hashed again, from the part of the text that is stored.
 */
export function comparablePair(
  { hash, text, rules, turns, fields, recipe, value, seen }: Partial<PageState>,
  look: Seen,
  view: View,
): { before: Memory | undefined; after: Seen } {
  if (hash === undefined || text === undefined) return { before: undefined, after: look };
  const kept = gunzipSync(Buffer.from(text, "base64")).toString();
  const rest = {
    ...(turns && { turns }),
    ...(fields && { fields }),
    ...(recipe && { recipe }),
    ...(value && { value }),
    ...(seen !== undefined && { seen }),
  };
  if (rules === noiseRules) return { before: { hash, text: kept, ...rest }, after: look };
  return { before: { ...hashed(kept, view), ...rest }, after: { ...look, ...hashed(look.text, view) } };
}

function hashed(text: string, { json }: View): PageText {
  return (json ? undefined : readPageText(text)) ?? readExactText(text) ?? emptyText;
}
