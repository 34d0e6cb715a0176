import type { EditedSite } from "../edited-site.ts";

/** Gives all pages links, so that the heading above these does not come to several pages, which would be the site's change. */
export function linkAll({ model }: EditedSite): void {
  for (const answer of model.answers.values())
    if ("doc" in answer && answer.doc.links.length === 0) answer.doc.links.push(model.entry);
}
