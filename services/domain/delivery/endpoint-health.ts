import type { HealthChange, Lane } from "./lane.ts";

/** How an attempt ended, as far as it concerns the endpoint. */
type Ended = { ok: boolean; status: number | null; error?: string | null | undefined };

/** From this many episodes of failure in a row an endpoint is failing, by default after 3 min: a deployment takes less. */
const failingFrom = 4;
/** Changes that wait to be told; of more, the oldest are forgotten. */
const mostUntold = 10;

/**
 * The lane after an attempt, with what its owner has to be told: once that the endpoint is failing, each time that it has
 * FAILED, and once that it takes events again after either. It is written with the outcome, so that a crash loses no word.
 */
export function withHealth(
  before: Lane,
  after: Lane,
  { ok, status, error = null }: Ended,
  now: number,
): Lane {
  const state = stateAfter(before, after, ok);
  if (!state) return after;
  const { told: _, untold = [], ...lane } = after;
  const [since] = after.diverted ? before.streak : after.streak;
  const change = { state, at: now, ...(since !== undefined && { since }), status, error: ok ? null : error };
  return {
    ...lane,
    ...(state !== "recovered" && { told: state }),
    untold: [...untold, change].slice(-mostUntold),
  };
}

function stateAfter(before: Lane, after: Lane, ok: boolean): HealthChange["state"] | undefined {
  // What a fallback has taken says nothing of the endpoint.
  if (ok) return after.diverted ? undefined : after.told && "recovered";
  if (hasFailed(after) && !hasFailed(before)) return "failed";
  return !after.told && after.streak.length >= failingFrom ? "failing" : undefined;
}

/** Whether nothing is sent to the endpoint any more. */
export function hasFailed({ status, diverted }: Lane): boolean {
  return status === "FAILED" || diverted === true;
}

/** The lane after these changes were told. */
export function afterTelling({ untold = [], ...lane }: Lane, changes: readonly HealthChange[]): Lane {
  const left = untold.filter(
    ({ at, state }) => !changes.some(each => each.at === at && each.state === state),
  );
  return { ...lane, ...(left.length > 0 && { untold: left }) };
}
