import type { Bounds } from "../../../mixins/log/log.ts";
import { invalid } from "../../contracts/errors.ts";
import { cursorAhead, cursorTooOld, type Ending } from "./frames.ts";

const secretNames = new Set(["key", "apikey", "api_key", "api-key", "x-api-key", "authorization", "token"]);

/** The `after` of a query; undefined when it has none. Throws 400 for anything else, and for keys above all. */
export function cursorOf(query: URLSearchParams): number | undefined {
  for (const name of query.keys()) {
    if (secretNames.has(name.toLowerCase()))
      throw invalid(
        name,
        "forbidden",
        "An API key is never part of a URL. Send it as x-api-key or in the first frame.",
      );
    if (name !== "after")
      throw invalid(name, "unknown_field", `\`${name}\` is not a known field. Known is: after.`);
  }
  const [value, second] = query.getAll("after");
  if (second !== undefined) throw invalid("after", "string", "`after` may be given once.");
  return value === undefined ? undefined : sequence("after", value);
}

/** A position in a log, as text. */
export function sequence(field: string, value: string): number {
  if (!/^\d{1,15}$/.test(value)) throw invalid(field, "number", `\`${field}\` must be the seq of an event.`);
  return Number(value);
}

/** Where reading begins: behind `after`, or at the end for what is live only. An ending where nothing can be read. */
export function positionIn({ oldest, latest }: Bounds, after: number | undefined): number | Ending {
  if (after === undefined) return latest;
  if (after > latest) return cursorAhead;
  return after + 1 < oldest ? cursorTooOld(oldest) : after;
}
