import type { Session } from "../../../mixins/browser/session.ts";
import type { PictureBox } from "../../contracts/page-reads.contract.ts";
import { evaluateApart } from "./find-element.ts";

/** Milliseconds in the page, and boxes in all: what was found until then is enough to point at. */
const [longestMs, mostBoxes, mostOfOne] = [1000, 5000, 50];

/** Where the elements are that selectors match, in CSS pixels from the top left of the page. */
export async function findBoxes(session: Session, selectors: readonly string[]): Promise<PictureBox[]> {
  if (selectors.length === 0) return [];
  return await evaluateApart(session, finding(selectors));
}

/** Runs in a world of its own; the page may hide methods of `document` by names of its elements. */
function finding(selectors: readonly string[]): string {
  return `(() => {
  const until = performance.now() + ${longestMs};
  const beginning = /^\\s*(?:xpath:|(?=\\(*\\.?\\/))/i;
  const all = selector => {
    if (!beginning.test(selector)) return [...Document.prototype.querySelectorAll.call(document, selector)];
    const path = selector.replace(beginning, "");
    const found = Document.prototype.evaluate.call(document, path, document, null, 7, null);
    return Array.from({ length: found.snapshotLength }, (_, at) => found.snapshotItem(at));
  };
  const found = selector => {
    try { return all(selector).slice(0, ${mostOfOne}); } catch { return []; }
  };
  const boxes = [];
  for (const selector of ${JSON.stringify(selectors)}) {
    if (performance.now() > until || boxes.length >= ${mostBoxes}) break;
    for (const node of found(selector)) {
      const element = node instanceof Element ? node : node.parentElement ?? node.ownerElement;
      if (!(element instanceof Element)) continue;
      const { left, top, width, height } = Element.prototype.getBoundingClientRect.call(element);
      if (width < 1 || height < 1) continue;
      const place = { x: left + scrollX, y: top + scrollY, width, height };
      for (const name in place) place[name] = Math.round(place[name]);
      boxes.push({ selector, ...place });
    }
  }
  return boxes;
})()`;
}
