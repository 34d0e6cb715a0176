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
 * Runs in the page, in a world of its own: what scripts of the page have replaced is not replaced here. Elements of a page
 * may hide properties of `document` and of forms by their names, so getters and methods are taken from the prototypes.
 *
 * Text in open shadow trees is written as declarative shadow roots, which the extraction reads. Numbers of timers are shared
 * by all worlds of a document: a timer of ours has the number of our reads so far, or scripts of the page have set some.
 */
const reading = `(() => {
  const getter = (type, name) => {
    const { get } = Object.getOwnPropertyDescriptor(type.prototype, name);
    return node => get.call(node);
  };
  const [documentElement, body, doctype] = ["documentElement", "body", "doctype"].map(name => getter(Document, name));
  const [shadowRoot, outerHtml] = ["shadowRoot", "outerHTML"].map(name => getter(Element, name));
  const textContent = getter(Node, "textContent");
  const select = (tree, selector) =>
    (tree === document ? Document : tree instanceof ShadowRoot ? DocumentFragment : Element)
      .prototype.querySelectorAll.call(tree, selector);

  const roots = [];
  const collect = tree => {
    for (const element of select(tree, "*")) {
      const root = shadowRoot(element);
      if (root !== null) roots.push(root);
    }
  };
  collect(document);
  // Roots within these are added meanwhile.
  for (const root of roots) collect(root);

  // The source of scripts is not visible text.
  const lengthOf = tree => {
    let length = textContent(tree).length;
    for (const each of select(tree, "script, style")) length -= textContent(each).length;
    return length;
  };
  const written = root => {
    if (roots.length === 0 || Element.prototype.getHTML === undefined) return outerHtml(root);
    // Without its content, and where no constructor of the page runs.
    const tag = outerHtml(new DOMParser().parseFromString("", "text/html").importNode(root, false));
    const end = tag.lastIndexOf("</");
    const content = Element.prototype.getHTML.call(root, { shadowRoots: roots });
    return tag.slice(0, end) + content + tag.slice(end);
  };
  const timersOfPage = () => {
    const reads = Symbol.for("magpie.reads");
    globalThis[reads] = (globalThis[reads] ?? 0) + 1;
    const timer = setTimeout(() => undefined);
    clearTimeout(timer);
    return timer - globalThis[reads];
  };

  const [root, shown, type] = [documentElement(document), body(document), doctype(document)];
  const head = type === null ? "" : new XMLSerializer().serializeToString(type) + "\\n";
  return {
    textLength: [...(shown ? [shown] : []), ...roots].reduce((sum, tree) => sum + lengthOf(tree), 0),
    isLive: select(document, "script, meta[http-equiv=refresh i]").length > 0,
    hasTimers: timersOfPage() > 0,
    html: (head + (root === null ? "" : written(root))).slice(0, ${maxHtmlCharacters}),
  };
})()`;
