import { maxIntervalMs } from "./poll-times.ts";
import type { Health } from "./source-health.ts";

/** Why polls of a source fail. */
export interface StoredProblem {
  /** Milliseconds; the first of the failed polls in a row that failed like the last one. */
  since: number;
  /** A sentence without internals. */
  reason: string;
  /** The HTTP status that the source answered with. */
  status?: number;
  /** The code of the error. */
  code?: string;
  /** Milliseconds; until then the source has asked not to be polled. */
  notBefore?: number;
}

/** What a failed poll says of its failure. */
interface FailedPoll extends Pick<StoredProblem, "reason" | "status" | "code"> {
  /** Milliseconds that the source asked us to wait. */
  askedMs?: number;
}

/** The problem after another failed poll, which began at `at`. */
export function problemAfter(
  before: StoredProblem | undefined,
  { reason, status, code, askedMs = 0 }: FailedPoll,
  at: number,
): StoredProblem {
  const cause = (problem: FailedPoll) => problem.status ?? problem.code ?? problem.reason;
  const isSame = before !== undefined && cause(before) === cause({ reason, status, code });
  return {
    since: isSame ? before.since : at,
    reason,
    ...(status !== undefined && { status }),
    ...(code !== undefined && { code }),
    ...(askedMs > 0 && { notBefore: at + Math.min(askedMs, maxIntervalMs) }),
  };
}

interface PolledHealth extends Health {
  problem?: StoredProblem;
}

/** What is wrong with a source and what its subscriber can do about it; null when the last poll succeeded. */
export function problemOf({ health, failures, problem }: PolledHealth): string | null {
  if (health === "ok" && failures === 0) return null;
  if (!problem) return `The last ${polls(failures)} failed; the next one will show why.`;
  const since = timeOf(problem.since);
  if (problem.status !== undefined)
    return `The site has answered ${problem.status} since ${since}: ${adviceOnStatus(problem.status)}`;
  const { reason, advice } = causeOf(problem);
  const so = failures === 1 ? `This was so at ${since}.` : `It has been so since ${since}.`;
  return `${reason} ${so} ${advice}`;
}

function polls(count: number): string {
  return count === 1 ? "poll" : `${count} polls`;
}

/** Minutes are enough for people. */
function timeOf(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 16).replace("T", " ")} UTC`;
}

const byItself = "Magpie tries again by itself, less often with each failure.";

const statusAdvice: Record<number, string> = {
  401: "it asks for a login, and Magpie reads public addresses only. Track a public address, and stop tracking this one.",
  402: "it asks for money, and Magpie reads public addresses only. Stop tracking this source.",
  404: "there is nothing at this address any more. If it has moved, track the new address; stop tracking this one.",
  410: "it says that this is gone for good. If it has moved, track the new address; stop tracking this one.",
  429: "it is asked too often. Magpie asks less often now; nothing is to be done.",
};

function adviceOnStatus(status: number): string {
  const known = statusAdvice[status];
  if (known !== undefined) return known;
  if (status >= 500) return `it has a fault of its own. ${byItself}`;
  if (status === 403 || status === 451)
    return "it refuses Magpie. Ask its operator to allow it, or stop tracking this source.";
  return `it does not show what is tracked. Open the address in a browser; if it has moved, track the new address. ${byItself}`;
}

const codeAdvice: Record<string, string> = {
  target_unreachable: `Check that the address is still right. ${byItself}`,
  target_blocked: "Ask the site's operator to allow Magpie, or stop tracking this source.",
  content_refused:
    "Magpie looks again, in case the site changes its mind. Leave the use out of `content_uses`, or stop tracking this source.",
  tls_error: `Its operator has to renew the certificate. ${byItself}`,
  scrape_timeout: `The site is slow. ${byItself}`,
  unsupported_media_type: "If the page has moved, track the new address; stop tracking this one.",
  not_found: "If it was renamed, track it by its new name; stop tracking this one.",
  forbidden: "Let the account that Magpie uses read it, or stop tracking this source.",
  expired: "Stop tracking this source.",
};

function causeOf({ reason, code = "" }: StoredProblem): { reason: string; advice: string } {
  // Which rule refuses an address is for administrators only.
  if (code === "url_not_allowed" || code === "invalid_url")
    return {
      reason: "This installation may not read the address, or another one that it leads to.",
      advice: "An administrator can permit it (EGRESS_ALLOW).",
    };
  const advice = codeAdvice[code] ?? `${byItself} If it stays so, look at the address in a browser.`;
  return { reason, advice };
}
