import { parseHTML } from "linkedom";

/** An element of a document of its own, for components to render into. */
export function openDocument(): HTMLElement {
  const { document } = parseHTML("<!doctype html><html><body><main></main></body></html>");
  Object.assign(globalThis, { document });
  const main = document.querySelector("main");
  if (!main) throw new Error("the document has no main element");
  return main;
}
