import { writing } from "./copy-script.ts";
import { emptiness } from "./empty-main.ts";
import { access, hiding, surveying } from "./unseen-script.ts";

/** Limit of a rendered document in characters; the rest is cut off. */
const maxHtmlCharacters = 20_000_000;

/** How a document is read. */
export interface TreeWish {
  /** Text of frames is put in their place. */
  withFrames: boolean;
  /** Addresses of frames that were not loaded since they are advertisements. */
  blocked: readonly string[];
  /** The document as the browser has it is wanted too. */
  asShown: boolean;
  /** It is a frame, of this depth: its body is returned, to be put into another document. */
  depth: number;
}

/** A frame that only the browser's protocol can look into. */
export interface Slot {
  /** Its address by its attribute; empty: its content is the page's own. */
  url: string;
  /** The element, which stays where the frame is not read. */
  element: string;
}

/** What the script returns. */
export interface ShownTree {
  url: string;
  textLength: number;
  framesLength: number;
  isMainEmpty: boolean;
  isLive: boolean;
  hasTimers: boolean;
  /** The document as it is read: with frames, and with what a style sheet hides marked as hidden. */
  html: string;
  /** The document as the browser has it, where that differs and is wanted. */
  asShown?: string;
  slots: Slot[];
  /** In the marks of the places that are filled later. */
  nonce: string;
}

/** Where the script keeps the elements of `slots`, in their order, in its own world. */
export const slotElements = 'globalThis[Symbol.for("magpie.slots")]';

export function slotMark(nonce: string, at: number): string {
  return `<!--magpie ${nonce} ${at}-->`;
}

/**
 * Reads a document as it is now. Runs in a world of its own: what scripts of the page have replaced is not replaced here.
 * Elements may hide properties of `document` and of forms by their names, so getters and methods are taken from the
 * prototypes. Nothing in the page is changed: what is marked or put in is so in a copy.
 *
 * Text in open shadow trees is written as declarative shadow roots, which the extraction reads. Numbers of timers are shared
 * by all worlds of a document: a timer of ours has the number of our reads so far, or scripts of the page have set some.
 *
 * The text is the same for most pages: the renderer keeps what it has compiled of it.
 */
export function treeScript(wish: TreeWish): string {
  return `(wish => {
  ${access}
  ${hiding}
  ${surveying}
  ${writing}
  ${emptiness}
  ${answering}
})(${JSON.stringify(wish)})`;
}

const answering = `
  const timersOfPage = () => {
    const reads = Symbol.for("magpie.reads");
    globalThis[reads] = (globalThis[reads] ?? 0) + 1;
    const timer = setTimeout(() => undefined);
    clearTimeout(timer);
    return timer - globalThis[reads];
  };
  const asShown = roots => {
    const root = documentElement(document);
    if (root === null || roots.length === 0 || Element.prototype.getHTML === undefined) return root === null ? "" : outerHtml(root);
    // Without its content, and where no constructor of the page runs.
    const tag = outerHtml(copied(root, false));
    const end = tag.lastIndexOf("</");
    return tag.slice(0, end) + Element.prototype.getHTML.call(root, { shadowRoots: roots }) + tag.slice(end);
  };
  const trees = surveyAll(document);
  const found = [...trees.values()];
  const ownLength = lengthOfAll(document, trees);
  const type = doctype(document);
  const head = type === null ? "" : new XMLSerializer().serializeToString(type) + "\\n";
  const facts = () => ({
    url: addressOf(document),
    textLength: ownLength,
    framesLength: state.textLength,
    isMainEmpty: isMainEmpty(document),
    isLive: Document.prototype.querySelector.call(document, "script, meta[http-equiv=refresh i]") !== null,
    hasTimers: timersOfPage() > 0,
    slots: state.slots,
    nonce: state.nonce,
  });
  if (wish.depth > 0) {
    const content = frameContent(document, wish.depth);
    globalThis[Symbol.for("magpie.slots")] = state.elements;
    return { ...facts(), html: content === null ? "" : outerHtml(content).slice(0, ${maxHtmlCharacters}) };
  }
  const isChanged = found.some(({ marks, frames, lists }) => marks.length + lists.length > 0 || (wish.withFrames && frames.length > 0));
  const shown = isChanged && !wish.asShown ? undefined : (head + asShown(found.slice(1).map(({ tree }) => tree))).slice(0, ${maxHtmlCharacters});
  if (!isChanged) return { ...facts(), html: shown };
  const html = (head + outerHtml(written(document, trees, 0))).slice(0, ${maxHtmlCharacters});
  globalThis[Symbol.for("magpie.slots")] = state.elements;
  return { ...facts(), html, ...(shown !== undefined && shown !== html && { asShown: shown }) };`;
