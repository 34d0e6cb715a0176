import type { Bounds } from "../../../mixins/event-log/event-log.ts";
import { invalid } from "../../contracts/errors.ts";
import { positionIn, streamScopes } from "../streams/protocol.ts";

/** What a resource is of: all events of the key, or a source and its events; both after a position where one is given. */
export interface Target {
  uri: string;
  sourceId: string | undefined;
  after: number | undefined;
}

/** The most that a client may subscribe to at a time, and the longest of its addresses. */
export const mostTargets = 100;
const longestUri = 200;

const form = /^magpie:\/\/(?:events|sources\/([\w-]{1,64}))(?:\?after=(\d{1,15}))?$/;

/** The position that a notification, or the answer to a subscription, is of. */
export const seqField = "magpie/seq";
/** The position after which a subscription begins, where its address names none. */
const afterField = "magpie/after";

/** The target with the position that a client resumes at, beside the address. */
export function resumed(target: Target, meta: Record<string, unknown> = {}): Target {
  const after = meta[afterField];
  return Number.isSafeInteger(after) && Number(after) >= 0 ? { ...target, after: Number(after) } : target;
}

/** Reads the address of a resource; undefined for any other. */
export function targetOf(uri: string): Target | undefined {
  const found = uri.length <= longestUri ? form.exec(uri) : null;
  if (!found) return undefined;
  const [, sourceId, after] = found;
  return { uri, sourceId, after: after === undefined ? undefined : Number(after) };
}

/** The sentence for an address that is none of these. */
export function unknownResource(uri: string): string {
  return `There is no resource ${JSON.stringify(uri.slice(0, longestUri))}. There are magpie://events and magpie://sources/{id}, each also with ?after={seq}.`;
}

/**
 * Where a subscription begins: after the position of its address, else with what is new. What has expired is left out, as
 * reading says. Undefined for a position ahead of the log.
 */
export function startOf({ after }: Target, bounds: Bounds): number | undefined {
  const position = positionIn(bounds, after);
  if (typeof position === "number") return position;
  return position.error?.oldest_seq === undefined ? undefined : position.error.oldest_seq - 1;
}

export function aheadOfLog(field: string): Error {
  return invalid(field, "too_large", "`after` is ahead of the newest event.");
}

/** The scopes of which a key needs one to be told of events. */
export const resourceScopes = streamScopes;
