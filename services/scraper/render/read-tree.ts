import type { Session } from "../../../mixins/browser/session.ts";
import { evaluateApart } from "./find-element.ts";

/** What a page shows at a moment. */
export interface Reading {
  /** Characters of text. */
  textLength: number;
  /** Whether the document has scripts or a refresh, which may still change or leave it. */
  isLive: boolean;
  /** Whether its scripts have set timers. */
  hasTimers: boolean;
  html: string;
}

/** Limit of a rendered document in characters; the rest is cut off. */
const maxHtmlCharacters = 20_000_000;

/** Reads the tree of a page as it is now. */
export async function readTree(session: Session): Promise<Reading> {
  return await evaluateApart(session, reading);
}

/**
 * Runs in the page, in a world of its own. Numbers of timers are shared by all worlds of a document: a timer of ours has
 * the number of our looks so far, or scripts of the page have set some.
 */
const reading = `(() => {
  const looks = Symbol.for("magpie.looks");
  globalThis[looks] = (globalThis[looks] ?? 0) + 1;
  const timer = setTimeout(() => undefined);
  clearTimeout(timer);
  const doctype = document.doctype ? new XMLSerializer().serializeToString(document.doctype) + "\\n" : "";
  // The source of scripts is not visible text.
  const unseen = [...document.body?.querySelectorAll("script, style") ?? []];
  const length = document.body?.textContent.length ?? 0;
  return {
    textLength: unseen.reduce((rest, { textContent }) => rest - textContent.length, length),
    isLive: document.querySelector("script, meta[http-equiv=refresh i]") !== null,
    hasTimers: timer > globalThis[looks],
    html: (doctype + (document.documentElement?.outerHTML ?? "")).slice(0, ${maxHtmlCharacters}),
  };
})()`;
