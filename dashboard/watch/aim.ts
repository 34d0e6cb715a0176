/*
 * The choices for a watch, as texts of a form. `aim-options.ts` makes the options of `POST /track` and `PATCH /track` of them.
 *
 *   aimOf(options)     the texts for options that the API answered
 */

/** Every field of the form. Lists have one entry a line, headers and cookies are `name: value`. */
export interface Aim {
  tags: string;
  interval: string;
  days: string[];
  from: string;
  to: string;
  timeZone: string;
  select: string;
  remove: string;
  /** What of the page counts; empty for the usual. */
  content: "" | "page" | "main" | "full";
  /** How long and how many versions are kept. */
  keepDays: string;
  keepVersions: string;
  ignore: string;
  contains: string;
  notContains: string;
  only: "" | "added" | "removed";
  valueSelect: string;
  below: string;
  above: string;
  changedBy: string;
  uniqueLines: boolean;
  render: "" | "auto" | "never" | "always";
  headers: string;
  cookies: string;
  /** What a browser waits for, where the page is asked from, what is done in it (JSON), and the name of the session. */
  waitFor: string;
  waitMs: string;
  proxy: string;
  actions: string;
  session: string;
  /** An object of JSON, or a text. */
  method: "" | "POST";
  body: string;
  jsonPath: string;
  xpath: string;
  schema: string;
  /** How the entries of a list are found. */
  items: string;
  screenshot: boolean;
  /** What a person wants to know, in words. */
  goal: string;
  /** Which pages of a site are watched. */
  limit: string;
  include: string;
  exclude: string;
  depth: string;
  wholeDomain: boolean;
  subdomains: boolean;
  noSitemaps: boolean;
  /** An event after each round through a site. */
  rounds: boolean;
  /** Where a search looks, and how far back. */
  domains: string;
  window: "" | "day" | "week" | "month" | "year";
  /** Also what is edited and deleted. */
  edits: boolean;
}

export const noAim: Aim = {
  tags: "",
  interval: "",
  days: [],
  from: "",
  to: "",
  timeZone: "",
  select: "",
  remove: "",
  content: "",
  keepDays: "",
  keepVersions: "",
  ignore: "",
  contains: "",
  notContains: "",
  only: "",
  valueSelect: "",
  below: "",
  above: "",
  changedBy: "",
  uniqueLines: false,
  render: "",
  headers: "",
  cookies: "",
  waitFor: "",
  waitMs: "",
  proxy: "",
  actions: "",
  session: "",
  method: "",
  body: "",
  jsonPath: "",
  xpath: "",
  schema: "",
  items: "",
  screenshot: false,
  goal: "",
  limit: "",
  include: "",
  exclude: "",
  depth: "",
  wholeDomain: false,
  subdomains: false,
  noSitemaps: false,
  rounds: false,
  domains: "",
  window: "",
  edits: false,
};

type Options = Record<string, unknown>;

export function aimOf(options: Options, tags: readonly string[] = []): Aim {
  const schedule = record(options.schedule);
  const when = record(options.when);
  const value = record(when.value);
  const json = record(options.json);
  const keep = record(options.keep);
  const wait = record(options.wait_for);
  const extract = record(options.extract);
  return {
    tags: tags.join(", "),
    interval: text(options.interval),
    days: list(schedule.days),
    from: text(schedule.from),
    to: text(schedule.to),
    timeZone: text(schedule.time_zone),
    select: list(options.select).join("\n"),
    remove: list(options.remove).join("\n"),
    content: text(options.content) as Aim["content"],
    keepDays: text(keep.days),
    keepVersions: text(keep.versions),
    ignore: list(options.ignore).join("\n"),
    contains: list(when.contains).join("\n"),
    notContains: list(when.not_contains).join("\n"),
    only: when.added_only ? "added" : when.removed_only ? "removed" : "",
    valueSelect: text(value.select),
    below: text(value.below),
    above: text(value.above),
    changedBy: text(value.changed_by_percent),
    uniqueLines: options.unique_lines === true,
    render: text(options.render) as Aim["render"],
    headers: pairs(options.headers),
    cookies: pairs(options.cookies),
    waitFor: text(wait.selector),
    waitMs: text(wait.ms),
    proxy: text(record(options.proxy).location),
    actions: Array.isArray(options.actions) ? JSON.stringify(options.actions, null, 1) : "",
    session: text(record(options.session).name),
    method: options.method === "POST" ? "POST" : "",
    body: text(options.body),
    jsonPath: list(extract.json_path).join("\n"),
    xpath: list(extract.xpath).join("\n"),
    schema: json.schema ? JSON.stringify(json.schema, null, 2) : "",
    items: text(options.items),
    screenshot: options.screenshot === true,
    goal: text(options.goal),
    limit: text(options.limit),
    include: list(options.include).join("\n"),
    exclude: list(options.exclude).join("\n"),
    depth: text(options.max_depth),
    wholeDomain: options.include_entire_domain === true,
    subdomains: options.include_subdomains === true,
    noSitemaps: options.sitemaps === false,
    rounds: options.checks === true,
    domains: list(options.domains).join("\n"),
    window: text(options.window) as Aim["window"],
    edits: options.edits === true,
  };
}

function record(value: unknown): Options {
  return value !== null && typeof value === "object" ? (value as Options) : {};
}

function list(value: unknown): string[] {
  return Array.isArray(value) ? value.map(String) : [];
}

function text(value: unknown): string {
  return value === undefined || value === null ? "" : String(value);
}

function pairs(value: unknown): string {
  return Object.entries(record(value))
    .map(([name, each]) => `${name}: ${each}`)
    .join("\n");
}
