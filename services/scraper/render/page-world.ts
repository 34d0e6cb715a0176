import type { Session } from "../../../mixins/browser/session.ts";

/** A JavaScript world of ours beside the page's: it sees the same DOM, and the page cannot change its built-ins. */
export async function evaluateApart<T>({ cdp, mainFrameId }: Session, expression: string): Promise<T> {
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
