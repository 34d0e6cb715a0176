import type { FieldError } from "../errors/detail-codes.ts";

/** What every source has that is polled: its secrets and its pause also as a stored view names them. */
const polled = [
  "tags",
  "keep",
  "interval",
  "schedule",
  "paused",
  "pausedBy",
  "ignore",
  "when",
  "goal",
  "judge",
];
const requested = ["headers", "cookies", "sealed"];
const read = ["content", "remove", "unique_lines", "render", "wait_for", "proxy", "content_uses", "policy"];
const signedIn = ["session", "sessionOf"];
const ofPages = ["actions", "method", "body", "select", "json", "extract", "items", "screenshot"];

/** The options of each kind of source that is polled. */
const applicable: Record<string, ReadonlySet<string>> = {
  web: new Set([...polled, ...requested, ...read, ...signedIn, ...ofPages]),
  rss: new Set([...polled, ...requested, "content"]),
  site: new Set([
    ...polled,
    ...requested,
    ...read,
    ...signedIn,
    "limit",
    "include",
    "exclude",
    "max_depth",
    "include_entire_domain",
    "include_subdomains",
    "sitemaps",
    "checks",
  ]),
  search: new Set([...polled, "domains", "window"]),
};
/** Those of social platforms. */
const ofPosts: ReadonlySet<string> = new Set(["tags", "edits"]);

const subjects: Record<string, string> = {
  web: "A page has",
  rss: "A feed has",
  site: "A site has",
  search: "A search has",
};
const plurals: Record<string, string> = { web: "pages", rss: "feeds", site: "sites", search: "searches" };

/** The first option that sources of this kind do not have; null when there is none. */
export function checkApplicable(kind: string, options: object): FieldError | null {
  const known = applicable[kind] ?? ofPosts;
  const isKnown = (name: string, value: unknown) =>
    known.has(name) && (name !== "content" || (kind === "rss") === (value === "full"));
  const field = Object.entries(options).find(([name, value]) => value !== null && !isKnown(name, value))?.[0];
  if (field === undefined) return null;
  if (field === "content" && known.has(field)) return { field, code: "not_applicable", message: ofContent };
  const message = `${subjects[kind] ?? "Such a source has"} no option \`${field}\`; it is for ${purpose(field)}.`;
  return { field, code: "not_applicable", message };
}

const ofContent = "`content` is `full` for feeds alone; `page` and `main` are for pages and sites.";

/** `pages, feeds and sites`. */
function purpose(option: string): string {
  if (option === "edits") return "accounts, servers, channels and groups";
  const kinds = Object.keys(applicable).filter(kind => applicable[kind]?.has(option));
  const names = kinds.map(kind => plurals[kind] ?? kind);
  return [names.slice(0, -1).join(", "), names.at(-1)].filter(Boolean).join(" and ");
}
