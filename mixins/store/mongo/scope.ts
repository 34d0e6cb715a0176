import type { Locks } from "./locks.ts";
import type { Place } from "./stored.ts";

/** Where the transactions of a room take place. */
export interface Scope {
  /** The declared collections, by name. */
  places: ReadonlyMap<string, Place>;
  locks: Locks;
}
