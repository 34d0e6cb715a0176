/** The pages of a tracked site, as the keys that track it may see them: `services/history`. */
import { repeatable } from "./action.ts";
import { nullableTime } from "./paging.ts";
import {
  count,
  cursor,
  type Infer,
  limit,
  list,
  named,
  nullableText,
  object,
  orNull,
  rule,
  text,
  time,
} from "./schema.ts";

const id = rule({ type: "string", min: 1, max: 64, description: "`id` of a site that the key tracks." });

export const pageStates = ["new", "there", "missing", "removed", "moved", "refused", "alias"] as const;

/** A page of a site, and how its visits go. */
const watchedPage = named("WatchedPage", {
  url: text,
  title: { ...text, description: "Empty before it was read." },
  state: {
    type: "enum",
    values: pageStates,
    description:
      "`new`: known, and not read yet; `there`; `missing`: not found, which another visit confirms; `removed`; `moved`; `refused`: robots.txt or its own wish keeps Magpie out; `alias`: another address of a page.",
  },
  depth: { ...count, description: "Links from the entry page." },
  found_at: { ...time, description: "When it was found." },
  visited_at: { ...nullableTime, description: "When it was last asked for; null before the first time." },
  changed_at: {
    ...nullableTime,
    description: "When its last event was made: it came, changed, moved or went.",
  },
  moved_to: { ...nullableText, description: "Of `moved` and `alias`: the address of the page." },
  next_visit_at: { ...nullableTime, description: "When it is asked for next; null where it is not." },
});
export type WatchedPage = Infer<typeof watchedPage>;

const prefix = rule({
  type: "string",
  min: 1,
  max: 2048,
  optional: true,
  description:
    "Only what is below this address: a URL, a path of the site such as `/docs/`, or `prefix` of a branch.",
});

const changedSince = rule({
  type: "string",
  min: 4,
  max: 40,
  optional: true,
  description: "ISO 8601: only pages with an event since then.",
});

/** The pages of a site, in the order of their addresses. 404 for a source that is no site. */
export const listSitePages = repeatable("history.sitePages", {
  params: {
    id,
    prefix,
    state: { type: "enum", values: pageStates, optional: true, description: "Only pages in this state." },
    changed_since: changedSince,
    limit: limit("Pages.", { max: 1000, default: 100 }),
    cursor: { ...cursor, max: 4096 },
  },
  result: object({ data: list(watchedPage), next_cursor: nullableText, message: text }),
});

/** What lies below one part of an address. */
const siteBranch = named("SiteBranch", {
  name: { ...text, description: "The part of the address." },
  prefix: { ...text, description: "What `prefix` takes for the level below." },
  pages: { ...count, description: "Pages there and below it that are watched." },
  gone: { ...count, description: "Pages there and below it that are removed or have moved." },
  changed_at: { ...nullableTime, description: "The newest `changed_at` of them." },
  page: { ...orNull(watchedPage), description: "The page at this address itself; null where there is none." },
});
export type SiteBranch = Infer<typeof siteBranch>;

/** Reads one level of a site's addresses; 404 for a source that is no site. */
export const readSiteTree = repeatable("history.siteTree", {
  params: { id, prefix, changed_since: changedSince },
  result: object({
    data: list(siteBranch),
    truncated: { type: "boolean", description: "There is more below it than was counted." },
    message: text,
  }),
});

/** How many pages a site has. */
export const siteSummary = named("SiteSummary", {
  pages: { ...count, description: "Pages that are watched." },
  states: object({
    new: { ...count, description: "Known, and not read yet." },
    there: count,
    missing: count,
    removed: count,
    moved: count,
    refused: count,
    alias: count,
  }),
  baseline: {
    type: "boolean",
    description: "Its pages are being read for the first time, which makes no events.",
  },
});
export type SiteSummary = Infer<typeof siteSummary>;
