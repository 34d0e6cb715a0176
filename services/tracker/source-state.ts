import { isDeepStrictEqual } from "node:util";
import type { StoredState } from "./room.ts";

type State = Record<string, unknown>;

/** What may stand in the source's own document. */
export type Little = string | number | boolean | null;

const longestText = 200;
const mostBytes = 500;

/** What the connector remembers of a source. */
export function stateOf(stored: StoredState | null, moved: Record<string, Little> = {}): State {
  return { ...stored?.state, ...moved };
}

/**
 * What a state has beyond the stored one, where that is little, as an interval or a cursor is: it can stand in the
 * source's document, which a poll writes anyway. Null where the state has to be stored anew.
 */
export function movedBeyond(stored: StoredState | null, state: State): Record<string, Little> | null {
  const base = stored?.state ?? {};
  const names = new Set([...Object.keys(base), ...Object.keys(state)]);
  const differing = [...names].filter(name => !isDeepStrictEqual(base[name], state[name]));
  const moved = Object.fromEntries(differing.map(name => [name, state[name]]));
  if (!isLittle(moved)) return null;
  return Buffer.byteLength(JSON.stringify(moved)) <= mostBytes ? moved : null;
}

/** A field that is gone is no little thing: nothing could stand for it. */
function isLittle(moved: State): moved is Record<string, Little> {
  return Object.values(moved).every(
    value =>
      value === null ||
      ["number", "boolean"].includes(typeof value) ||
      (typeof value === "string" && value.length <= longestText),
  );
}
