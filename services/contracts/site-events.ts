import { type Fields, type Infer, list, named, nullableText, text, time } from "./schema.ts";

/*
 * What events of a tracked site, of a search and of a judge carry, beside `source`.
 */

const count = { type: "number", integer: true, min: 0 } as const;

/** A page of a site. */
export const sitePage = named("SitePage", {
  url: text,
  title: text,
});
export type SitePageName = Infer<typeof sitePage>;

/** A change that is on many pages of a site at once. */
export const siteChange = named("SiteChange", {
  kind: {
    type: "enum",
    values: ["everywhere", "rotating"],
    description:
      "`everywhere`: the same lines came or went on many pages. `rotating`: a place shows something else on each visit; it is muted from now on.",
  },
  added: { ...list(text), description: "Lines that came." },
  removed: { ...list(text), description: "Lines that went." },
  seen_on: { ...count, description: "Pages on which it was seen when it was told." },
  looked_at: { ...count, description: "Pages that were looked at for it." },
  pages: { ...count, description: "Pages of the site that are watched." },
  examples: { ...list(text), description: "Addresses of some of them." },
});
export type SiteChange = Infer<typeof siteChange>;

/** What a round through a site found. */
export const siteCheck = named("SiteCheck", {
  started_at: time,
  ended_at: time,
  pages: { ...count, description: "Pages that are watched." },
  visited: { ...count, description: "Pages that were asked for." },
  unchanged: { ...count, description: "Of these: as they were." },
  added: count,
  changed: count,
  removed: count,
  moved: count,
  failed: { ...count, description: "Pages that could not be read." },
});
export type SiteCheck = Infer<typeof siteCheck>;

/** A result of a search on the web. */
export const searchResult = named("SearchResult", {
  url: { ...text, description: "Its canonical address: each is told once." },
  title: nullableText,
  description: nullableText,
  date: { ...nullableText, description: "When it appeared, as the search engine says it." },
});
export type SearchResult = Infer<typeof searchResult>;

/** What a language model says of a change, by the goal of its watch. */
export const judgement = named("Judgement", {
  judged: {
    type: "boolean",
    description:
      "False: no verdict was had in time, for the reason in `reason`. The event was not held back.",
  },
  meaningful: { type: "boolean", optional: true, description: "Whether the goal is concerned." },
  confidence: { type: "number", min: 0, max: 1, optional: true, description: "From 0 to 1." },
  reason: { ...text, optional: true, description: "Why, in a sentence." },
  summary: { ...text, optional: true, description: "What has changed, in a sentence." },
  goal: { ...text, description: "The goal that it was judged by." },
});
export type Judgement = Infer<typeof judgement>;

/** What every event of a change may carry. */
export const judged = {
  judgement: {
    ...judgement,
    optional: true,
    description: "With `goal`: what the language model says of it.",
  },
} as const satisfies Fields;
