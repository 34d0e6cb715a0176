import { setTimeout as sleep } from "node:timers/promises";
import { evaluateApart } from "./find-element.ts";
import type { Stage } from "./stage.ts";

/** How far and how long a page is scrolled. */
interface Bounds {
  /** CSS pixels. */
  maxHeight: number;
  maxMs: number;
}

/** Limits of `js_render.scroll`. Its time is a part of what is left until the deadline, too. */
export const wholePage: Bounds = { maxHeight: 200_000, maxMs: 20_000 };
const partOfTime = 0.6;
const maxSteps = 300;
/** What is in view gets so long to begin to load, and so long to load. */
const [viewMs, loadMs] = [80, 1500];
/** So many looks at the end without more of the page make it the end. */
const looksAtEnd = 3;
/** Part of a view that each step goes on. */
const step = 0.9;
/** How long pictures may take that came into view. */
const picturesMs = 3000;
const quietMs = 250;

interface Place {
  height: number;
  view: number;
}

/**
 * Scrolls a page to its end and back, view by view, so that what loads when it is seen does so. Scrolls what scrolls: the
 * page, or the largest part of it that does. Resolves with whether the end was reached.
 */
export async function scrollThrough(stage: Stage, { maxHeight, maxMs }: Bounds): Promise<boolean> {
  const { session, deadline, signal } = stage;
  const until = Date.now() + Math.min(maxMs, Math.max(0, deadline - Date.now()) * partOfTime);
  let [top, ends, isAtEnd] = [0, 0, false];
  for (let steps = 0; steps < maxSteps && Date.now() < until && !isAtEnd; steps++) {
    const { height, view } = await evaluateApart<Place>(session, scrollTo(top));
    await untilLoaded(stage);
    signal.throwIfAborted();
    ends = top + view >= height - 1 ? ends + 1 : 0;
    isAtEnd = ends >= looksAtEnd || view === 0;
    if (ends > 0) continue;
    if (top >= maxHeight) break;
    top += Math.max(1, Math.floor(view * step));
  }
  await evaluateApart(session, scrollTo(0));
  await sleep(viewMs, undefined, { signal });
  return isAtEnd;
}

/** Waits until the pictures are there that have come into view. */
export async function untilPictured({ load, deadline, signal }: Stage): Promise<void> {
  const until = Math.min(deadline, Date.now() + picturesMs);
  while (Date.now() < until && Date.now() - Math.max(load.heardAt("picture"), load.heardAt("load")) < quietMs)
    await load.change(quietMs, signal);
}

async function untilLoaded({ load, deadline, signal }: Stage): Promise<void> {
  await sleep(viewMs, undefined, { signal });
  const until = Math.min(deadline, Date.now() + loadMs);
  while (load.isBusy() && Date.now() < until) await load.change(viewMs, signal);
}

/** Where the world of the reader keeps the rows that lists have removed, by the element that held them and by their text. */
export const passedRows = 'globalThis[Symbol.for("magpie.passed")]';
const [mostRows, mostRowText] = [5000, 20_000];

/** Lists that hold only what is in view remove what has passed: copies are kept, in the order in which they were there. */
const keeping = `
  const startKeeping = () => {
    const lists = new Map();
    const inert = document.implementation.createHTMLDocument("");
    let left = ${mostRows};
    const add = (list, row) => {
      const text = row.textContent.trim();
      if (row.nodeType !== 1 || text === "" || text.length > ${mostRowText} || left === 0) return;
      if (!lists.has(list)) lists.set(list, new Map());
      const rows = lists.get(list);
      if (rows.has(text)) return;
      left -= 1;
      rows.set(text, Document.prototype.importNode.call(inert, row, true));
    };
    const take = records => {
      for (const { target, removedNodes } of records) for (const row of removedNodes) add(target, row);
      for (const list of lists.keys()) if (list.isConnected) for (const row of list.childNodes) add(list, row);
    };
    new MutationObserver(take).observe(document, { childList: true, subtree: true });
    return lists;
  };
  ${passedRows} ??= startKeeping();`;

/** Runs in the page, in a world that keeps what scrolls as long as the document is there. */
function scrollTo(top: number): string {
  return `(() => {
    ${keeping}
    const kept = Symbol.for("magpie.scroller");
    const isLong = element => element.scrollHeight > element.clientHeight + 8;
    const largest = () => {
      let found = document.scrollingElement ?? document.documentElement;
      if (isLong(found)) return found;
      for (const element of Array.prototype.slice.call(document.querySelectorAll("div, main, section, article, ul, body"), 0, 5000))
        if (isLong(element) && element.clientHeight > innerHeight / 3 && /auto|scroll/.test(getComputedStyle(element).overflowY)) {
          found = element;
          break;
        }
      return found;
    };
    const element = (globalThis[kept] = globalThis[kept]?.isConnected && isLong(globalThis[kept]) ? globalThis[kept] : largest());
    element.scrollTo({ top: ${top}, behavior: "instant" });
    return { height: element.scrollHeight, view: element.clientHeight };
  })()`;
}
