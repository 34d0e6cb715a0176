import type { Session } from "../../../mixins/browser/session.ts";

/** How often a page may navigate while it is read. */
const maxDepartures = 5;
const departed = /Cannot find context|context was destroyed|Inspected target navigated/;

/**
 * Evaluates in an isolated JavaScript world: it sees the same DOM, and the page cannot change its built-ins. The world
 * ends with its document; a page that navigates meanwhile is read at its new location.
 */
export async function evaluateApart<T>(session: Session, expression: string): Promise<T> {
  for (let departures = 0; ; departures++)
    try {
      return await evaluateOnce(session, expression);
    } catch (error) {
      if (!departed.test(String(error)) || departures === maxDepartures) throw error;
    }
}

async function evaluateOnce<T>({ cdp, mainFrameId }: Session, expression: string): Promise<T> {
  const world = await cdp.send("Page.createIsolatedWorld", {
    frameId: mainFrameId,
    worldName: "magpie",
  });
  const { result, exceptionDetails } = await cdp.send("Runtime.evaluate", {
    expression,
    contextId: world.executionContextId,
    returnByValue: true,
  });
  if (exceptionDetails) throw new Error(`the page could not be read: ${exceptionDetails.text}`);
  return result.value as T;
}
