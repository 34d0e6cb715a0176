import { ApiError } from "@xdevplatform/xdk";
import { type ErrorExtras, fail } from "../../../contracts/errors.ts";
import { refusal } from "../../social/refusal.ts";
import type { XAnswer, XProblem } from "./answers.ts";

/** X's own advice for a 429 that tells no time. */
const unknownWaitMs = 60_000;
/** Seconds after which a trouble that tells no time is worth another attempt. */
const retrySeconds = 30;

/** What a failed request asks for: to wait, or to be told as it is. */
export type Verdict = { waitMs: number } | { error: Error };

/** Judges what the library throws. `now`: Unix milliseconds. */
export function judge(thrown: unknown, now: number): Verdict {
  if (!(thrown instanceof ApiError))
    return { error: unavailable("X gave an answer that cannot be read.", thrown) };
  const problem = problemOf(thrown.data);
  if (thrown.status === 429) return judgeLimit(thrown, problem, now);
  return { error: errorOf(thrown, problem) };
}

/** The data of an answer. Where errors stand in their place X knows of nothing, or does not show it: status 200 as well. */
export function dataOf<Data>({ data, errors }: XAnswer<Data>): Data {
  if (data === undefined) throw missing(errors?.[0]);
  return data;
}

export function missing(problem: XProblem = {}): Error {
  const why = isHidden(problem)
    ? "X does not show this to everybody."
    : "X knows nothing of this name or number.";
  return fail("not_found", why, {}, problem.detail);
}

/** Whether X took the request for a wrong one. */
export function isRejected(error: unknown): boolean {
  const { cause } = Object(error) as { cause?: unknown };
  return cause instanceof ApiError && (cause.status === 400 || cause.status === 422);
}

export function unavailable(sentence: string, cause?: unknown, extras: ErrorExtras = {}): Error {
  return fail("connector_unavailable", sentence, { retry_after: retrySeconds, ...extras }, cause);
}

/** The stream has room for one connection, and takes some time to notice that the last one is gone. */
function judgeLimit(thrown: ApiError, { type = "", connection_issue }: XProblem, now: number): Verdict {
  if (connection_issue !== undefined)
    return { error: unavailable("X still has a connection of this service open.", thrown) };
  if (type.endsWith("/usage-capped")) return { error: usedUp(thrown) };
  const reset = Number(thrown.headers.get("x-rate-limit-reset"));
  return { waitMs: reset > 0 ? Math.max(1000, reset * 1000 - now) : unknownWaitMs };
}

function errorOf(thrown: ApiError, problem: XProblem): Error {
  if (thrown.status === 404 || isHidden(problem)) return missing(problem);
  if (thrown.status === 401) return refusal("X refuses the credentials of this service.", thrown);
  if (thrown.status === 403) return refusal("X does not allow this service to do that.", thrown);
  if (thrown.status === 402) return usedUp(thrown);
  if (thrown.status === 0) return unavailable("X cannot be reached.", thrown);
  return unavailable(`X answered with status ${thrown.status}.`, thrown);
}

/** Of the plan, or of the credit. */
function usedUp(thrown: ApiError): Error {
  return unavailable("What X sells to this service is used up.", thrown, { retry_after: 3600 });
}

function isHidden({ type = "" }: XProblem): boolean {
  return type.endsWith("/not-authorized-for-resource");
}

function problemOf(data: unknown): XProblem {
  return typeof data === "object" && data !== null ? data : {};
}
