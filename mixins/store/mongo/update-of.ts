import type { UpdateFilter } from "mongodb";
import type { Doc, Update } from "../store.ts";
import { newVersion, type Stored } from "./stored.ts";

/** The update as the server takes it, with a version of its own. */
export function updateOf({ $set, $unset, $inc, ...unknown }: Update<Doc>): UpdateFilter<Stored> {
  const [operator] = Object.keys(unknown);
  if (operator !== undefined) throw new TypeError(`Unknown update operator ${operator}`);
  const update = { $set: { ...$set, _v: newVersion() }, ...some({ $unset }), ...some({ $inc }) };
  return update as UpdateFilter<Stored>;
}

/** Servers differ in whether they take an operator without fields. */
function some(operators: Record<string, object | undefined>): object {
  return Object.fromEntries(
    Object.entries(operators).filter(([, fields]) => fields && Object.keys(fields).length > 0),
  );
}
