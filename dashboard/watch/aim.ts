/*
 * The choices for a watch, as texts of a form and as the options of `POST /track` and `PATCH /track`.
 *
 *   optionsOf(aim, "web")            the chosen options only
 *   changesOf(aim, before, "web")    what differs from before; null where something was emptied
 *   aimOf(options)                   the texts for options that the API answered
 */
import type { SourceKind } from "../../services/contracts/source.ts";

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
  content: "" | "page" | "main";
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
  schema: string;
  screenshot: boolean;
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
  schema: "",
  screenshot: false,
};

type Options = Record<string, unknown>;

/** Makes the options of a watch. Throws an error with a sentence where a text is invalid. */
export function optionsOf(aim: Aim, kind: SourceKind): Options {
  const every = { tags: aim.tags.split(",").map(trimmed).filter(Boolean), interval: aim.interval.trim() };
  if (kind !== "rss" && kind !== "web") return chosen({ tags: every.tags });
  const ofFeeds = {
    ...every,
    schedule: scheduleOf(aim),
    keep: keepOf(aim),
    ignore: linesOf(aim.ignore),
    when: whenOf(aim),
    headers: pairsOf(aim.headers, "header"),
    cookies: pairsOf(aim.cookies, "cookie"),
  };
  if (kind === "rss") return chosen(ofFeeds);
  return chosen({
    ...ofFeeds,
    select: linesOf(aim.select),
    remove: linesOf(aim.remove),
    content: aim.content,
    unique_lines: aim.uniqueLines,
    render: aim.render,
    json: jsonOf(aim.schema),
    screenshot: aim.screenshot,
  });
}

/** Makes the changes for `PATCH`: an option that is not named stays, null removes one. A secret that reads `•••` stays. */
export function changesOf(aim: Aim, before: Aim, kind: SourceKind): Options {
  const is = optionsOf(aim, kind);
  const was = optionsOf(before, kind);
  const names = new Set([...Object.keys(is), ...Object.keys(was)]);
  const changes = [...names].filter(name => JSON.stringify(is[name]) !== JSON.stringify(was[name]));
  return Object.fromEntries(changes.map(name => [name, is[name] ?? (name === "tags" ? [] : null)]));
}

export function aimOf(options: Options, tags: readonly string[] = []): Aim {
  const schedule = record(options.schedule);
  const when = record(options.when);
  const value = record(when.value);
  const json = record(options.json);
  const keep = record(options.keep);
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
    schema: json.schema ? JSON.stringify(json.schema, null, 2) : "",
    screenshot: options.screenshot === true,
  };
}

function keepOf({ keepDays, keepVersions }: Aim): Options | undefined {
  const keep = chosen({
    days: numberOf(keepDays, "Days"),
    versions: numberOf(keepVersions, "Versions"),
  });
  return Object.keys(keep).length > 0 ? keep : undefined;
}

function scheduleOf({ days, from, to, timeZone }: Aim): Options | undefined {
  if (days.length === 0 && !from && !to) return undefined;
  const time_zone = timeZone.trim() || Intl.DateTimeFormat().resolvedOptions().timeZone;
  return { time_zone, ...chosen({ days, from, to }) };
}

function whenOf(aim: Aim): Options | undefined {
  const value = chosen({
    select: aim.valueSelect.trim(),
    below: numberOf(aim.below, "Below"),
    above: numberOf(aim.above, "Above"),
    changed_by_percent: numberOf(aim.changedBy, "Changed by"),
  });
  const { select, ...limits } = value;
  const when = chosen({
    contains: linesOf(aim.contains),
    not_contains: linesOf(aim.notContains),
    added_only: aim.only === "added",
    removed_only: aim.only === "removed",
    value: Object.keys(limits).length > 0 ? value : undefined,
  });
  return Object.keys(when).length > 0 ? when : undefined;
}

function jsonOf(schema: string): Options | undefined {
  if (schema.trim() === "") return undefined;
  try {
    return { schema: JSON.parse(schema) };
  } catch {
    throw new Error("The schema is not JSON.");
  }
}

function numberOf(written: string, label: string): number | undefined {
  if (written.trim() === "") return undefined;
  const value = Number(written.trim().replace(",", "."));
  if (!Number.isFinite(value)) throw new Error(`${label} must be a number.`);
  return value;
}

function pairsOf(written: string, what: string): Record<string, string> | undefined {
  const found = linesOf(written).map(line => {
    const at = line.indexOf(":");
    if (at < 1) throw new Error(`Write each ${what} as name: value.`);
    return [line.slice(0, at).trim(), line.slice(at + 1).trim()];
  });
  return found.length > 0 ? Object.fromEntries(found) : undefined;
}

export function linesOf(written: string): string[] {
  return written.split("\n").map(trimmed).filter(Boolean);
}

function trimmed(each: string): string {
  return each.trim();
}

/** Leaves out options that are empty, false or missing. */
function chosen(all: Options): Options {
  const isChosen = (value: unknown) =>
    value !== undefined && value !== "" && value !== false && !(Array.isArray(value) && value.length === 0);
  return Object.fromEntries(Object.entries(all).filter(([, value]) => isChosen(value)));
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
