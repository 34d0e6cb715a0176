import { setTimeout as sleep } from "node:timers/promises";
import type { Session } from "../../../mixins/browser/session.ts";
import { evaluateIn, hasLeft } from "../../../mixins/browser/tab.ts";
import { fail } from "../../contracts/errors.ts";

/** An element that a request names, and the field of the request that does. */
export interface Wanted {
  field: string;
  selector: string;
}

/** What is to be done with the element, as a body of a function of `element` that returns a value. */
type Use = string;

/** A place in what is in view, in CSS pixels. */
export interface Place {
  x: number;
  y: number;
}

export const isThere: Use = "return true";

/** Brings the element into view. Null for one that shows nothing. Chromium accounts for the zoom of the page. */
export const bringIntoView: Use = `
  element.scrollIntoView({ block: "center", inline: "center", behavior: "instant" });
  const box = [...element.getClientRects()].find(({ width, height }) => width > 0 && height > 0);
  if (box === undefined) return null;
  const { offsetLeft = 0, offsetTop = 0 } = visualViewport ?? {};
  return { x: box.x + box.width / 2 - offsetLeft, y: box.y + box.height / 2 - offsetTop };`;

export const focus: Use = `
  if (element.getClientRects().length === 0) return null;
  element.scrollIntoView({ block: "center", behavior: "instant" });
  element.focus({ preventScroll: true });
  return true;`;

export function scrollBy(direction: "up" | "down"): Use {
  const sign = direction === "up" ? "-" : "";
  return `element.scrollBy({ top: ${sign}element.clientHeight, behavior: "instant" }); return true;`;
}

const checkMs = 100;

/**
 * Uses an element as soon as the page has it and the use gives a value. Throws 422 `element_not_found` when that is not so
 * at `until` (milliseconds since the epoch), and 400 for a selector that the browser does not take.
 */
export async function useElement<T>(
  session: Session,
  wanted: Wanted,
  use: Use,
  { until, signal }: { until: number; signal: AbortSignal },
): Promise<T> {
  for (;;) {
    const found = await evaluateApart<Found<T>>(session, lookUp(wanted.selector, use));
    if (found.kind === "used") return found.value;
    if (found.kind === "refused") throw refusedSelector(wanted);
    if (Date.now() >= until) throw notFound(wanted, found.kind);
    await sleep(Math.min(checkMs, Math.max(1, until - Date.now())), undefined, { signal });
  }
}

type Found<T> = { kind: "used"; value: T } | { kind: "refused" | "missing" | "hidden" };

function lookUp(selector: string, use: Use): string {
  return `(() => {
    let element;
    try { element = document.querySelector(${JSON.stringify(selector)}); } catch { return { kind: "refused" }; }
    if (element === null) return { kind: "missing" };
    const value = (element => { ${use} })(element);
    return value === null ? { kind: "hidden" } : { kind: "used", value };
  })()`;
}

function notFound({ field, selector }: Wanted, why: "missing" | "hidden"): Error {
  const what =
    why === "missing" ? `No element matches ${quoted(selector)}` : `${quoted(selector)} is not visible`;
  const message = `${what} (${field}).`;
  return fail("element_not_found", message, { details: [{ field, code: "element_not_found", message }] });
}

function refusedSelector({ field, selector }: Wanted): Error {
  const message = `The browser does not take ${quoted(selector)} as a selector (${field}).`;
  return fail("validation_failed", message, { details: [{ field, code: "invalid_selector", message }] });
}

function quoted(selector: string): string {
  return JSON.stringify(selector.length > 100 ? `${selector.slice(0, 100)}…` : selector);
}

/** How often a page may navigate while it is read. */
const maxDepartures = 5;

/**
 * Evaluates in an isolated JavaScript world: it sees the same DOM, and the page cannot change its built-ins. The world
 * ends with its document; a page that navigates meanwhile is read at its new location.
 */
export async function evaluateApart<T>(session: Session, expression: string): Promise<T> {
  for (let departures = 0; ; departures++)
    try {
      return await evaluateIn(session, session.mainFrameId, expression);
    } catch (error) {
      if (!hasLeft(error) || departures === maxDepartures) throw error;
    }
}
