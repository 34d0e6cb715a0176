/*
 * How a page of a site is, in a word.
 *
 *   html`<${PageMark} page=${page} />`
 */
import type { VNode } from "preact";
import type { WatchedPage } from "../../services/contracts/site-pages.contract.ts";
import { html } from "../html.ts";
import { Mark, type MarkKind } from "../parts/state.ts";

export const pageStates: Record<WatchedPage["state"], [MarkKind, string]> = {
  new: ["quiet", "Not read yet"],
  there: ["good", "There"],
  missing: ["warn", "Missing"],
  removed: ["bad", "Gone"],
  moved: ["warn", "Moved"],
  refused: ["quiet", "Refused"],
  alias: ["quiet", "Other address"],
};

/** A page that is there says what happened to it last. */
export function PageMark({ page }: { page: WatchedPage }): VNode {
  const [kind, word] = markOf(page);
  return html`<${Mark} kind=${kind}>${word}<//>`;
}

/** Seconds between the time at which a page was found and that of the event which says so, at most. */
const newSeconds = 3600;

export function markOf({ state, changed_at, found_at }: WatchedPage): [MarkKind, string] {
  if (state !== "there" || changed_at === null) return pageStates[state];
  const isNew = Date.parse(changed_at) - Date.parse(found_at) < newSeconds * 1000;
  return isNew ? ["good", "New"] : ["good", "Changed"];
}
