import type { UsageStatement } from "./content-usage.ts";
import { pathRules } from "./path-rules.ts";
import { normalPath } from "./robots-rules.ts";

interface Rule {
  location: string;
  statements: UsageStatement[];
}

/** Rules that count, characters of a location that does, and stars in it, whose number decides what a path costs. */
const [mostRules, mostCharacters, mostStars] = [200, 500, 10];

/**
 * Reads a `/.well-known/tdmrep.json` (TDM Reservation Protocol): a list of locations, which are paths as in a robots.txt, with
 * what is reserved there. Of those that fit a path the longest counts. What is no such list says nothing.
 */
export function tdmRules(text: string): (url: string) => UsageStatement[] {
  const rules = rulesIn(text).map(rule => ({ ...rule, fits: fitting(rule.location) }));
  const longestFirst = rules.toSorted((one, other) => other.location.length - one.location.length);
  return url => {
    const { pathname, search } = new URL(url);
    const path = normalPath(pathname + search);
    return longestFirst.find(({ fits }) => fits(path))?.statements ?? [];
  };
}

function rulesIn(text: string): Rule[] {
  const parsed = parsedOf(text);
  return Array.isArray(parsed) ? parsed.slice(0, mostRules).flatMap(ruleIn) : [];
}

function parsedOf(text: string): unknown {
  try {
    return JSON.parse(text.replace(/^\ufeff/, ""));
  } catch {
    return undefined;
  }
}

function ruleIn(entry: unknown): Rule[] {
  const { location, "tdm-reservation": reservation, "tdm-policy": policy } = Object(entry);
  if (typeof location !== "string" || location.length > mostCharacters || !/^[/*]/.test(location)) return [];
  if (location.split("*").length > mostStars) return [];
  const by = "tdmrep.json" as const;
  const statements = [
    { by, name: "tdm-reservation", value: /^[01]$/.test(String(reservation)) ? String(reservation) : "" },
    { by, name: "tdm-policy", value: typeof policy === "string" ? policy : "" },
  ];
  return [{ location, statements: statements.filter(({ value }) => value !== "") }];
}

function fitting(location: string): (path: string) => boolean {
  return pathRules([
    { path: "/", isAllowed: false },
    { path: normalPath(location), isAllowed: true },
  ]);
}
