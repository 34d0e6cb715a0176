import { ApiError } from "@xdevplatform/xdk";
import { type ErrorExtras, fail } from "../../../contracts/errors.ts";
import type { XProblem } from "./answers.ts";

/** X's own advice for a 429 that tells no time. */
const unknownWaitMs = 60_000;
/** Seconds after which a trouble that tells no time is worth another attempt. */
const retrySeconds = 30;

/** What a failed request asks for: to wait, or to be told as it is. */
export type Verdict = { waitMs: number } | { error: Error };

/** Judges what the library throws. `now`: Unix milliseconds. */
export function judge(thrown: unknown, now: number): Verdict {
  if (!(thrown instanceof ApiError))
    return { error: unavailable("X gave an answer that means nothing.", thrown) };
  const problem = problemOf(thrown.data);
  if (thrown.status === 429) return judgeLimit(thrown, problem, now);
  return { error: errorOf(thrown, problem) };
}

/** Whether X refuses the credentials, or what they may do: nothing that waiting mends. */
export function isRefusal(error: unknown): error is Error {
  const { cause } = Object(error) as { cause?: unknown };
  return cause instanceof ApiError && (cause.status === 401 || cause.status === 403);
}

/** What stands in the place of data: X says with status 200 that something is missing, or not for us. */
export function missing(problem: XProblem): Error {
  const why = isHidden(problem)
    ? "X does not show this to everybody."
    : "X knows nothing of this name or number.";
  return fail("not_found", why, {}, problem.detail);
}

export function unavailable(sentence: string, cause?: unknown, extras: ErrorExtras = {}): Error {
  return fail("connector_unavailable", sentence, { retry_after: retrySeconds, ...extras }, cause);
}

/** The stream has room for one connection, and takes some time to notice that the last one is gone. */
function judgeLimit(thrown: ApiError, { type = "", connection_issue }: XProblem, now: number): Verdict {
  if (connection_issue !== undefined)
    return { error: unavailable("X still has a connection of this service open.", thrown) };
  if (type.endsWith("/usage-capped"))
    return { error: unavailable("What X sells to this service is used up.", thrown, { retry_after: 3600 }) };
  const reset = Number(thrown.headers.get("x-rate-limit-reset"));
  return { waitMs: reset > 0 ? Math.max(1000, reset * 1000 - now) : unknownWaitMs };
}

function errorOf(thrown: ApiError, problem: XProblem): Error {
  if (thrown.status === 404 || isHidden(problem)) return missing(problem);
  if (thrown.status === 401) return unavailable("X refuses the credentials of this service.", thrown);
  if (thrown.status === 403) return unavailable("X does not allow this service to do that.", thrown);
  if (thrown.status === 0) return unavailable("X cannot be reached.", thrown);
  return unavailable(`X answered with status ${thrown.status}.`, thrown);
}

function isHidden({ type = "" }: XProblem): boolean {
  return type.endsWith("/not-authorized-for-resource");
}

function problemOf(data: unknown): XProblem {
  return typeof data === "object" && data !== null ? data : {};
}
