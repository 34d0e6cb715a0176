import { passedRows } from "./scroll-through.ts";

/** Limits of what is looked at in a page: elements, and milliseconds for all of them. */
const [mostElements, longestMs] = [100_000, 200];

/**
 * The part of the script that reads a tree that reaches into it. Elements may hide properties of `document` and of forms by
 * their names, so getters and methods are taken from the prototypes.
 */
export const access = `
  const getter = (type, name) => {
    const { get } = Object.getOwnPropertyDescriptor(type.prototype, name);
    return node => get.call(node);
  };
  const method = (type, name) => {
    const call = type.prototype[name];
    return (node, ...given) => call.apply(node, given);
  };
  const [documentElement, bodyOf, doctype, addressOf] =
    ["documentElement", "body", "doctype", "URL"].map(name => getter(Document, name));
  const [shadowRoot, outerHtml, classes, previous, following, localName, childCount, width, height] = [
    "shadowRoot", "outerHTML", "classList", "previousElementSibling", "nextElementSibling", "localName", "childElementCount",
    "clientWidth", "clientHeight",
  ].map(name => getter(Element, name));
  const [textContent, nodeType, parentNode, baseUri] =
    ["textContent", "nodeType", "parentNode", "baseURI"].map(name => getter(Node, name));
  const [rootOf, prepend, replace, attribute, setAttribute, hasAttribute, matches] = [
    [Node, "getRootNode"], [Element, "prepend"], [Element, "replaceWith"], [Element, "getAttribute"], [Element, "setAttribute"],
    [Element, "hasAttribute"], [Element, "matches"],
  ].map(([type, name]) => method(type, name));
  const selectIn = { 1: Element, 9: Document, 11: DocumentFragment };
  const select = (tree, selector) => selectIn[nodeType(tree)].prototype.querySelectorAll.call(tree, selector);
  const frameDocument = {
    iframe: getter(HTMLIFrameElement, "contentDocument"),
    frame: getter(HTMLFrameElement, "contentDocument"),
  };
  const documentIn = frame => {
    try { return frameDocument[localName(frame)](frame); } catch { return null; }
  };
  // Asked most often.
  const { getBoundingClientRect: rectangle, checkVisibility: visible } = Element.prototype;
  const boxOf = element => rectangle.call(element);
  const isShown = (element, by) => visible.call(element, by);
  const scrolled = scrollY;
  const hasText = node => /\\S/.test(textContent(node));`;

/**
 * Tells what is hidden by a style sheet. A panel that a control opens is marked as such: it has a control beside it, or a
 * sibling of the same classes is shown. What waits to be faded in when it comes into view is not hidden.
 */
export const hiding = `
  const unlooked = new Set(("html head body main article script style noscript template title meta link base source track param " +
    "area datalist option optgroup select dialog svg math canvas audio video img picture iframe frame frameset object embed br hr wbr")
    .split(" "));
  const ofNoSpeech = "script, style, noscript, template, title";
  const headings = new Set(["h1", "h2", "caption", "th", "legend"]);
  const createWalker = Document.prototype.createTreeWalker;
  const nonBlank = /\\S/;
  const control = "button, summary, [role=button], [role=tab], [aria-expanded], [aria-controls], [data-toggle], [data-bs-toggle]";
  const revealed = /(?:^|[\\s_-])(?:wow|aos|reveal|animat\\w*|fade\\w*|in-?view|scroll\\w*|motion|appear)(?:[\\s_-]|$)/i;
  const styleOf = element => getComputedStyle(element);
  const isControl = element =>
    element !== null && (matches(element, control) ||
      (styleOf(element).cursor === "pointer" && !matches(element, 'a[href]:not([href^="#"], [href^="javascript:"])')));
  const isOpened = element => {
    const besides = [previous(element), following(element)];
    if (previous(element) === null && nodeType(parentNode(element)) === 1) besides.push(previous(parentNode(element)));
    if (besides.some(isControl)) return true;
    const own = [...classes(element)];
    const isTwin = other =>
      other !== null && localName(other) === localName(element) && classes(other).length > own.length &&
      own.every(name => classes(other).contains(name)) && isShown(other);
    if (own.length === 0) return false;
    for (const next of [previous, following])
      for (let other = next(element), left = 20; other !== null && left > 0; other = next(other), left--)
        if (isTwin(other)) return true;
    return false;
  };
  const isToFadeIn = (element, style) =>
    /[1-9]/.test(style.transitionDuration) || style.animationName !== "none" || style.transform !== "none" ||
    revealed.test(attribute(element, "class") ?? "") ||
    Element.prototype.getAttributeNames.call(element).some(name => /^data-(?:aos|sr|wow|scroll|anim|reveal|motion)/.test(name)) ||
    /opacity|visibility|transform/.test(attribute(element, "style") ?? "");
  // The reader itself sees this.
  const isPlainlyHidden = element =>
    hasAttribute(element, "hidden") || attribute(element, "aria-hidden") === "true" ||
    /display\\s*:\\s*none|visibility\\s*:\\s*hidden/i.test(attribute(element, "style") ?? "");
  const isInFlow = ({ position }) => position === "static" || position === "relative";
  const visibility = { opacityProperty: true, visibilityProperty: true };
  // Elements with text of their own and frames that are not shown, with all that is around them; and elements whose text is.
  // Only these are looked at closely: each look into the browser counts in a large page. A text has no names that hide its
  // properties.
  const lookOver = (tree, frames) => {
    const [suspects, spoken, unspoken] = [new Set(), new Set(), new Set(select(tree, ofNoSpeech))];
    const suspect = element => {
      for (let at = element; at !== null && !suspects.has(at); at = parentNode(at)) suspects.add(at);
    };
    for (const frame of frames) if (!isShown(frame, visibility)) suspect(frame);
    const texts = createWalker.call(document, tree, NodeFilter.SHOW_TEXT);
    for (let last = null, count = 0, text; (text = texts.nextNode()) !== null; count++) {
      if ((count & 127) === 0 && performance.now() > until) break;
      const element = text.parentNode;
      if (element === last || element === tree || spoken.has(element)) continue;
      if (unspoken.has(element) || !nonBlank.test(text.data)) continue;
      last = element;
      if (isShown(element, visibility)) spoken.add(element);
      else suspect(element);
    }
    return { suspects, spoken };
  };
  // Why the element is hidden: none, faded, spoken; later: it will be shown; undefined: it is not hidden itself.
  const hiddenBy = (element, { suspects, spoken }) => {
    if (suspects.has(element) && !isShown(element, visibility)) {
      const style = styleOf(element);
      if (style.display === "none") return "none";
      const isFaded = style.visibility !== "visible" || style.opacity === "0";
      if (!isFaded) return undefined;
      if (isInFlow(style) && isToFadeIn(element, style)) return "later";
      if (style.opacity === "0") return "faded";
      return Array.prototype.some.call(select(element, "*"), each => styleOf(each).visibility === "visible") ? undefined : "faded";
    }
    return spoken.has(element) ? hiddenByPlace(element) : undefined;
  };
  // Text of no size, cut off, or away from the page.
  const hiddenByPlace = element => {
    const { width, height, right, bottom } = boxOf(element);
    const isAway = right < -400 || bottom + scrolled < -400;
    if (width > 1.5 && height > 1.5 && !isAway) return undefined;
    const { fontSize } = styleOf(element);
    const isOfNoSize = Number.parseFloat(fontSize) < 1 && childCount(element) === 0;
    return isOfNoSize || isCutOff(element, isAway) ? "spoken" : undefined;
  };
  // Also by what is closely around it. Headings and captions tell what they are above.
  const isCutOff = (element, isAway) => {
    for (let at = element, left = 4; left > 0 && at !== null && nodeType(at) === 1; at = parentNode(at), left--) {
      if (headings.has(localName(at))) return false;
      const style = styleOf(at);
      const { width, height } = boxOf(at);
      if (isAway ? !isInFlow(style) : width <= 1.5 && height <= 1.5 && style.overflow !== "visible") return true;
    }
    return false;
  };`;

/** The most frequent elements that refuse a shadow tree (the method `attachShadow` of the DOM standard). */
const hostless = "a, li, td, tr, img, code, em, strong, b, i, br, path, option";

/** Looks for marks and frames in a tree and in its shadow trees. */
export const surveying = `
  const until = performance.now() + ${longestMs};
  // Elements that may have a shadow tree: others refuse it.
  const mayHost = ":not(${hostless})";
  // Rows that a list removed while it was scrolled, where it shows others of their kind.
  const passed = ${passedRows};
  const isPassed = list => {
    const rows = [...(passed.get(list)?.values() ?? [])];
    const shown = Array.prototype.filter.call(list.childNodes, child => nodeType(child) === 1 && hasText(child));
    return shown.length > 0 && rows.length > shown.length + 2 && rows.every(row => localName(row) === localName(shown[0]));
  };
  const survey = (tree, looks) => {
    const frames = [...select(tree, "iframe, frame")];
    const { hidden, marks } = looks ? hiddenIn(tree, frames) : { hidden: new Set(), marks: [] };
    const isWithin = element => {
      let at = hidden.size === 0 ? null : parentNode(element);
      while (at !== null && !hidden.has(at)) at = parentNode(at);
      return at !== null;
    };
    const hosts = Array.from(select(tree, mayHost)).filter(element => shadowRoot(element) !== null);
    return {
      tree,
      marks: marks.filter(({ element }) => !isWithin(element)),
      frames: frames.filter(element => !isWithin(element)),
      hosts: hosts.map(element => ({ element, root: shadowRoot(element) })),
      lists: passed === undefined ? [] : [...passed.keys()].filter(list => rootOf(list) === tree && isPassed(list)),
    };
  };
  // What is hidden, and what of it is to be marked.
  const hiddenIn = (tree, frames) => {
    const seen = lookOver(tree, frames);
    const [hidden, marks] = [new Set(), []];
    let left = ${mostElements};
    const look = element => {
      left -= 1;
      if (left < 0 || unlooked.has(localName(element))) return;
      if ((left & 127) === 0 && performance.now() > until) left = 0;
      const by = hiddenBy(element, seen);
      if (by === undefined) return;
      hidden.add(element);
      if (by !== "later" && !isPlainlyHidden(element) && hasText(element)) marks.push({ element, by });
    };
    for (const element of seen.suspects) if (nodeType(element) === 1) look(element);
    for (const element of seen.spoken) if (!seen.suspects.has(element)) look(element);
    return { hidden, marks };
  };
  // What is faded in part by part is most of a page that has not been scrolled.
  const showFaded = (document, all) => {
    const faded = all.flatMap(({ marks }) => marks.flatMap(({ element, by }) => (by === "faded" ? [element] : [])));
    if (faded.length === 0 || faded.reduce((sum, each) => sum + textContent(each).length, 0) < lengthOf(bodyOf(document)) / 3) return;
    for (const found of all) found.marks = found.marks.filter(({ by }) => by !== "faded");
  };
  const looksAt = document => {
    const body = bodyOf(document);
    return body !== null && isShown(body, visibility);
  };
  const surveyAll = document => {
    const looks = looksAt(document);
    const trees = new Map();
    const add = tree => {
      const found = survey(tree, looks);
      trees.set(tree, found);
      return found;
    };
    const queue = [add(document)];
    for (const { hosts } of queue) for (const { root } of hosts) queue.push(add(root));
    showFaded(document, queue);
    return trees;
  };
  // The source of scripts is not visible text, nor is what is shown without them.
  const lengthOf = tree => {
    let length = textContent(tree).length;
    for (const each of select(tree, "script, style, noscript")) length -= textContent(each).length;
    return length;
  };
  const lengthOfAll = (document, trees) => {
    const body = bodyOf(document);
    return [...(body ? [body] : []), ...trees.keys()].reduce((sum, tree) => sum + (tree === document ? 0 : lengthOf(tree)), 0);
  };`;
