import { setTimeout as sleep } from "node:timers/promises";
import { expressionOf, isXPath } from "../../../reader/page/xpath.ts";
import { evaluateApart } from "./find-element.ts";
import type { Stage } from "./stage.ts";

/** How long what a view selects may take to appear: scripts may write it after the page has loaded. */
const appearMs = 5000;
const checkMs = 100;

/**
 * Waits until each group of selectors finds something that shows something. What does not appear is missing from what is
 * read, and no error: the view says so.
 */
export async function untilShown(
  { session, deadline, signal }: Pick<Stage, "session" | "deadline" | "signal">,
  groups: readonly (readonly string[])[],
): Promise<void> {
  const until = Math.min(deadline, Date.now() + appearMs);
  const wanted = groups.map(selectors =>
    selectors.map(selector => (isXPath(selector) ? { xpath: expressionOf(selector) } : { css: selector })),
  );
  if (wanted.length === 0) return;
  const expression = `(${areShown})(${JSON.stringify(wanted)})`;
  while (!(await evaluateApart<boolean>(session, expression)) && Date.now() < until)
    await sleep(checkMs, undefined, { signal });
}

/** Runs in the page. What the browser does not take, or what finds no nodes but a text or a number, is not waited for. */
const areShown = `groups => {
  const controls = "input, select, textarea, button, img, svg, video, meter, progress, output";
  const isShown = node => {
    if (node.nodeType !== Node.ELEMENT_NODE) return (node.nodeValue ?? "").trim() !== "";
    return node.textContent.trim() !== "" || node.matches(controls) || node.querySelector(controls) !== null;
  };
  const found = ({ css, xpath }) => {
    if (css !== undefined) return [...document.querySelectorAll(css)];
    const result = document.evaluate(xpath, document, null, XPathResult.ORDERED_NODE_SNAPSHOT_TYPE, null);
    return Array.from({ length: result.snapshotLength }, (_, at) => result.snapshotItem(at));
  };
  return groups.every(group => group.some(selector => {
    try { return found(selector).some(isShown); } catch { return true; }
  }));
}`;
