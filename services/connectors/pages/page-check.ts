import type { Checked } from "../../contracts/connectors.contract.ts";
import type { FinishedScrape } from "../../contracts/scraper.contract.ts";
import type { Verdict } from "../../domain/watch/judge.ts";
import type { Fields } from "../../domain/watch/read-fields.ts";
import type { Seen } from "../../domain/watch/snapshot.ts";

/** What a check of a page saw, for its history. */
export function checkOf(
  { data }: FinishedScrape,
  seen: Seen,
  { outcome, why, muted }: Pick<Verdict, "outcome" | "why" | "muted">,
  tookMs: number,
): Checked {
  const { status_code: status, engine } = data.metadata;
  const values = valuesOf(seen);
  return {
    outcome,
    reason: why,
    tookMs,
    status,
    engine,
    muted,
    ...(Object.keys(values).length > 0 && { values }),
  };
}

/** Values of one check, at most; what is beyond is in the version. */
const maxValues = 100;
const maxTextLength = 400;

function valuesOf({ value, fields = {} }: Seen): NonNullable<Checked["values"]> {
  const entries = [...(value === undefined ? [] : [["value", value] as const]), ...leavesOf(fields)];
  return Object.fromEntries(entries.slice(0, maxValues));
}

type Value = NonNullable<Checked["values"]>[string];

/** The values of fields by their paths, such as `offers[0].price`. */
function leavesOf(fields: Fields): [string, Value][] {
  return Object.entries(fields).flatMap(([name, value]) => leaves(name, value));
}

function leaves(path: string, value: unknown): [string, Value][] {
  if (Array.isArray(value)) return value.flatMap((entry, index) => leaves(`${path}[${index}]`, entry));
  if (typeof value === "object" && value !== null)
    return Object.entries(value).flatMap(([name, part]) => leaves(`${path}.${name}`, part));
  if (typeof value === "number" || typeof value === "boolean") return [[path, value]];
  return [[path, value === null || value === undefined ? null : String(value).slice(0, maxTextLength)]];
}
