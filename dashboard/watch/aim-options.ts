/*
 * The options of a watch, made of the texts of its form.
 *
 *   optionsOf(aim, "web")            the chosen options only
 *   changesOf(aim, before, "web")    what differs from before; null where something was emptied
 */
import type { SourceKind } from "../../services/contracts/source.ts";
import type { Aim } from "./aim.ts";

type Options = Record<string, unknown>;

/** Makes the options of a watch. Throws an error with a sentence where a text is invalid. */
export function optionsOf(aim: Aim, kind: SourceKind): Options {
  return chosen({ tags: aim.tags.split(",").map(trimmed).filter(Boolean), ...ofKind[kind](aim) });
}

const ofKind: Record<SourceKind, (aim: Aim) => Options> = {
  rss: aim => ({ ...ofEvery(aim), ...requestOf(aim), content: aim.content === "full" && "full" }),
  web: aim => ({
    ...ofEvery(aim),
    ...requestOf(aim),
    ...readingOf(aim),
    ...askingOf(aim),
    select: linesOf(aim.select),
    json: jsonOf(aim.schema),
    items: aim.items.trim(),
    screenshot: aim.screenshot,
  }),
  site: aim => ({
    ...ofEvery({ ...aim, ...noNumber }),
    ...requestOf(aim),
    ...readingOf(aim),
    limit: numberOf(aim.limit, "Pages at most"),
    include: linesOf(aim.include),
    exclude: linesOf(aim.exclude),
    max_depth: numberOf(aim.depth, "Links from the entry page"),
    include_entire_domain: aim.wholeDomain,
    include_subdomains: aim.subdomains,
    ...(aim.noSitemaps && { sitemaps: false }),
    checks: aim.rounds,
  }),
  search: aim => ({
    ...ofEvery({ ...aim, ...noNumber }),
    domains: linesOf(aim.domains),
    window: aim.window,
  }),
  microblog: ({ edits }) => ({ edits }),
  chatserver: ({ edits }) => ({ edits }),
  messenger: ({ edits }) => ({ edits }),
};

const noNumber = { valueSelect: "", below: "", above: "", changedBy: "" };

function ofEvery(aim: Aim): Options {
  return {
    interval: aim.interval.trim(),
    schedule: scheduleOf(aim),
    keep: keepOf(aim),
    ignore: linesOf(aim.ignore),
    when: whenOf(aim),
    goal: aim.goal.trim(),
  };
}

function requestOf({ headers, cookies }: Aim): Options {
  return { headers: pairsOf(headers, "header"), cookies: pairsOf(cookies, "cookie") };
}

function readingOf({ remove, content, uniqueLines, render, waitFor, waitMs, proxy }: Aim): Options {
  const wait = chosen({ selector: waitFor.trim(), ms: numberOf(waitMs, "Milliseconds") });
  return {
    ...{ remove: linesOf(remove), content, unique_lines: uniqueLines, render },
    wait_for: some(wait),
    proxy: some(chosen({ location: proxy.trim() })),
  };
}

/** How a page is asked for and acted in, and which values of it count. */
function askingOf({ actions, session, method, body, jsonPath, xpath }: Aim): Options {
  return {
    actions: actionsOf(actions),
    session: some(chosen({ name: session.trim() })),
    method,
    body: bodyOf(body),
    extract: some(chosen({ json_path: linesOf(jsonPath), xpath: linesOf(xpath) })),
  };
}

function actionsOf(written: string): unknown {
  if (written.trim() === "") return undefined;
  const actions = parsed(written);
  if (!Array.isArray(actions)) throw new Error("The actions are no JSON list.");
  return actions;
}

/** An object where the text is one of JSON, else the text. */
function bodyOf(written: string): unknown {
  const body = parsed(written);
  return typeof body === "object" && body !== null && !Array.isArray(body) ? body : written.trim();
}

/** Undefined for what is no JSON. */
function parsed(written: string): unknown {
  try {
    return JSON.parse(written);
  } catch {
    return undefined;
  }
}

function some(options: Options): Options | undefined {
  return Object.keys(options).length > 0 ? options : undefined;
}

/** Makes the changes for `PATCH`: an option that is not named stays, null removes one. A secret that reads `•••` stays. */
export function changesOf(aim: Aim, before: Aim, kind: SourceKind): Options {
  const is = optionsOf(aim, kind);
  const was = optionsOf(before, kind);
  const names = new Set([...Object.keys(is), ...Object.keys(was)]);
  const changes = [...names].filter(name => JSON.stringify(is[name]) !== JSON.stringify(was[name]));
  return Object.fromEntries(changes.map(name => [name, is[name] ?? (name === "tags" ? [] : null)]));
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

/** Leaves out options that are empty, false or missing. Sitemaps alone are read unless that is refused. */
function chosen(all: Options): Options {
  const isChosen = ([name, value]: [string, unknown]) =>
    value !== undefined &&
    value !== "" &&
    (value !== false || name === "sitemaps") &&
    !(Array.isArray(value) && value.length === 0);
  return Object.fromEntries(Object.entries(all).filter(isChosen));
}
