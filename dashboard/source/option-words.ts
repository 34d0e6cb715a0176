/* The options of a watch in words. */
import type { SourceKind } from "../../services/contracts/source.ts";
import type { WatchOptions } from "../../services/contracts/watch.contract.ts";

/** What a watch does, as pairs of a heading and its text, in the order in which people ask. */
export function wordsOfOptions(kind: SourceKind, options: WatchOptions): [title: string, text: string][] {
  const {
    select,
    remove,
    ignore,
    when,
    unique_lines,
    interval,
    schedule,
    headers,
    cookies,
    body,
    json,
    screenshot,
    goal,
    judge,
  } = options;
  const said: [string, string | undefined][] = [
    ["Watches", watched(kind, options)],
    ["Goal", goal && (judge === false ? `${goal} (not judged at present)` : goal)],
    ["Pages", kind === "site" ? pagesOf(options) : ""],
    ["Looks at", resultsOf(options)],
    ["Without", some(remove)],
    ["Ignores lines with", some(ignore)],
    ["Fields", json && fieldsOf(json)],
    [
      "Reports",
      [...conditions(when), ...(unique_lines ? ["only lines that were not there before"] : [])].join("; "),
    ],
    ["Checks", [intervalWords(interval), scheduleWords(schedule)].filter(Boolean).join(", ")],
    ["Reads it", readingOf(options)],
    ["Sends", sent({ headers, cookies, body })],
    ["Pictures", screenshot ? "before and after each change" : ""],
  ];
  void select;
  return said.filter((pair): pair is [string, string] => Boolean(pair[1]));
}

function readingOf({ render = "auto", wait_for, actions = [], proxy, method }: WatchOptions): string {
  const { selector, ms } = wait_for ?? {};
  return [
    { always: "in a browser, always", never: "without a browser", auto: "" }[render],
    selector && `once ${selector} is there`,
    ms && `${ms / 1000} s after it has loaded`,
    actions.length > 0 && `after ${actions.map(actionWords).join(", ")}`,
    method === "POST" && "by POST",
    proxy && `through a proxy in ${proxy.location ?? "US"}`,
  ]
    .filter(Boolean)
    .join(", ");
}

function actionWords({ type, selector, key }: { type: string; selector?: string; key?: string }): string {
  return [type, key ?? selector].filter(Boolean).join(" ");
}

function watched(kind: SourceKind, options: WatchOptions): string {
  if (kind === "rss")
    return options.content === "full"
      ? "New and changed entries, with the whole text of their pages"
      : "New and changed entries";
  if (kind === "search") return "New results";
  if (kind === "site") return "New, changed, gone and moved pages";
  if (kind !== "web") return options.edits ? "New posts, and what is edited and deleted" : "New posts";
  if (options.items)
    return `New entries of the list, ${options.items === "auto" ? "which is found by itself" : options.items}`;
  if (options.select?.length) return some(options.select) ?? "";
  const { json_path = [], xpath = [] } = options.extract ?? {};
  if (options.extract) return `The values at ${some([...json_path, ...xpath])}`;
  const { content } = options as { content?: string };
  if (content === "main") return "The main content of the page";
  return "The whole page, but for advertisements, navigation and what is only related";
}

function pagesOf(options: WatchOptions): string {
  const { limit = 1000, include, exclude, max_depth, sitemaps, checks } = options;
  const { include_entire_domain, include_subdomains } = options;
  return [
    `at most ${limit.toLocaleString("en")}`,
    include?.length ? `only ${include.join(", ")}` : "",
    exclude?.length ? `without ${exclude.join(", ")}` : "",
    max_depth === undefined ? "" : `up to ${max_depth} links from the entry page`,
    include_entire_domain ? "on the whole host" : "",
    include_subdomains ? "on subdomains, too" : "",
    sitemaps === false ? "not those of sitemaps" : "",
    checks ? "with an event after each round" : "",
  ]
    .filter(Boolean)
    .join("; ");
}

function resultsOf({ domains, window }: WatchOptions): string {
  return [domains?.join(", "), window && `the last ${window}`].filter(Boolean).join("; ");
}

function some(texts: readonly string[] | undefined): string | undefined {
  return texts?.length ? texts.join(", ") : undefined;
}

function either(texts: readonly string[]): string {
  return texts.map(text => `“${text}”`).join(" or ");
}

function conditions(when: WatchOptions["when"] = {}): string[] {
  const { contains, not_contains, added_only, removed_only, value } = when;
  return [
    contains?.length ? `when it contains ${either(contains)}` : "",
    not_contains?.length ? `when it does not contain ${either(not_contains)}` : "",
    added_only ? "when something was added" : "",
    removed_only ? "when something was removed" : "",
    ...limits(value),
  ].filter(Boolean);
}

function limits(value: NonNullable<WatchOptions["when"]>["value"]): string[] {
  if (!value) return [];
  const { select, below, above, changed_by_percent: percent } = value;
  const what = select ? `the number at ${select}` : "the number";
  return [
    below === undefined ? "" : `when ${what} falls below ${below}`,
    above === undefined ? "" : `when ${what} rises above ${above}`,
    percent === undefined ? "" : `when ${what} changes by ${percent} % or more`,
  ];
}

const units: Record<string, string> = { m: "minute", h: "hour", d: "day" };

function intervalWords(interval: string | undefined): string {
  const [, amount = "", unit = ""] = /^(\d+)([mhd])$/.exec(interval ?? "") ?? [];
  if (amount === "") return "";
  return amount === "1" ? `every ${units[unit]}` : `every ${amount} ${units[unit]}s`;
}

function scheduleWords(schedule: WatchOptions["schedule"]): string {
  if (!schedule) return "";
  const { days, from, to, time_zone } = schedule;
  const named = days?.map(day => day.charAt(0).toUpperCase() + day.slice(1)).join(", ");
  const hours = from || to ? `from ${from ?? "00:00"} to ${to ?? "24:00"}` : "";
  return [named && `on ${named}`, hours, `(${time_zone})`].filter(Boolean).join(" ");
}

function fieldsOf({ schema }: NonNullable<WatchOptions["json"]>): string {
  const { properties } = (schema ?? {}) as { properties?: Record<string, unknown> };
  return Object.keys(properties ?? {}).join(", ") || "as the recipe finds them";
}

function sent({ headers, cookies, body }: Pick<WatchOptions, "headers" | "cookies" | "body">): string {
  const [names, crumbs] = [Object.keys(headers ?? {}), Object.keys(cookies ?? {})];
  return [
    names.length > 0 ? `the headers ${names.join(", ")}` : "",
    crumbs.length > 0 ? `the cookies ${crumbs.join(", ")}` : "",
    body === undefined ? "" : "a body",
  ]
    .filter(Boolean)
    .join("; ");
}
