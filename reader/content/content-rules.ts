import { joinParts } from "./joined-parts.ts";
import { dropLinks } from "./other-pages.ts";
import { dropOtherTexts } from "./other-texts.ts";
import type { Outline } from "./outline.ts";
import type { PageContext } from "./page-context.ts";
import { keepFacts } from "./small-facts.ts";
import { dropNamed } from "./small-furniture.ts";

/**
 * What the page is made of corrects what the model makes of single blocks: what belongs to other pages or to other people
 * goes, then facts within the content stay, with the headings above them.
 */
export function withRules(outline: Outline, kept: readonly boolean[], page: PageContext): boolean[] {
  const named = dropNamed(outline, kept);
  const own = dropLinks(outline, dropOtherTexts(outline, named, page), page);
  return joinParts(outline, keepFacts(outline, own, page));
}
