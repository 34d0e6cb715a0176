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

interface MarkProps {
  page: WatchedPage;
  /** When the watch of the site began. */
  begun: string;
}

/** A page that is there says what happened to it last. */
export function PageMark({ page, begun }: MarkProps): VNode {
  const [kind, word] =
    page.state === "there" && page.changed_at !== null ? latest(page, begun) : pageStates[page.state];
  return html`<${Mark} kind=${kind}>${word}<//>`;
}

/** Milliseconds after which a change is not the first thing that was told of a page, and in which the first pages are found. */
const [firstMs, beginningMs] = [600_000, 30_000];

function latest({ changed_at, found_at }: WatchedPage, begun: string): [MarkKind, string] {
  const found = Date.parse(found_at);
  const isNew = Date.parse(changed_at ?? "") - found < firstMs && found - Date.parse(begun) > beginningMs;
  return ["good", isNew ? "New" : "Changed"];
}
