/** A page with less text outside of its menus than this may wait for its content. */
const leastContent = 200;

/**
 * The part of the script that reads a tree that tells whether the area of the main content is empty. Programs fill the
 * element that says that it is the main one, or the root that they are given; an empty root beside text is only a place for
 * something else.
 */
export const emptiness = `
  const ofNoText = "script, style, noscript, template";
  const media = "img, picture, video, audio, canvas, iframe, frame, object, embed, input, select, textarea";
  const childNodes = getter(Node, "childNodes");
  const hasOwnText = element =>
    Array.prototype.some.call(childNodes(element), child => nodeType(child) === 3 && hasText(child));
  // Mostly one look at its text is enough.
  const says = element => hasText(element) && select(element, ofNoText).length === 0;
  const isBlank = element =>
    !says(element) && !hasOwnText(element) && shadowRoot(element) === null && Array.prototype.every.call(select(element, "*"), each =>
      matches(each, ofNoText) || !(hasOwnText(each) || matches(each, media) || shadowRoot(each) !== null));
  const contentLength = body => {
    const around = Array.from(select(body, "header, nav, footer, aside"));
    const outer = around.filter(each => !matches(each, ":is(header, nav, footer, aside) *"));
    return outer.reduce((length, each) => length - lengthOf(each), lengthOf(body));
  };
  const isMainEmpty = document => {
    const mains = Array.from(select(document, "main, [role=main]"));
    if (mains.length > 0) return mains.every(isBlank);
    const roots = Array.from(select(document, "#root, #app, #__next, #__nuxt"));
    return roots.length > 0 && bodyOf(document) !== null && roots.every(isBlank) && contentLength(bodyOf(document)) < ${leastContent};
  };`;
