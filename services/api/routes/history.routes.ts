import type { ErrorCode } from "../../contracts/errors.ts";
import * as contract from "../../contracts/history.contract.ts";
import { listSitePages, readSiteTree } from "../../contracts/site-pages.contract.ts";
import { checksTool, diffTool, searchTool, sourceTool, versionsTool } from "../mcp/history-tools.ts";
import { sitePagesTool } from "../mcp/site-tools.ts";
import { feedExample } from "../openapi/examples.ts";
import { page, type Route } from "./route.ts";
import { polling } from "./source-lists.routes.ts";

const errors: ErrorCode[] = ["not_found"];
const common = { auth: "key", tag: "History", status: 200, errors } as const;

/** A comparison or a form of a large version may take a thread some seconds. */
const readMs = 20_000;

const rehearsalMs = 60_000;

const checkExample = {
  at: "2025-03-25T09:30:00.000Z",
  since: "2025-03-25T06:30:00.000Z",
  checks: 4,
  outcome: "same",
  reason: "Nothing has changed that counts.",
  status: 200,
  engine: "http",
  took_ms: 184,
  version: "01JQ4T5W6X7Y8Z9ABCDEFGHJKM",
  event_id: null,
};

const versionExample = {
  id: "01JQ4T5W6X7Y8Z9ABCDEFGHJKM",
  at: "2025-03-25T06:30:00.000Z",
  until: null,
  title: "Desk lamp",
  item: null,
  outcome: "changed",
  reason: "1 line added, 1 line removed.",
  added: 1,
  removed: 1,
  event_id: "evt_01JQ4T5W6X7Y8Z9ABCDEFGHJKM",
};

const formerId = "01JQ1T5W6X7Y8Z9ABCDEFGHJKM";

const sourceExample = {
  ...feedExample,
  source: "WEB",
  externalId: "https://example.com/lamp",
  username: "example.com",
  name: "Desk lamp",
  ...polling,
  health: "ok",
  failures: 0,
  problem: null,
  muted: [
    {
      text: "Booked 3 times in the last 24 hours",
      since: "2025-03-24T21:30:00.000Z",
      ignore: "/Booked \\d+ times in the last \\d+ hours/",
    },
  ],
  tags: ["work"],
  tracked_at: "2025-03-01T08:00:00.000Z",
  last_check: checkExample,
  interval_ms: 3_600_000,
  versions: 12,
  bytes: 9120,
  events: 4,
  values: { value: 39.9 },
  watched_from: "2025-03-01T08:00:00.000Z",
};

const diffExample = {
  from: formerId,
  to: versionExample.id,
  added: ["€ 39.90"],
  removed: ["€ 49.90"],
  moved: [],
  lines: [
    { kind: "same", parts: [{ kind: "same", text: "# Desk lamp" }] },
    {
      kind: "changed",
      parts: [
        { kind: "same", text: "€ " },
        { kind: "removed", text: "49.90" },
        { kind: "added", text: "39.90" },
      ],
    },
  ],
  truncated: false,
};

const pageExample = {
  url: "https://example.com/docs/install",
  title: "Install",
  state: "there",
  depth: 1,
  found_at: "2025-03-01T08:00:00.000Z",
  visited_at: "2025-03-25T09:30:00.000Z",
  changed_at: "2025-03-25T09:30:00.000Z",
  moved_to: null,
  next_visit_at: "2025-03-25T15:30:00.000Z",
};

/** What the sources of a key said. */
export const historyRoutes: Route[] = [
  {
    ...common,
    name: "getSource",
    scopes: ["read", "track"],
    method: "GET",
    path: "/sources/{id}",
    action: contract.readSource,
    tool: sourceTool,
    summary: "Get a tracked source",
    description:
      "Its options, how its polling goes, its latest check and values, the lines that are muted, and what is kept of it. " +
      "A source that the calling key does not track is a 404, here and below.",
    responses: {
      200: { description: "The source.", example: { data: sourceExample, message: "This is the source." } },
    },
  },
  {
    ...common,
    name: "listSitePages",
    scopes: ["read", "track"],
    method: "GET",
    path: "/sources/{id}/pages",
    action: listSitePages,
    tool: sitePagesTool,
    summary: "List the pages of a site",
    description: "In the order of their addresses. A source that is no site is a 404.",
    examples: {
      "what has changed": { id: sourceExample.id, prefix: "/docs/", changed_since: "2025-03-18" },
    },
    responses: page("The pages.", pageExample),
  },
  {
    ...common,
    name: "readSiteTree",
    scopes: ["read", "track"],
    method: "GET",
    path: "/sources/{id}/tree",
    action: readSiteTree,
    timeoutMs: () => readMs,
    summary: "Read one level of a site",
    description:
      "What lies below an address, by the next part of the addresses: how many pages there are, and when one of them changed " +
      "last. Without `prefix` the hosts of the site. A source that is no site is a 404.",
    examples: { "a directory": { id: sourceExample.id, prefix: "/docs/" } },
    responses: {
      200: {
        description: "The level.",
        example: {
          data: [
            {
              name: "install",
              prefix: "example.com/docs/install/",
              pages: 4,
              gone: 0,
              changed_at: pageExample.changed_at,
              page: pageExample,
            },
          ],
          truncated: false,
          message: "This is one level of the site.",
        },
      },
    },
  },
  {
    ...common,
    name: "listChecks",
    scopes: ["read", "track"],
    method: "GET",
    path: "/sources/{id}/checks",
    action: contract.listChecks,
    tool: checksTool,
    summary: "List the checks of a source",
    description: "Newest first. Checks in a row with the same outcome and reason are one entry.",
    responses: page("The checks.", checkExample),
  },
  {
    ...common,
    name: "listVersions",
    scopes: ["read", "track"],
    method: "GET",
    path: "/sources/{id}/versions",
    action: contract.listVersions,
    tool: versionsTool,
    summary: "List what a source said",
    description:
      "The versions of a page, or of the items of a feed, newest first: each state that differed from the one before. With " +
      "`at` the one that was there at that time. The past of a key begins with the version that was there when it began " +
      "to track the source.",
    examples: { "at a time": { id: sourceExample.id, at: "2025-03-14" } },
    responses: page("The versions.", versionExample),
  },
  {
    ...common,
    name: "getVersion",
    scopes: ["read", "track"],
    method: "GET",
    path: "/sources/{id}/versions/{version}",
    action: contract.readVersion,
    tool: versionsTool,
    timeoutMs: () => readMs,
    summary: "Read a version",
    description:
      "As `json` its facts, the text that the watch compares, and its Markdown; as `markdown`, `text` or `html` that alone; " +
      "as `picture` the page as it looked. All are made from the page as it was kept, without scripts and advertisements. " +
      "The HTML is answered so that a browser runs, loads and sends nothing.",
    responses: {
      200: {
        description: "The version.",
        schema: contract.versionAnswer,
        forms: {
          by: "as",
          types: {
            markdown: "text/markdown; charset=utf-8",
            text: "text/plain; charset=utf-8",
            html: "text/html; charset=utf-8",
            picture: "image/png",
          },
        },
        example: {
          data: {
            ...versionExample,
            text: "# Desk lamp\n€ 39.90",
            markdown: "# Desk lamp\n\n€ 39.90",
            fields: null,
            has_picture: false,
          },
          message: "This is what the source said.",
        },
      },
    },
    errors: ["not_found", "upstream_error"],
  },
  {
    ...common,
    name: "diffVersions",
    scopes: ["read", "track"],
    method: "GET",
    path: "/sources/{id}/diff",
    action: contract.diffVersions,
    tool: diffTool,
    timeoutMs: () => readMs,
    summary: "Compare two versions",
    description:
      "Line by line, in the view of the calling key: by default the latest version with the one before it. As `lines` data, " +
      "with the words that changed and the lines that moved; as `unified` a patch; as `html` a page in colour.",
    examples: { two: { id: sourceExample.id, from: formerId, to: versionExample.id } },
    responses: {
      200: {
        description: "How they differ.",
        schema: contract.diffAnswer,
        forms: {
          by: "as",
          types: { unified: "text/x-diff; charset=utf-8", html: "text/html; charset=utf-8" },
        },
        example: { data: diffExample, message: "The versions are compared." },
      },
    },
    errors: ["not_found", "upstream_error"],
  },
  {
    ...common,
    name: "listValues",
    scopes: ["read", "track"],
    method: "GET",
    path: "/sources/{id}/values",
    action: contract.listValues,
    summary: "List the values of a source over time",
    description:
      "The number of `when.value` as `value`, and the fields of `json` by their paths, oldest first. Without `every` a point " +
      "for each change; with it one for each span in which the field was seen. As `csv` for spreadsheets: a text that begins " +
      "like a formula has an apostrophe before it.",
    examples: { daily: { id: sourceExample.id, field: "value", every: "1d" } },
    responses: {
      200: {
        description: "The values.",
        schema: contract.seriesAnswer,
        forms: { by: "as", types: { csv: "text/csv; charset=utf-8" } },
        example: {
          data: [
            { at: "2025-03-01T08:00:00.000Z", field: "value", value: 49.9 },
            { at: "2025-03-25T06:30:00.000Z", field: "value", value: 39.9 },
          ],
          truncated: false,
          message: "Values listed.",
        },
      },
    },
  },
  {
    ...common,
    name: "rehearse",
    scopes: ["track"],
    method: "POST",
    path: "/sources/{id}/rehearse",
    action: contract.rehearse,
    timeoutMs: () => rehearsalMs,
    summary: "Try options on the past of a source",
    description:
      "Judges the kept versions as live checks would have judged them with these options, and changes nothing. What " +
      "`options` does not name stays as the key has it; null removes an option.",
    examples: {
      "as it is": {},
      "a price below 40": { options: { select: [".price"], when: { value: { below: 40 } } }, days: 90 },
    },
    responses: {
      200: {
        description: "What would have fired.",
        example: {
          data: {
            from: "2025-03-01T08:00:00.000Z",
            to: "2025-03-25T09:30:00.000Z",
            checks: 576,
            fired: 1,
            events: [
              {
                at: versionExample.at,
                version: versionExample.id,
                outcome: "changed",
                reason: "The number fell from 49.9 to 39.9, below 40.",
                change: { added: ["€ 39.90"], removed: ["€ 49.90"] },
              },
            ],
            held: [],
            why: "In the 24 days that are kept this would have fired once.",
          },
          message: "In the 24 days that are kept this would have fired once.",
        },
      },
    },
    errors: ["not_found", "upstream_error"],
  },
  {
    auth: "key",
    tag: "History",
    status: 200,
    name: "searchHistory",
    scopes: ["read", "track"],
    method: "GET",
    path: "/search",
    action: contract.searchHistory,
    tool: searchTool,
    timeoutMs: () => readMs,
    summary: "Search what the sources said",
    description:
      "Finds words in what was new in each version of the key's pages and feeds, and in the posts and messages of its " +
      "accounts and channels, newest first, with a passage around them. All words must be there, in any case and without " +
      "regard to accents.",
    examples: { phrase: { q: '"back in stock" source:web after:2025-03-01' } },
    responses: page("The passages.", {
      kind: "version",
      at: versionExample.at,
      source: {
        id: sourceExample.id,
        source: sourceExample.source,
        name: sourceExample.name,
        externalId: sourceExample.externalId,
      },
      title: versionExample.title,
      passage: "Desk lamp, brass: **back in stock** from Monday",
      version: versionExample.id,
      event_id: versionExample.event_id,
      url: null,
    }),
  },
  {
    ...common,
    name: "eraseVersions",
    scopes: ["track"],
    method: "DELETE",
    path: "/sources/{id}/versions",
    action: contract.eraseVersions,
    status: 204,
    summary: "Erase what a source said",
    description:
      "For the calling key, for good: its past begins with the latest version. What no other key may read is deleted. " +
      "Events that were made of it stay until they expire.",
    responses: { 204: { description: "It is erased." } },
  },
];
