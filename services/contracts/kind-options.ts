import type { Fields } from "./schema.ts";

/*
 * Options of a watch that belong to one kind of source: those of sites, which are named as in a crawl, of searches and of
 * social platforms; and a goal in words, which a language model judges changes by.
 */

const globs = (description: string) =>
  ({ type: "array", max: 100, items: { type: "string", min: 1, max: 512 }, description }) as const;

/** Pages of a site that are watched, by default and at most. */
export const usualPages = 1000;
export const mostPages = 50_000;

export const siteOptions = {
  limit: {
    type: "number",
    integer: true,
    min: 1,
    max: mostPages,
    description: "Of a site: pages that are watched, at most; by default 1,000.",
  },
  include: globs("Of a site: only pages that match one of these patterns, as in a crawl."),
  exclude: globs("Of a site: no page that matches one of these patterns, as in a crawl."),
  max_depth: {
    type: "number",
    integer: true,
    min: 0,
    max: 100,
    description: "Of a site: links from the entry page; by default 10.",
  },
  include_entire_domain: {
    type: "boolean",
    description: "Of a site: the whole host, not only what lies below the entry page's directory.",
  },
  include_subdomains: { type: "boolean", description: "Of a site: also hosts below the entry page's host." },
  sitemaps: {
    type: "boolean",
    description: "Of a site: also the pages that its sitemaps name, which is the default.",
  },
  checks: {
    type: "boolean",
    description:
      "Of a site: an event `site.checked` with counts after each round, also where nothing has changed.",
  },
} as const satisfies Fields;

export const socialOptions = {
  edits: {
    type: "boolean",
    description:
      "Of an account, server, channel or group: also what is edited and deleted, where the network says so.",
  },
} as const satisfies Fields;

export const searchOptions = {
  domains: {
    type: "array",
    min: 1,
    max: 50,
    unique: true,
    items: { type: "string", trim: true, min: 1, max: 253 },
    description: "Of a search: only results of these domains and what is below them.",
  },
  window: {
    type: "enum",
    values: ["day", "week", "month", "year"],
    description: "Of a search: only what has appeared in this time, as far as the search engine knows it.",
  },
} as const satisfies Fields;

export const judgeOptions = {
  goal: {
    type: "string",
    trim: true,
    min: 3,
    max: 2000,
    description:
      "What you want to know, in words. A language model judges each change by it, and says so in the event: `judgement`. Needs `LLM_BASE_URL`.",
  },
  judge: { type: "boolean", description: "False: the goal is kept, and nothing is judged." },
} as const satisfies Fields;
