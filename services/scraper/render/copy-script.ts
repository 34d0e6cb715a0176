import { marking } from "./frame-mark.ts";

/** Frames of one document with all those in them, their depth, and characters and elements of each. */
const [mostFrames, deepestFrame, mostFrameText, mostFrameElements] = [50, 4, 1_000_000, 20_000];

/** The part of the script that reads a tree that copies it, with marks, frames and shadow trees in their places. */
export const writing = `
  const inert = DOMImplementation.prototype.createHTMLDocument.call(getter(Document, "implementation")(document), "");
  const copied = (node, deep) => Document.prototype.importNode.call(inert, node, deep);
  const made = name => Document.prototype.createElement.call(inert, name);
  const append = (parent, nodes) => {
    for (const node of nodes) Node.prototype.appendChild.call(parent, node);
  };
  const state = { frames: 0, text: 0, textLength: 0, slots: [], elements: [], nonce: "" };
  // The page cannot know the number. The first of a world takes some time, so it is made where there is a slot.
  const slotNonce = () => (state.nonce ||= crypto.getRandomValues(new Uint32Array(4)).join("-"));
  const notOfFrames = "script, style, noscript, link, meta, base, title, plaintext, xmp, noembed, noframes, object, embed";
  const addresses = ["href", "src", "poster", "data-src", "data-original", "data-lazy-src", "cite"];
  const resolved = (address, base) => {
    try { return new URL(address, base).href; } catch { return address; }
  };
  ${marking}
  // Addresses of a frame are those of its document.
  const rebase = (tree, base) => {
    for (const element of select(tree, "*")) {
      for (const name of addresses) {
        const value = attribute(element, name);
        if (value !== null && value !== "") setAttribute(element, name, resolved(value, base));
      }
      for (const name of ["srcset", "data-srcset"]) {
        const value = attribute(element, name);
        if (value !== null) setAttribute(element, name, value.replace(/(^|,\\s+|,(?=https?:))(\\S+)/g, (_, comma, url) => comma + resolved(url, base)));
      }
    }
  };
  const mark = (element, by, isPanel) => {
    setAttribute(element, by === "none" ? "hidden" : "aria-hidden", by === "none" ? "" : "true");
    if (isPanel) setAttribute(element, "data-magpie-panel", "");
  };
  // A frame of a set is one that a body may have.
  const inBody = element => {
    if (localName(element) !== "frame") return element;
    const frame = made("iframe");
    for (const name of ["src", "title"]) if (hasAttribute(element, name)) setAttribute(frame, name, attribute(element, name));
    return frame;
  };
  const fillFrame = (frame, copy, depth) => {
    const address = attribute(frame, "src") ?? "";
    const url = address === "" ? "" : resolved(address, baseUri(frame));
    if (wish.blocked.includes(url) || !isShown(frame) || width(frame) < 2 || height(frame) < 2) return remove(copy);
    if (depth >= ${deepestFrame} || state.frames >= ${mostFrames}) return;
    state.frames += 1;
    const inner = documentIn(frame);
    if (inner === null) {
      state.slots.push({ url: hasAttribute(frame, "srcdoc") ? "" : url, element: outerHtml(inBody(copy)) });
      state.elements.push(frame);
      replace(copy, Document.prototype.createComment.call(inert, "magpie " + slotNonce() + " " + (state.slots.length - 1)));
      return;
    }
    const content = frameContent(inner, depth + 1);
    if (content !== null) replace(copy, content);
  };
  const remove = element => Element.prototype.remove.call(element);
  const frameContent = (document, depth) => {
    const body = bodyOf(document);
    if (body === null) return null;
    const trees = surveyAll(document);
    const length = lengthOfAll(document, trees);
    state.text += length;
    if (state.text > ${mostFrameText} || [...trees.values()].some(({ tree }) => select(tree, "*").length > ${mostFrameElements})) return null;
    const block = made("div");
    const slots = state.slots.length;
    const own = written(document, trees, depth, baseUri(document));
    append(block, betweenMarks(document, Array.from((own.querySelector("body") ?? own).childNodes)));
    if (!hasText(block) && block.querySelector("img, template") === null && state.slots.length === slots) return null;
    state.textLength += length;
    return block;
  };
  // A copy of a tree with its marks, frames and shadow trees.
  const written = (tree, trees, depth, base) => {
    const { marks, frames, hosts, lists } = trees.get(tree);
    const all = select(tree, "*");
    const isDocument = nodeType(tree) === 9;
    const copy = isDocument ? copied(documentElement(tree), true) : made("template");
    if (!isDocument) append(copy.content, Array.from(tree.childNodes, child => copied(child, true)));
    const copies = isDocument ? [copy, ...select(copy, "*")] : [...select(copy.content, "*")];
    // A tree that cannot be copied in full has no marks.
    if (copies.length !== all.length) return copy;
    if (base !== undefined) rebase(isDocument ? copy : copy.content, base);
    const copyOf = copiesOf([...[...marks, ...hosts].map(({ element }) => element), ...frames, ...lists], all, copies);
    for (const { element, by } of marks) mark(copyOf.get(element), by, by !== "spoken" && isOpened(element));
    if (wish.withFrames) for (const frame of frames) fillFrame(frame, copyOf.get(frame), depth);
    for (const list of lists) {
      Element.prototype.replaceChildren.call(copyOf.get(list));
      append(copyOf.get(list), Array.from(passed.get(list).values(), row => copied(row, true)));
    }
    for (const { element, root } of hosts) {
      const template = written(root, trees, depth, base);
      setAttribute(template, "shadowrootmode", "open");
      prepend(copyOf.get(element), template);
    }
    if (base !== undefined) for (const each of select(isDocument ? copy : copy.content, notOfFrames)) remove(each);
    if (isDocument) for (const set of select(copy, "html > frameset")) replace(set, bodyOfFrames(set));
    return copy;
  };
  // An element and its copy have one place in the tree.
  const copiesOf = (elements, all, copies) => {
    const wanted = new Set(elements);
    const found = new Map();
    for (let at = 0; found.size < wanted.size; at++) if (wanted.has(all[at])) found.set(all[at], copies[at]);
    return found;
  };
  // A document of frames has no body.
  const bodyOfFrames = set => {
    const body = made("body");
    const walk = parent => {
      for (const each of Array.from(parent.childNodes))
        if (nodeType(each) === 1 && localName(each) === "frameset") walk(each);
        else append(body, [nodeType(each) === 1 ? inBody(each) : each]);
    };
    walk(set);
    return body;
  };`;
