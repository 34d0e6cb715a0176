const frame =
  'nav, footer, aside, form, [class*="related"], [class*="recommend"], [class*="similar"], [class*="sidebar"], [class*="sponsor"], [id*="sidebar"], [id*="related"]';

/** Whether an element belongs to what surrounds the subject of a page: navigation, footer, related things. */
export function isInFrame(element: Element): boolean {
  if (element.closest(frame) !== null) return true;
  const header = element.closest("header");
  return header !== null && header.closest("main, article") === null;
}
