import type { BatchAccepted, BatchStatus } from "../../contracts/batch.contract.ts";
import type { CrawlAccepted, CrawlStatus, FailedPage } from "../../contracts/crawler.contract.ts";
import type { SiteMap } from "../../contracts/map.contract.ts";
import type { ScrapeData } from "../../contracts/page.contract.ts";
import type { Preview } from "../../contracts/preview.contract.ts";
import type { AcceptedScrape, ScrapeJob } from "../../contracts/scraper.contract.ts";
import type { MessengerMessage } from "../../contracts/social.ts";
import type { Source } from "../../contracts/source.ts";
import type { TrackedSource } from "../../contracts/source-lists.contract.ts";
import type { Tracked, TrackQueued } from "../../contracts/tracker.contract.ts";
import type { EventPage } from "../streams/read-events.ts";

/** What a client may assume of a tool, as in the specification of the protocol (`ToolAnnotations`). */
interface ToolHints {
  readOnlyHint: boolean;
  destructiveHint: boolean;
  idempotentHint: boolean;
  /** Whether the tool reaches beyond this service. */
  openWorldHint: boolean;
}

/** An answer in words. */
export interface ToolText {
  /** What this service itself says: no text of pages, feeds or messages. */
  facts: string;
  /** What comes from outside. Readers see it fenced, a part at a time. */
  content?: string;
  /** Arguments that read the rest, in place of those of this call. By default the same arguments. */
  rest?: Record<string, string>;
  /** The `next_cursor` of the answer. */
  next?: string | null;
}

/**
 * How a row of the route table is offered to language models (Model Context Protocol). Rows that share a name are one tool:
 * a call runs the row whose path the arguments fill.
 */
export interface Tool {
  name: string;
  title: string;
  /** Tells a model in one or two sentences what the tool is for, so that it can choose. */
  description: string;
  hints: ToolHints;
  /**
   * The fields that models are shown, with a dot for a field of an object; by default all. The row takes the others, too:
   * each one shown costs every conversation some tokens.
   */
  shows?: readonly string[];
  /** Fields among them that these words say in place of their schema, which another tool shows. */
  words?: Readonly<Record<string, string>>;
  /** Writes the answer of the row in words. */
  text(answer: never): ToolText;
}

/** Hints of tools that read, here or elsewhere, and change nothing. */
export const reads = { readOnlyHint: true, destructiveHint: false, idempotentHint: true } as const;
/** Adds something that a second call adds again. */
const adds = { readOnlyHint: false, destructiveHint: false, idempotentHint: false } as const;

/** How a page is read; the rest of the options is for programs. */
const pageFields = [
  "output.formats",
  "output.json.prompt",
  "output.json.json_schema",
  "request.only_main_content",
  "request.include_tags",
  "request.exclude_tags",
  "js_render.wait_for",
] as const;

export const scrapeTool: Tool = {
  name: "scrape",
  title: "Read a web page",
  description:
    "Reads one public web page or document and returns it as Markdown, or in the formats asked for. Give `url`; or the " +
    "`scrape_id` of an earlier call, to read on in it.",
  hints: { ...reads, openWorldHint: true },
  shows: ["url", "scrape_id", ...pageFields, "js_render.actions", "max_age", "timeout"],
  text: scrapeText,
};

export const crawlTool: Tool = {
  name: "crawl",
  title: "Start to crawl a site",
  description:
    "Starts to read the pages of a site from an entry page on, and returns a `crawl_id` at once. `crawl_status` has the pages.",
  hints: { ...adds, openWorldHint: true },
  shows: [
    "url",
    ...["limit", "include", "exclude", "max_depth", "include_entire_domain", "include_subdomains"].map(
      name => `crawler.${name}`,
    ),
    ...pageFields,
  ],
  text: ({ crawl_id, status }: CrawlAccepted) => started("crawl", crawl_id, status),
};

export const batchTool: Tool = {
  name: "batch",
  title: "Start to read many pages",
  description:
    "Starts to read a list of web pages, and returns a `batch_id` at once. `crawl_status` has the pages.",
  hints: { ...adds, openWorldHint: true },
  shows: ["urls", "ignore_invalid_urls", ...pageFields],
  text: ({ batch_id, status, invalid_urls = [] }: BatchAccepted) => {
    const { facts } = started("batch", batch_id, status);
    return invalid_urls.length === 0
      ? { facts }
      : { facts, content: list("Not read, as no URL", invalid_urls) };
  },
};

export const statusTool: Tool = {
  name: "crawl_status",
  title: "Get the pages of a crawl or a batch",
  description:
    "Returns the progress of a crawl or a batch and the pages that it has read. Give `crawl_id` or `batch_id`. While it " +
    "runs, call again later with the cursor of the answer: each page comes once.",
  hints: { ...reads, openWorldHint: false },
  text: statusText,
};

export const mapTool: Tool = {
  name: "map",
  title: "List the URLs of a site",
  description:
    "Lists the pages of a site from its sitemaps and links, without reading them; with `search` the best matches first.",
  hints: { ...reads, openWorldHint: true },
  shows: ["url", "search", "limit", "include_subdomains", "sitemaps"],
  text: ({ data, total, complete }: SiteMap) => ({
    facts: `${data.length} of ${total} URLs found${complete ? "" : "; there may be more, as time ran out"}.`,
    content: data
      .map(({ url, title, description }) => [url, title, description].filter(Boolean).join(" - "))
      .join("\n"),
  }),
};

/** How a watch reads its page. */
const asScraped = {
  "options.wait_for": "As `js_render.wait_for` of `scrape`.",
  "options.actions": "As `js_render.actions` of `scrape`.",
  "options.proxy": '`{"location":"DE"}`: asked for from that country.',
  "options.session": '`{"name":"shop"}`: a session that a scrape has signed in.',
  "options.method": "`POST` sends `body`; by default `GET`.",
  "options.body": "An object as JSON, a text as a form.",
};

export const trackTool: Tool = {
  name: "track",
  title: "Track a source",
  description:
    "Begins to watch for what is new, which `read_events` has. `source` is `web` for a page or a feed and `site` for all pages " +
    "below an address, with the URL as `sid`; `search` with words to search the web for; or a network, for an account.",
  shows: [
    "source",
    "sid",
    "options.tags",
    "options.interval",
    "options.select",
    "options.items",
    "options.extract",
    ...Object.keys(asScraped),
    "options.ignore",
    "options.when.contains",
    "options.when.value",
    "options.goal",
    "options.limit",
    "options.include",
    "options.exclude",
    "options.domains",
  ],
  words: asScraped,
  hints: { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: true },
  text: (answer: Tracked | TrackQueued) =>
    "data" in answer
      ? { facts: answer.message, content: sourceText(answer.data) }
      : { facts: `${answer.message} Job id: ${answer.jobId}.` },
};

export const previewTool: Tool = {
  name: "preview_source",
  title: "Try a watch",
  description:
    "Shows what `track` would watch with these arguments, and whether it would fire now. `with_page` lists " +
    "the parts of a page with selectors.",
  shows: ["source", "sid", "with_page"],
  hints: { ...reads, openWorldHint: true },
  text: ({ data, message }: { data: Preview; message: string }) => ({
    facts: data.view ? `${message} Would make an event now: ${data.view.would_fire ?? "unknown"}.` : message,
    content: JSON.stringify(data, null, 1),
  }),
};

export const untrackTool: Tool = {
  name: "untrack",
  title: "Stop tracking a source",
  description:
    "Stops watching a source. Give `iid`, the id that `list_sources` shows, or `eid`, its external id.",
  hints: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: true },
  text: ({ message, data }: Tracked) => ({ facts: message, content: sourceText(data) }),
};

export const listSourcesTool: Tool = {
  name: "list_sources",
  title: "List tracked sources",
  description:
    "Lists what is tracked, the latest first, with the state of its polling, its tags and options. `tag`, `source`, `health` " +
    "and `query` filter.",
  hints: { ...reads, openWorldHint: false },
  text: ({ data, next_cursor }: { data: TrackedSource[]; next_cursor: string | null }) => ({
    facts: `${data.length} sources.`,
    content: data.map(trackedText).join("\n"),
    next: next_cursor,
  }),
};

export const readEventsTool: Tool = {
  name: "read_events",
  title: "Read what is new",
  description:
    "Returns what the tracked sources have published. Keep `next_after` of the answer and send it as `after` the next " +
    "time: each event comes once. With `wait_seconds` it waits for the next event where there is none; `sources`, `tags` and " +
    "`types` filter.",
  shows: ["after", "types", "sources", "tags", "meaningful", "limit", "wait_seconds"],
  hints: { ...reads, openWorldHint: false },
  text: ({ data, next_after, more }: EventPage) => ({
    facts: `${data.length} events. next_after: ${next_after}. ${more ? "There are more." : "These are all so far."}`,
    content: data.map(event => JSON.stringify(event)).join("\n"),
  }),
};

export const searchMessagesTool: Tool = {
  name: "search_messages",
  title: "Search messages",
  description: "Searches the public messages of the messenger for a text, the newest first.",
  hints: { ...reads, openWorldHint: true },
  text: ({ messages, total }: { messages: MessengerMessage[]; total: number }) => ({
    facts: `${messages.length} of ${total} messages.`,
    content: messages.map(message => JSON.stringify(message)).join("\n"),
  }),
};

function started(what: string, id: string, status: string): ToolText {
  return { facts: `The ${what} is accepted. ${what}_id: ${id}. Status: ${status}.` };
}

function scrapeText({ scrape_id, status, data, error }: Partial<ScrapeJob> & AcceptedScrape): ToolText {
  const facts = [`scrape_id: ${scrape_id}. Status: ${status}.`];
  if (error) facts.push(`${error.code}: ${error.message}`);
  if (data) facts.push(`The page answered ${data.metadata.status_code}.`);
  if (data?.metadata.cached_at) facts.push(`It was read at ${data.metadata.cached_at}.`);
  return { facts: facts.join(" "), ...(data && { content: pageText(data), rest: { scrape_id } }) };
}

function statusText({ status, progress, data, error, next_cursor }: CrawlStatus | BatchStatus): ToolText {
  const { completed, failed, skipped, queued, running } = progress;
  const facts = [
    `Status: ${status}. Pages: ${completed} read, ${failed} failed, ${skipped} skipped, ${queued + running} to come.`,
  ];
  if (error) facts.push(`${error.code}: ${error.message}`);
  const pages = data.map(page =>
    "error" in page ? failedText(page as FailedPage) : pageText(page as ScrapeData),
  );
  return { facts: facts.join(" "), content: pages.join("\n\n---\n\n"), next: next_cursor };
}

function failedText({ metadata, error }: FailedPage): string {
  return `URL: ${metadata.final_url}\n${error.code}: ${error.message}`;
}

/** A page in all formats that were asked for. Everything in it may be written by the site. */
function pageText({ metadata, json_recipe: _, ...found }: ScrapeData): string {
  const { final_url, title, warning } = metadata;
  const head = [`URL: ${final_url}`, title && `Title: ${title}`, warning && `Warning: ${warning}`];
  const parts = Object.entries(found).map(([format, value]) => formatText(format, value));
  return [head.filter(Boolean).join("\n"), ...parts].join("\n\n");
}

function formatText(format: string, value: unknown): string {
  if (format === "markdown") return String(value);
  if (Array.isArray(value) && value.every(each => typeof each === "string")) return list(format, value);
  return `${format}:\n${typeof value === "string" ? value : JSON.stringify(value, null, 1)}`;
}

function list(title: string, lines: string[]): string {
  return [`${title}:`, ...lines].join("\n");
}

function sourceText({ id, source, name, username, externalId }: Source): string {
  return `iid ${id}: ${source} ${name} (${username}), ${externalId}`;
}

function trackedText({ health, problem, last_event_at, tags, options, ...source }: TrackedSource): string {
  const { tags: _, ...rest } = options ?? {};
  return [
    sourceText(source),
    health,
    `last event ${last_event_at ?? "none"}`,
    ...(problem ? [problem] : []),
    ...(tags.length > 0 ? [`tags: ${tags.join(", ")}`] : []),
    ...(Object.keys(rest).length > 0 ? [`options: ${JSON.stringify(rest)}`] : []),
  ].join("; ");
}
